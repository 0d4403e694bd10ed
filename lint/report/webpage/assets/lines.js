// The difference between the live text and the merged one, as kubectl diff has
// it, with the reason of each change and the findings at their lines.
function linesOf(hunk) {
  let old = hunk.old, now = hunk.new;
  const marks = new Map((hunk.marks ?? []).map(([i, ...spans]) => [i, spans]));
  return hunk.lines.map((line, i) => {
    const kind = line[0], l = { kind, text: line.slice(1), marks: marks.get(i) };
    if (kind !== "+") l.old = old++;
    if (kind !== "-") l.new = now++;
    return l;
  });
}

// notesOf are the reasons by line, of removed lines in the live text and of
// others in the merged one, and the findings by line of the merged text.
function notesOf(part, o) {
  const notes = { live: new Map(), merged: new Map(), findings: new Map(), gone: new Map() };
  const put = (map, line, x) => { if (line) map.set(line, [...(map.get(line) ?? []), x]); };
  for (const r of part.reasons ?? []) {
    put(notes.live, r.live, r);
    put(notes.merged, r.merged, r);
  }
  for (const f of o.findings) f.gone ? put(notes.gone, f.gone, f) : put(notes.findings, f.merged, f);
  return notes;
}

const kindNames = { "+": "added", "-": "removed", " ": "" };
const toneOf = { "+": "add", "-": "del", " ": "" };
const signs = { "+": "+", "-": "−", " ": " " };

function lineReasons(l, notes) {
  const at = l.kind === "-" ? notes.live.get(l.old) : notes.merged.get(l.new);
  if (l.kind === " ") return (at ?? []).filter((r) => r.reason === "kept" || r.reason === "owned-by");
  return at ?? [];
}

const pills = (all) => [...new Map(all.map((r) => [r.reason + (r.owners ?? []), r])).values()].map((r) =>
  el("span", { class: `pill tone-${reasons[r.reason].tone}`, title: `${r.path}: ${r.explanation || reasons[r.reason].what}` }, r.reason, r.owners?.length ? " " + r.owners.join(", ") : null));

const number = (n, side) => el("td", { role: "cell", class: "number", "data-line": n && side ? side + n : null }, n ?? "");
const sign = (l) => el("td", { role: "cell", class: "sign" }, l ? signs[l.kind] : "", l && l.kind !== " " ? hidden(kindNames[l.kind]) : null);

// code is a line of YAML: what goes on below it is indented as it is.
function code(l, tone) {
  const props = { role: "cell", class: `code${tone ? " tone-" + tone : ""}` };
  return l ? el("td", { ...props, "--indent": String(/^( *(?:- )*)/.exec(l.text)[0].length + 2) }, yaml(l.text, l.marks ?? [])) : el("td", props);
}

// lineHeads are the heads of the columns; those of signs are for who does not see them.
function lineHeads(split) {
  const head = (name, text) => el("th", { role: "columnheader", scope: "col", class: name }, text);
  const live = index.base ? "live, assumed" : "live", side = (text) => [head("number", hidden("line")), head("sign", hidden("change")), head("code", text)];
  return el("thead", { role: "rowgroup" }, el("tr", { role: "row" },
    split ? [side(live), side("result")] : [head("number", "live"), head("number", "result"), head("sign", hidden("change")), head("code", "text")],
    head("why", "reason")));
}

function unifiedRow(l, notes) {
  return el("tr", { role: "row", class: toneOf[l.kind] ? `line tone-${toneOf[l.kind]}` : "line" },
    number(l.old, "L"), number(l.new, "R"), sign(l), code(l, toneOf[l.kind]), el("td", { role: "cell", class: "why" }, pills(lineReasons(l, notes))));
}

function splitRow([a, b], notes) {
  const side = (l, n, which) => [number(l && n, which), sign(l), code(l, l ? toneOf[l.kind] : "")];
  const why = [a, b].filter((l, i) => l && (i === 0 || l !== a)).flatMap((l) => lineReasons(l, notes));
  return el("tr", { role: "row", class: "line" }, side(a, a?.old, "L"), side(b, b?.new, "R"), el("td", { role: "cell", class: "why" }, pills(why)));
}

// beside arranges the lines of a hunk in two columns.
function beside(hunk, lines) {
  const rows = [], pairs = new Map(hunk.beside ?? []);
  for (let i = 0; i < lines.length;) {
    if (lines[i].kind === " ") {
      rows.push([lines[i], lines[i]]);
      i++;
      continue;
    }
    let added = i;
    while (lines[added]?.kind === "-") added++;
    let end = added;
    while (lines[end]?.kind === "+") end++;
    let next = added;
    for (let old = i; old < added; old++) {
      const partner = pairs.get(old);
      while (partner !== undefined && next < partner) rows.push([null, lines[next++]]);
      rows.push([lines[old], partner === undefined ? null : lines[next++]]);
    }
    while (next < end) rows.push([null, lines[next++]]);
    i = end;
  }
  return rows;
}

const findingsAt = (l, notes) => (!l ? [] : l.kind === "-" ? notes.gone.get(l.old) : notes.findings.get(l.new)) ?? [];

// findingsAtLines are those that the difference of an object shows.
function findingsAtLines(part, o) {
  const notes = notesOf(part, o);
  return new Set((part.hunks ?? []).flatMap((hunk) => linesOf(hunk).flatMap((l) => findingsAt(l, notes))));
}

function linesView(part, o, split) {
  if (!part.hunks?.length) {
    return el("p", { class: "empty" }, o.action === "rejected" ? "A rejected object has no result to compare with." : o.unseen ? `There is ${bookkeeping}.` : "Nothing would change.");
  }
  const notes = notesOf(part, o), columns = split ? 7 : 5, rows = [];
  let line = 1;
  for (const hunk of part.hunks) {
    const lines = linesOf(hunk), from = Math.max(hunk.new, 1);
    const between = from - line;
    if (between > 0) rows.push(() => el("tr", { role: "row", class: "hunk" }, el("td", { role: "cell", colspan: String(columns) }, `⋯ ${count(between, "equal line")}`)));
    for (const r of split ? beside(hunk, lines) : lines) {
      rows.push(() => (split ? splitRow(r, notes) : unifiedRow(r, notes)));
      const old = split ? r[0] : r, now = split ? r[1] : r;
      for (const f of [...findingsAt(old?.kind === "-" ? old : null, notes), ...findingsAt(now?.kind === "-" ? null : now, notes)]) {
        rows.push(() => el("tr", { role: "row", class: "found" }, el("td", { role: "cell", colspan: String(columns) }, findingCard(f, true))));
      }
    }
    line = Math.max(...lines.map((l) => l.new ?? 0), line - 1) + 1;
  }
  const body = el("tbody", { role: "rowgroup" });
  slowly(rows, 600, "line", (some) => body.append(...some.map((row) => row())),
    (button) => body.appendChild(el("tr", { role: "row" }, el("td", { role: "cell", colspan: String(columns) }, button))));
  return el("table", { role: "table", class: split ? "diff split" : "diff unified", "aria-label": `Difference of ${o.name}: live and result`, onclick: (e) => {
    const line = e.target.closest("[data-line]")?.dataset.line;
    if (line && o.index === list.selected) linkPlace(line);
  } }, lineHeads(split), body);
}
