// What is shown while no object is selected: the totals and all that is not
// about one object.
function objectLink(o, name = o.object) {
  return o ? el("a", { href: linkTo(o), onclick: (e) => { e.preventDefault(); openObject(o.index, true); } }, name) : name;
}

const section = (title, ...content) => el("section", {}, el("h3", {}, title), ...content);

// chip is a number that filters the list.
const chip = (n, text, tone, mark, query) => filtering(query, { class: `chip tone-${tone}`, hidden: n === 0 }, el("span", { class: "sign" }, mark), el("b", {}, grouped(n)), " " + text);

function totals() {
  const actionCounts = new Map(actionNames.map((a) => [a, 0]));
  for (const o of objects) actionCounts.set(o.action, actionCounts.get(o.action) + 1);
  const always = ["created", "configured", "unchanged", "rejected"];
  const bySeverity = new Map(tally(findings).map((t) => [t.severity, t.n]));
  return el("div", { class: "totals" },
    el("div", { class: "chips", role: "group", "aria-label": "Objects by what happens to them" },
      actionNames.filter((a) => a !== "" && (always.includes(a) || actionCounts.get(a) > 0)).map((a) =>
        chip(actionCounts.get(a), actions[a].title.toLowerCase(), actions[a].tone, actions[a].sign, `action:${quoteValue(a)}`))),
    el("div", { class: "chips", role: "group", "aria-label": "Findings by severity" },
      Object.entries(severities).map(([s, { sign: mark, tone }]) =>
        chip(bySeverity.get(s) ?? 0, s === "info" ? s : s + (bySeverity.get(s) === 1 ? "" : "s"), tone, mark, `severity:${s}`))));
}

// overview has less on paper, where the objects follow with their findings and differences.
function overview(onPaper) {
  const lists = [
    [index.overlays ? "Overlays" : "Clusters", (index.clusters ?? []).filter((c) => c.about).map((c) => `${c.name}: ${c.about}`)],
    ["Problems of the input", index.problems], ["Warnings", index.warnings], ["What this run could not know", index.notes], ["Rules that did not run", index.skipped],
  ];
  return [
    options.missing ? el("p", { class: "tone-stop missing", role: "status" }, "The link leads to ", el("code", {}, options.missing), ", which is not in this report.") : null,
    el("h2", { tabindex: "-1", id: "heading", class: index.plan ? `verdict tone-${levels[index.plan.verdict.level].tone}` : null }, verdict()),
    index.clusters ? clusterPlans() : el("p", { class: "plan" }, planPhrases(index.plan.line)),
    index.clusters ? null : el("p", { class: "muted" }, `${count(index.counts.objects, "object")} in the manifests.`,
      index.suppressed ? ` ${count(index.suppressed, "finding")} silenced.` : "", index.known ? ` ${count(index.known, "finding")} in the baseline.` : ""),
    whatHurts(onPaper),
    index.clusters ? byCluster() : null,
    onPaper ? null : [totals(), equalChanges(), findings.length ? section("Findings", findingGroups()) : null],
    index.prune ? section("Prune", pruneView()) : null,
    onPaper ? null : whatChanges(),
    lists.map(([title, lines]) => (lines?.length ? section(title, el("ul", { class: "lines" }, lines.map((l) => el("li", {}, l)))) : null)),
    el("p", { class: "muted foot" }, `threeway${index.version ? " " + index.version : ""} rehearsed this apply; nothing was contacted. Values of Secrets are masked unless --show-secrets was given.`),
  ];
}

// levels are the signs of what a plan does, the worst first.
const levels = {
  stop: { sign: "✕", tone: "del" }, unknown: { sign: "?", tone: "list" }, look: { sign: "▲", tone: "list" },
  fine: { sign: "↻", tone: "keep" }, none: { sign: "✓", tone: "add" },
};
const dangers = index.plan?.dangers ?? index.dangers ?? [];

// sharing are the objects of a name of which something is so: of those on several clusters not all.
const sharing = (s, name) => (byName.get(name) ?? []).filter((o) => !s.clusters || !o.clusters || o.clusters.some((c) => s.clusters.includes(c)));
for (const d of dangers) for (const s of d.shared) for (const name of s.objects) for (const o of sharing(s, name)) o.dangers.push(d.hazard, d.code);

// filtering is a button that filters the list, and shows all if it is pressed again.
const filtering = (query, props, ...content) => {
  const act = (e) => { e.preventDefault(); setQuery(list.text === query ? "" : query); };
  // Words of a sentence break between lines as a button does not.
  const kind = props.class === "phrase" ? { href: "#" + new URLSearchParams({ q: query }), role: "button", onkeydown: (e) => e.key === " " && act(e) } : { type: "button" };
  return el(kind.href ? "a" : "button", { ...kind, "data-query": query, "aria-pressed": String(list.text === query), onclick: act, ...props }, ...content);
};

