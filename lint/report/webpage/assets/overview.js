// What is shown while no object is selected: the totals and all that is not
// about one object.
function objectLink(o) {
  return el("a", { href: linkTo(o), onclick: (e) => { e.preventDefault(); openObject(o.index, true); } }, o.object);
}

const section = (title, ...content) => el("section", {}, el("h3", {}, title), ...content);

// chip is a number that filters the list.
const chip = (n, text, tone, mark, query) => el("button", {
  type: "button", class: `chip tone-${tone}`, disabled: n === 0, onclick: () => setQuery(query),
}, el("span", { class: "sign" }, mark), el("b", {}, n.toLocaleString("en")), " " + text);

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
      Object.entries(severities).map(([s, { sign, tone }]) =>
        chip(bySeverity.get(s) ?? 0, s === "info" ? s : s + (bySeverity.get(s) === 1 ? "" : "s"), tone, sign, `severity:${s}`))));
}

function overview() {
  const lists = [
    ["Problems of the input", index.problems], ["Warnings", index.warnings], ["What this run could not know", index.notes], ["Rules that did not run", index.skipped],
  ];
  return [
    el("h2", { tabindex: "-1", id: "heading" }, verdict()),
    el("p", { class: "muted" }, `${count(index.counts.objects, "object")} of the config; ${index.rehearsed}.`,
      index.suppressed ? ` ${count(index.suppressed, "finding")} silenced.` : "", index.known ? ` ${count(index.known, "finding")} in the baseline.` : ""),
    totals(),
    findings.length ? section("Findings", findingTable()) : null,
    index.prune ? section("Prune", pruneView()) : null,
    whatChanges(),
    lists.map(([title, lines]) => (lines?.length ? section(title, el("ul", { class: "lines" }, lines.map((l) => el("li", {}, l)))) : null)),
    el("p", { class: "muted foot" }, `threeway${index.version ? " " + index.version : ""} rehearsed this apply; nothing was contacted. Values of Secrets are masked unless --show-secrets was given.`),
  ];
}

// verdict is the first thing to know.
function verdict() {
  const c = index.counts, errors = findings.filter((f) => f.severity === "error" && !f.suppression).length;
  if (c.rejected) return `${count(c.rejected, "object")} would be rejected`;
  if (errors) return `${count(errors, "error")} to look at`;
  const parts = [[c.created, "created"], [c.configured, "configured"], [c.pruned, "pruned"]].filter(([n]) => n);
  if (!parts.length) return "Nothing would change";
  return `${count(parts.reduce((sum, [n]) => sum + n, 0), "object")} would change: ${parts.map(([n, word]) => `${n.toLocaleString("en")} ${word}`).join(", ")}`;
}

function findingTable() {
  const sorted = [...findings].sort((a, b) => severities[b.severity].rank - severities[a.severity].rank);
  const body = el("tbody", { role: "rowgroup" });
  slowly(sorted, 50, "finding", (some) => body.append(...some.map((f) => el("tr", { role: "row" },
    el("td", { role: "cell", class: `tone-${severities[f.severity].tone} nowrap` }, severities[f.severity].sign + " " + f.severity),
    el("td", { role: "cell" }, el("a", { href: linkTo(f.of), onclick: (e) => { e.preventDefault(); showFinding(f); } }, f.message),
      el("div", { class: "muted" }, f.of.object, f.of.object ? " · " : "", `${f.file}:${f.line}`)),
    el("td", { role: "cell" }, el("button", { type: "button", class: "rule", title: rules.get(f.rule)?.title, onclick: () => setQuery(`rule:${f.rule}`) }, f.rule))))),
  (button) => body.appendChild(el("tr", { role: "row" }, el("td", { role: "cell", colspan: "3" }, button))));
  return el("table", { role: "table", class: "plain" },
    el("thead", { role: "rowgroup", class: "for-reader" }, el("tr", { role: "row" }, ["severity", "finding", "rule"].map((t) => el("th", { role: "columnheader", scope: "col" }, t)))), body);
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
    return el("div", {}, el("h4", {}, title), el("ul", { class: "bars" }, all.slice(0, 8).map(([v, n]) => el("li", {},
      el("button", { type: "button", class: "bar", onclick: () => setQuery(`is:changed ${key}:${quoteValue(v)}`) },
        el("span", { class: `fill${key === "reason" ? " tone-" + reasons[v].tone : ""}`, "--share": String(n / all[0][1]) }),
        el("span", { class: "label" }, v), el("span", { class: "n" }, n.toLocaleString("en"))))),
    all.length > 8 ? el("li", { class: "muted" }, `and ${all.length - 8} more`) : null));
  });
  return section("What changes", el("div", { class: "columns" }, tables));
}
