// A finding as a card: what, where, what is live, and the way out. Errors are
// open, the others open when they are pressed. atLine, its line is above it.
function findingCard(f, atLine) {
  const s = severities[f.severity], rule = rules.get(f.rule);
  return el("details", { class: `finding tone-${s.tone}`, open: atLine || f.severity === "error", "data-finding": String(findings.indexOf(f)) },
    el("summary", {}, el("strong", { class: "severity" }, s.sign + " " + f.severity), " ", f.message, " ", el("span", { class: "rule" }, f.rule)),
    atLine ? null : excerpt(f), facts(f, atLine), remedy(f),
    rule ? el("details", { class: "rule-why" }, el("summary", {}, "Why it matters"), el("p", {}, el("strong", {}, rule.title), " ", rule.why)) : null);
}

// remedy is how the change is made in steps.
function remedy(f) {
  if (!f.remedy?.steps) return f.remedy ? el("p", {}, `No steps are known (${f.remedy.id}): ${f.remedy.why}`) : null;
  return el("details", { class: "rule-why" }, el("summary", {}, f.remedy.title + " in steps"), el("ol", {}, f.remedy.steps.map((s) => el("li", {}, s.text,
    [...(s.files ?? []), ...(s.commands ?? [])].map((text) => el("pre", {}, text)), s.meanwhile ? el("p", {}, `Meanwhile ${s.meanwhile}.`) : null))));
}

function facts(f, atLine) {
  const lines = [
    atLine ? ["at", el("code", {}, `${f.file}:${f.line}:${f.column}`)] : null,
    f.path ? ["field", el("code", {}, f.path)] : null,
    f.live ? ["live", [`${f.live.object} (${f.live.file}:${f.live.line})`, f.live.value ? [": ", el("code", {}, f.live.value)] : null]] : null,
    ...(f.notes ?? []).map((n) => ["note", n]),
    f.fix ? ["fix", f.fix.text] : null,
    f.suppression ? ["silenced", f.suppression.reason] : null,
    f.template ? ["from", f.template] : null,
  ].filter(Boolean);
  return lines.length ? el("dl", {}, lines.map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)])) : null;
}

// excerpt is the finding's place in its file.
function excerpt(f) {
  const place = el("p", { class: "place" }, el("code", {}, `${f.file}:${f.line}:${f.column}`));
  if (!f.excerpt?.length || f.missing && !f.add) return place;
  return el("figure", {}, el("figcaption", {}, place),
    el("table", { role: "table", class: "source", "aria-label": `${f.file} around line ${f.line}` }, el("tbody", { role: "rowgroup" }, f.excerpt.map((text, i) => {
      const here = f.first + i === f.line, chars = [...text];
      const from = chars.slice(0, f.column - 1).join("").length, to = from + chars.slice(f.column - 1, f.column - 1 + (f.width || 1)).join("").length;
      const row = el("tr", { role: "row", class: here && !f.missing ? "here" : null },
        el("td", { role: "cell", class: "number" }, f.first + i, here ? hidden("the finding's line") : null),
        el("td", { role: "cell", class: "sign", "aria-hidden": "true" }, here && !f.missing ? "▸" : ""),
        el("td", { role: "cell", class: "code" }, yaml(text, here && to > from && !f.missing ? [from, to] : [])));
      return [row, here ? (f.add ?? []).map((added) => el("tr", { role: "row", class: "tone-add" },
        el("td", { role: "cell", class: "number" }), el("td", { role: "cell", class: "sign" }, "+", hidden("add here")), el("td", { role: "cell", class: "code" }, yaml(added, [])))) : null];
    }))));
}

// findingsView lists the findings of an object, the worst first. Those that stand at
// their lines in the view below are only named.
function findingsView(all, below) {
  if (below.size) {
    const links = [...below].map((f) => [" ", el("a", { href: linkTo(f.of, { v: options.view, at: findingPlace(f) }), class: `tone-${severities[f.severity].tone} below`, onclick: (e) => { e.preventDefault(); showFinding(f); } }, `${severities[f.severity].sign} ${f.rule}`)]);
    return [el("p", { class: "muted" }, "At their places below:", links), findingsView(all.filter((f) => !below.has(f)), new Set())];
  }
  const place = el("div", { class: "findings" });
  const sorted = [...all].sort((a, b) => severities[b.severity].rank - severities[a.severity].rank);
  slowly(sorted, 20, "finding", (some) => place.append(...some.map((f) => findingCard(f))), (button) => place.appendChild(button));
  return place;
}