// phrases are those of the plan line, and the query for their objects.
const runs = ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Pod", "Job"].map((kind) => ` kind:${kind}`).join("");
const phrases = [
  [/^\d+ (created|renamed)/, "action:created"], [/^\d+ changed/, "action:configured"], [/^\d+ rejected/, "action:rejected"], [/^\d+ pruned/, "action:pruned"],
  [/never reached/, 'action:"not applied"'], [/orphaned/, "danger:left-over"], [/^changes nothing that runs/, "is:changed"],
  [/^starts .*DaemonSet/, "starts:pods-of-nodes"], [/^starts /, "starts:pods"], [/^requests .* in /, "is:changed" + runs], [/^adds /, 'does:"*scales from*"'],
  [/^stops /, "danger:loses-pods danger:deleted"], [/^restarts /, "danger:restart danger:rollout-stuck"], [/old configuration/, "danger:stale-readers"],
  [/^leaves /, "danger:cuts-traffic"], [/^reverts /, "danger:undone"], [/^a rollback/, "danger:not-restored"],
];

// planPhrases is the plan line, of which each phrase about objects filters the list, among
// those on some clusters.
function planPhrases(line, clusters = []) {
  const phrase = (text) => {
    const query = phrases.find(([is]) => is.test(text))?.[1];
    const namespace = text.match(/^requests .* in (\S+)$/)?.slice(1) ?? [];
    return query ? filtering([query, ...namespace.map((n) => `namespace:${n}`), ...clusters.map((c) => `cluster:${quoteValue(c)}`)].join(" "), { class: "phrase" }, text) : text;
  };
  const between = (list, sign) => list.flatMap((x, i) => (i ? [sign, x] : [x]));
  const [, head, rest] = line.match(/^(Plan: )?(.*)$/s);
  return [head, between(rest.split("; ").map((clause) => {
    return /^\d+ (created|renamed|changed|rejected|pruned)/.test(clause) ? between(clause.split(/, (?=\d)/).map(phrase), ", ") : phrase(clause);
  }), "; ")];
}

// verdict is the first thing to know.
function verdict() {
  if (!index.plan) return index.summary;
  const { level, text } = index.plan.verdict;
  return [el("span", { class: "sign", "aria-hidden": "true" }, levels[level].sign), " ", text];
}

// whatHurts lists what the plan does, the worst first, with the objects that share what
// is to be said of them: on paper all, elsewhere what no finding tells. What every rollout does is
// folded.
function whatHurts(onPaper) {
  const few = (onPaper ? dangers : index.untold ?? []).filter((d) => d.level !== "fine"), fine = dangers.filter((d) => d.level === "fine");
  const draw = ({ currentTarget: place }) => place.open && place.children.length === 1 && place.append(el("ul", { class: "dangers" }, fine.map(danger)));
  return [
    few.length ? section("What can hurt, worst first", el("ul", { class: "dangers" }, few.map(danger))) : null,
    fine.length ? el("details", { class: "others", ontoggle: draw }, el("summary", {}, fine.map((d) => d.text).join("; "))) : null,
  ];
}

function danger(d) {
  const place = el("ul", { class: "found-list" });
  slowly(d.shared, 5, "cause", (some) => place.append(...some.map((s) => el("li", {},
    s.objects.slice(0, 6).map((name) => [objectLink(sharing(s, name)[0], name), " "]),
    s.objects.length > 6 ? el("span", { class: "muted" }, `and ${s.objects.length - 6} more`) : null,
    s.on || s.text ? el("div", { class: "muted" }, [s.on, s.text].filter(Boolean).join(": ")) : null,
    (s.changes ?? []).map((c) => el("div", { class: "beside" }, el("code", {}, c.field), " ", c.old === undefined ? null : el("del", {}, c.old), c.old === undefined || c.new === undefined ? null : " → ", c.new === undefined ? null : el("ins", {}, c.new)))))), (button) => place.appendChild(el("li", {}, button)));
  return el("li", { class: `tone-${levels[d.level].tone}` },
    filtering(`danger:${d.code}`, { class: "what" }, el("span", { class: "sign", "aria-hidden": "true" }, levels[d.level].sign), " ", el("b", {}, d.text)),
    place);
}

// alike are some objects, those in which the same changes together.
const alike = (some) => [...Map.groupBy(some, (o) => o.same ?? o.index + 1).values()];

const sameIn = (others) => `same change in ${count(others.length, "more object")}`;

// equalChanges are the differences of a small review, which needs no second click, and of a
// larger one those that several objects share.
function equalChanges() {
  const groups = alike(objects.filter((o) => o.differs)), lines = groups.reduce((n, [o]) => n + (o.added ?? 0) + (o.removed ?? 0), 0);
  const few = groups.length <= 10 && lines <= 300, shown = few ? groups : groups.filter((g) => g.length > 1).sort((a, b) => b.length - a.length);
  if (!shown.length || index.clusters) return null;
  const difference = (o) => (partOf(o.index) ? linesView(partOf(o.index), o, false) : unread());
  const place = el("div", {});
  slowly(shown, 10, "change", (some) => place.append(...some.map(([o, ...others]) => {
    const head = [actionMark(o.action), " ", few ? objectLink(o) : o.object, " ", lineCounts(o)], same = others.length ? sameIn(others) : null;
    const names = el("p", { class: "muted" });
    slowly(few ? others : [o, ...others], 100, "object", (some) => names.append(...some.flatMap((o) => [objectLink(o), " "])), (button) => names.appendChild(button));
    if (few) return el("div", { class: "change" }, el("h4", {}, head), same ? el("details", {}, el("summary", { class: "muted" }, same), names) : null, difference(o));
    const draw = (e) => e.currentTarget.open && e.currentTarget.children.length === 1 && e.currentTarget.append(names, difference(o));
    return el("details", { class: "change", ontoggle: draw }, el("summary", {}, head, " ", el("span", { class: "muted" }, same)));
  })), (button) => place.appendChild(button));
  return section(few ? "Changes" : "The same change in several objects", place);
}

// findingGroups lists the findings of each rule, the worst first. Many are folded.
function findingGroups() {
  const groups = new Map();
  for (const f of findings) {
    const key = f.severity + " " + f.rule;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(f);
  }
  const sorted = [...groups.values()].sort((a, b) => severities[b[0].severity].rank - severities[a[0].severity].rank || b.length - a.length);
  return sorted.map((group) => {
    const [{ severity, rule }] = group, place = el("ul", { class: "found-list" });
    const draw = () => {
      const once = [...Map.groupBy(group, (f) => [f.message, f.file, f.line].join("\n")).values()];
      if (!place.firstChild) slowly(once, 50, "finding", (some) => place.append(...some.map(findingLine)), (button) => place.appendChild(el("li", {}, button)));
    };
    const few = findings.length <= 12 || (severity === "error" && group.length <= 10);
    if (few) draw();
    return el("details", { class: `group-of tone-${severities[severity].tone}`, open: few, ontoggle: draw },
      el("summary", {}, el("strong", { class: "severity" }, `${severities[severity].sign} ${severity}`), " ",
        group.length > 1 ? el("b", {}, `${grouped(group.length)} × `) : null, rules.get(rule)?.title ?? "", " ", el("span", { class: "rule" }, rule)),
      place,
      group.length > 1 ? el("button", { type: "button", class: "more", onclick: () => setQuery(`rule:${rule}`) }, `List the objects with ${rule}`) : null);
  });
}

// findingLine is a finding that stands once in the manifests, of each object that it is about: in several
// overlays of each.
function findingLine(same) {
  const link = (f, text) => el("a", { href: linkTo(f.of, { at: findingPlace(f) }), onclick: (e) => { e.preventDefault(); showFinding(f); } }, text);
  const [f] = same;
  return el("li", {}, link(f, f.message), el("div", { class: "muted" },
    same.length > 1 ? same.map((f) => [link(f, f.of.object), " · "]) : [f.of.object, f.of.object ? " · " : ""], `${f.file}:${f.line}`));
}

// whatChanges counts by reason, kind and namespace, for a first impression.
function whatChanges() {
  const some = objects.filter((o) => o.differs || o.action === "pruned" || o.action === "rejected");
  if (some.length < 2) return null;
  const tables = [["kind", "Kinds"], ["namespace", "Namespaces"], ["reason", "Reasons"]].map(([key, title]) => {
    const n = new Map();
    for (const o of some) for (const v of new Set(facets[key].of(o))) if (v) n.set(v, (n.get(v) ?? 0) + 1);
    const all = [...n].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (!all.length) return null;
    return el("div", {}, el("h4", {}, title), el("ul", { class: "bars" }, all.slice(0, 8).map(([v, times]) => el("li", {},
      el("button", { type: "button", class: "bar", onclick: () => setQuery(`is:changed ${key}:${quoteValue(v)}`) },
        el("span", { class: `fill${key === "reason" ? " tone-" + reasons[v].tone : ""}`, "--share": String(times / all[0][1]) }),
        el("span", { class: "label" }, v), el("span", { class: "n" }, grouped(times))))),
    all.length > 8 ? el("li", { class: "muted" }, `and ${all.length - 8} more`) : null));
  });
  return section("What changes", el("div", { class: "columns" }, tables));
}
