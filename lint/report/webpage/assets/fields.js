// The fields of an object in its four versions, side by side.
const versions = [
  { name: "last-applied", what: "the manifest as it was applied before" },
  { name: "manifest", what: "the manifest as it is to be applied" },
  index.base ? { name: "live, assumed", what: `what the server would have made of ${index.base}` } : { name: "live", what: "the live object in the snapshot" },
  { name: "result", what: "the object as the server would store it" },
];
const [LAST, CONFIG, LIVE, RESULT] = [0, 1, 2, 3];

// fieldsOf reads the rows of a part: what is where, why, and what was found.
function fieldsOf(part, o) {
  if (part.fields) return part.fields;
  const above = [];
  part.fields = part.rows.map(([depth, key, cells, owners, ...values], i) => {
    const parent = above[depth - 1] ?? null;
    const f = {
      i, depth, key, parent, path: parent ? parent.path + (key.startsWith("[") ? "" : ".") + key : key,
      cells: [...cells].map((c) => (c === "." ? null : c === "+" ? { parts: true } : { value: values[Number(c)], is: c })),
      owners: (part.owners?.[owners] ?? []).map((m) => part.managers[m]), reasons: [], findings: [], within: 0,
    };
    if (parent) parent.within++;
    above[depth] = f;
    above.length = depth + 1;
    return f;
  });
  for (const r of part.reasons ?? []) part.fields[r.row]?.reasons.push(r);
  for (const f of o.findings) part.fields[f.row]?.findings.push(f);
  for (const f of part.fields) {
    // What is said of a list as a whole is why its parts differ.
    f.said = f.reasons[0]?.reason ?? f.parent?.said;
    f.reason = f.reasons[0]?.reason ?? (differs(f) ? f.said : undefined);
    f.wanted = o.action === "rejected" && wanted(f);
    f.notable = f.reason !== undefined || f.findings.length > 0 || f.wanted;
    // The key of a list's item is in the item's own row.
    f.isKey = f.parent?.within > 1 && f.parent.key === `[${f.key}=${f.cells.find((c) => c && !c.parts)?.value}]` && !f.findings.length;
    if (f.isKey && f.reason && !f.parent.reasons.length) f.parent.reason = f.reason;
  }
  part.fields = join(part.fields.filter((f) => !f.isKey));
  for (const f of part.fields) {
    for (let p = f.notable ? f.parent : null; p && !p.open; p = p.parent) p.open = true;
    f.all = [];
    for (let p = f.parent; p; p = p.parent) p.all.push(f);
  }
  // What comes or goes as a whole is one row, with the fields in it folded.
  for (const f of part.fields) {
    f.whole = o.action !== "created" && !isLeaf(f) && f.reasons.length > 0 && f.all.every((x) => !x.reasons.length && !x.findings.length && (!isLeaf(x) || differs(x) && !(x.cells[LIVE] && x.cells[RESULT]) && !isLong(x)));
    f.hides = f.parent?.whole || f.parent?.hides;
  }
  return part.fields;
}

// join makes one row of a field and the only one in it.
function join(fields) {
  const parts = new Map();
  for (const f of fields) parts.set(f.parent, (parts.get(f.parent) ?? 0) + 1);
  const joined = (f) => f && parts.get(f) === 1 && !f.notable;
  return fields.filter((f) => {
    while (joined(f.parent)) {
      f.key = f.parent.key + f.path.slice(f.parent.path.length);
      f.parent = f.parent.parent;
    }
    f.depth = f.parent ? f.parent.depth + 1 : 0;
    return !joined(f);
  });
}

const isLeaf = (f) => !f.cells.some((c) => c?.parts);

// wanted tells of a rejected object's field, which has no result, that the config
// sets it to something else, or has it no more.
const wanted = (f) => isLeaf(f) && (f.cells[CONFIG] ? f.cells[CONFIG].is !== f.cells[LIVE]?.is : f.cells[LAST] !== null && f.cells[LIVE] !== null);

const differs = (f) => f.cells[LIVE]?.is !== f.cells[RESULT]?.is && !(f.cells[LIVE]?.parts && f.cells[RESULT]?.parts);

// shown is a value as text. What would read as another type is quoted.
function shown(value) {
  if (typeof value === "string") {
    const misread = /^(true|false|null|~||\{\}|\[\]|[-+.]?\d[\d.eE+_-]*)$/i.test(value) || (value.trim() !== value && !value.includes("\n"));
    return misread ? JSON.stringify(value) : value;
  }
  if (Array.isArray(value)) return value.length ? value.map((x) => "- " + shown(x)).join("\n") : "[]";
  if (value !== null && typeof value === "object") return "" in value ? value[""] : JSON.stringify(value);
  return String(value);
}

// What is longer than a column, or has lines, is shown below its field as a difference.
const longest = 60, longestTwice = 24, longestLines = 12, around = 2;

const isLong = (f) => f.cells.some((c) => c && !c.parts && (shown(c.value).length > longest || shown(c.value).includes("\n")));

// inside is what a field with parts holds in a version: a probe in short, or its fields.
function inside(f, which) {
  const below = f.all.filter((x) => isLeaf(x) && x.cells[which] && !x.cells[which].parts);
  const at = (path) => below.find((x) => x.path === `${f.path}.${path}`)?.cells[which].value;
  for (const how of ["httpGet", "tcpSocket", "grpc", "exec"]) {
    if (at("periodSeconds") === undefined || !below.some((x) => x.path.startsWith(`${f.path}.${how}.`))) continue;
    const port = at(how + ".port");
    return [how, at(how + ".path"), port === undefined ? null : ":" + port, `every ${at("periodSeconds")}s`].filter(Boolean).join(" ");
  }
  const text = below.map((x) => `${x.path.slice(f.path.length).replace(/^\./, "")}: ${shown(x.cells[which].value)}`).join(", ");
  return text.length > longest ? text.slice(0, longest) + " …" : text;
}

const sameCell = (a, b) => a === b || Boolean(a && b && a.is === b.is && !a.parts === !b.parts);

// valueCells are the versions of a field, of which equal neighbors share a cell.
function valueCells(f, shownVersions, old, now) {
  if (isLong(f)) return el("td", { role: "cell", class: "wide", colspan: String(shownVersions.length) }, changeOf(f, shownVersions));
  const runs = [];
  for (const v of shownVersions) {
    if (runs.length && sameCell(f.cells[v], f.cells[runs.at(-1)[0]]) && (!f.whole || inside(f, v) === inside(f, runs.at(-1)[0]))) runs.at(-1).push(v);
    else runs.push([v]);
  }
  return runs.map((run) => {
    const [v] = run, cell = f.cells[v], names = run.map((v) => versions[v].name), has = cell && (!cell.parts || f.whole);
    const props = { role: "cell", class: `${run.map((v) => "v" + v).join(" ")}${cell === null ? " absent" : has ? "" : " parts"}`, colspan: String(run.length), "data-version": names.join(" = ") };
    if (cell === null) return el("td", props, el("span", { "aria-hidden": "true" }, "·"), hidden("absent"));
    if (!has) return el("td", props, hidden("has the fields below"));
    const same = v < LIVE && !f.whole && shown(cell.value).length > longestTwice ? [RESULT, LIVE].find((x) => !run.includes(x) && shownVersions.includes(x) && sameCell(cell, f.cells[x])) : undefined;
    if (same !== undefined) return el("td", props, el("span", { class: "muted" }, `= ${versions[same].name}`));
    return el("td", props, run.length > 1 ? hidden(names.join(", ") + ": ") : null,
      el("div", { class: "value" }, f.whole ? inside(f, v) : textNodes(shown(cell.value), run.includes(LIVE) ? old : run.includes(RESULT) ? now : undefined)));
  });
}

// changeOf is a long value from live to the result, by lines, and what the other versions
// are equal to.
function changeOf(f, shownVersions) {
  const [from, to] = f.cells[RESULT] === null && f.cells[LIVE] === null ? [LAST, CONFIG] : f.wanted && f.cells[CONFIG] ? [LIVE, CONFIG] : [LIVE, RESULT];
  const text = (v) => (f.cells[v] && !f.cells[v].parts ? shown(f.cells[v].value) : null);
  const others = shownVersions.filter((v) => v !== to && v !== from).map((v) => {
    const like = [to, from].find((x) => f.cells[v] && sameCell(f.cells[v], f.cells[x]));
    return f.cells[v] === null ? `not in ${versions[v].name}` : like === undefined ? `${versions[v].name}: ${firstOf(text(v))}` : `${versions[v].name} = ${versions[like].name}`;
  });
  if (sameCell(f.cells[from], f.cells[to])) others.unshift(`${versions[from].name} = ${versions[to].name}`);
  const a = text(from), b = text(to), lines = a === null || b === null || a === b ? (b ?? a ?? "").split("\n").map((l) => [a === b ? " " : a === null ? "+" : "-", l]) : lineChanges(a.split("\n"), b.split("\n"));
  const spans = lineSpans(lines);
  const place = el("div", { class: "change-lines" });
  const draw = (all) => {
    const kept = lines.map(([kind], i) => all || (a === b ? i === 0 : a === null || b === null ? i < longestLines : lines.slice(Math.max(0, i - around), i + around + 1).some(([k]) => k !== " ")));
    const rows = [], most = all ? Infinity : 200;
    kept.forEach((keep, i) => {
      if (rows.length > most) return;
      if (!keep) return rows.at(-1) === null || rows.push(null);
      const [kind, line] = lines[i];
      rows.push(el("div", { class: kind === " " ? "" : `tone-${toneOf[kind]}` }, el("span", { class: "sign" }, signs[kind], kind !== " " ? hidden(kindNames[kind]) : null), el("span", { class: "text" }, textNodes(line, spans[i]))));
    });
    const cut = kept.includes(false) || rows.length < kept.length;
    place.replaceChildren(...rows.map((r) => r ?? el("div", { class: "gap" }, "⋯")), ...(cut ? [el("button", { type: "button", class: "more", onclick: (e) => { const row = e.currentTarget.closest("tr"); draw(true); row.querySelector("button.key").focus({ preventScroll: true }); } }, `all ${grouped(lines.length)} lines`)] : []));
  };
  draw(false);
  return [others.length ? el("div", { class: "muted" }, others.join("; ")) : null, place];
}

const firstOf = (text) => (text.length > longest ? text.slice(0, longest) + " …" : text).replaceAll("\n", " ");

// lineChanges are the lines of two texts, each with -, + or a blank: the shortest way from
// one to the other (Myers), if it is not too long.
function lineChanges(a, b) {
  let head = 0, tail = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head++;
  while (tail < Math.min(a.length, b.length) - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const x = a.slice(head, a.length - tail), y = b.slice(head, b.length - tail), middle = [];
  const reach = new Map([[1, 0]]), trace = [], most = 1000;
  let done = false;
  for (let d = 0; !done && d <= Math.min(most, x.length + y.length); d++) {
    trace.push(new Map(reach));
    for (let k = -d; k <= d && !done; k += 2) {
      let i = k === -d || k !== d && reach.get(k - 1) < reach.get(k + 1) ? reach.get(k + 1) : reach.get(k - 1) + 1;
      while (i < x.length && i - k < y.length && x[i] === y[i - k]) i++;
      reach.set(k, i);
      done = i >= x.length && i - k >= y.length;
    }
  }
  if (!done) middle.push(...x.map((l) => ["-", l]), ...y.map((l) => ["+", l]));
  else {
    let i = x.length, j = y.length;
    for (let d = trace.length - 1; i > 0 || j > 0; d--) {
      const from = trace[d], k = i - j, before = k === -d || k !== d && from.get(k - 1) < from.get(k + 1) ? k + 1 : k - 1;
      const back = d ? from.get(before) : 0;
      while (i > back && j > (d ? back - before : 0)) middle.unshift([" ", x[--i]]), j--;
      if (d) before === k + 1 ? middle.unshift(["+", y[--j]]) : middle.unshift(["-", x[--i]]);
    }
  }
  return [...a.slice(0, head).map((l) => [" ", l]), ...middle, ...a.slice(a.length - tail).map((l) => [" ", l])];
}

const pill = (reason, owners) => el("span", { class: `pill tone-${reasons[reason].tone}`, title: reasons[reason].what },
  reason, owners?.length ? " " + owners.join(", ") : null);

// differing finds the words of the live value and of the result that differ.
function differing(f) {
  const a = f.cells[LIVE], b = f.cells[RESULT];
  return !differs(f) || a?.value === undefined || b?.value === undefined ? [] : changedEnds(shown(a.value), shown(b.value));
}

// lineSpans are the words that differ in each of some lines, where as many come as go.
function lineSpans(lines) {
  const spans = [];
  for (let i = 0; i < lines.length;) {
    const end = (at, kind) => { while (lines[at]?.[0] === kind) at++; return at; };
    const added = end(i, "-"), next = end(added, "+");
    for (let j = i; added - i === next - added && j < added; j++) [spans[j], spans[j + added - i]] = changedEnds(lines[j][1], lines[j + added - i][1]);
    i = Math.max(next, i + 1);
  }
  return spans;
}

// changedEnds marks, in each of two texts, the words between their equal ends.
function changedEnds(a, b) {
  const words = (s) => s.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [], x = words(a), y = words(b);
  let head = 0, tail = 0;
  while (head < Math.min(x.length, y.length) && x[head] === y[head]) head++;
  while (tail < Math.min(x.length, y.length) - head && x[x.length - 1 - tail] === y[y.length - 1 - tail]) tail++;
  if (head + tail === 0) return [];
  const span = (w) => {
    const from = w.slice(0, head).join("").length, to = from + w.slice(head, w.length - tail).join("").length;
    return to > from ? [from, to] : [];
  };
  return [span(x), span(y)];
}

function fieldRow(f, part, table) {
  const [old, now] = differing(f), tone = f.reason ? reasons[f.reason].tone : f.wanted ? "set" : "";
  const why = el("button", {
    type: "button", class: "key", "aria-expanded": "false", "data-path": f.path,
    onclick: (e) => toggleWhy(e.currentTarget, f, part, table.columns),
  }, el("span", { class: "sign", "aria-hidden": "true" }, signOf(f)), f.key);
  const row = el("tr", { role: "row", class: `field ${tone ? "tone-" + tone : "same"}${differs(f) ? " differs" : ""}${f.wanted ? " wanted" : ""}${isLeaf(f) ? "" : " inner"}`, "--depth": String(f.depth) },
    el("th", { role: "rowheader", scope: "row" }, why),
    valueCells(f, table.versions, old, now),
    el("td", { role: "cell", class: "why" },
      [...new Set(f.reasons.map((r) => r.reason))].map((r, i) => pill(r, f.reasons[i].owners)), tallyMarks(f.findings)));
  return row;
}

function signOf(f) {
  if (f.wanted && !f.reason) return f.cells[CONFIG] ? f.cells[LIVE] ? "±" : "+" : "−";
  if (!f.reason || !isLeaf(f) && !f.reasons.length) return "";
  if (f.cells[LIVE] === null && f.cells[RESULT] !== null) return "+";
  if (f.cells[LIVE] !== null && f.cells[RESULT] === null && f.reason !== "conflict") return "−";
  return reasons[f.reason].sign;
}

// toggleWhy shows below a row all that is known of the field, or hides it.
function toggleWhy(button, f, part, columns) {
  const row = button.closest("tr"), open = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!open));
  if (open) {
    row.nextElementSibling.remove();
    return;
  }
  linkPlace(f.path);
  row.after(el("tr", { role: "row", class: "explained" }, el("td", { role: "cell", colspan: String(columns) }, explanation(f, part))));
}

function explanation(f, part) {
  const lines = [["field", copyable(f.path)]];
  for (const r of f.reasons) {
    lines.push(["why", [pill(r.reason, r.owners), " ", r.explanation || reasons[r.reason].what]]);
    if (r.line) lines.push(["at", el("code", {}, `${part.file}:${r.line}:${r.column}`)]);
  }
  if (!f.reasons.length && f.reason) lines.push(["why", [pill(f.reason), " as a part of what is around it"]]);
  if (f.wanted && !f.reason) lines.push(["why", f.cells[CONFIG] ? "changed in the manifest; the object is rejected" : "removed from the manifest; the object is rejected"]);
  else if (!f.reason) lines.push(["why", f.cells[RESULT] ? "the apply changes nothing here" : "no part of the result"]);
  for (const m of f.owners) lines.push(["owner", managerText(m)]);
  if (part.managers && !f.owners.length && f.cells[LIVE] && isLeaf(f)) lines.push(["owner", "nobody, by the live object's managedFields"]);
  for (const x of f.findings) lines.push(["finding", el("a", { href: "#", onclick: (e) => { e.preventDefault(); showFinding(x); } }, `${severities[x.severity].sign} ${x.severity}: ${x.message}`)]);
  return el("dl", {}, lines.map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]));
}

// fieldsView is the table; fields in which nothing happens are folded away
// unless all are wanted.
function fieldsView(part, o, all) {
  const fields = fieldsOf(part, o);
  if (!fields.length) return el("p", { class: "empty" }, "There are no fields to compare.");
  const there = versions.map((_, v) => fields.some((f) => f.cells[v]));
  const table = { versions: [LAST, CONFIG, LIVE, RESULT].filter((v) => there[v]) };
  table.columns = table.versions.length + 2;
  const body = el("tbody", { role: "rowgroup" });
  const groups = [];
  for (const f of fields) {
    const folded = !all && (f.hides || !f.notable && !f.open && !f.parent?.findings.length);
    if (folded && f.parent?.whole && f.parent.all.length === 1) continue; // its row says it
    if (folded && groups.at(-1)?.folded && Boolean(f.hides) !== Boolean(groups.at(-1).fields[0].hides)) groups.push({ folded, fields: [f] });
    else if (folded && groups.at(-1)?.folded) groups.at(-1).fields.push(f);
    else if (folded) groups.push({ folded, fields: [f] });
    else groups.push({ fields: [f] });
  }
  const isFolded = (g) => g.folded && (g.fields.length > 1 || !isLeaf(g.fields[0]) || isLong(g.fields[0]) || g.fields[0].hides);
  const groupRows = (g) => (isFolded(g) ? foldRow(g, part, table) : g.fields.map((f) => fieldRow(f, part, table)));
  const rowsOf = (g) => [groupRows(g), g.folded ? [] : g.fields.flatMap((f) => f.findings).map((x) =>
    el("tr", { role: "row", class: "found" }, el("td", { role: "cell", colspan: String(table.columns) }, findingCard(x, !x.add))))].flat();
  slowly(groups, 400, "row", (some) => body.append(...some.flatMap(rowsOf)),
    (button) => body.appendChild(el("tr", { role: "row" }, el("td", { role: "cell", colspan: String(table.columns) }, button))));
  // A column is as wide as what it has, within limits.
  const keyWidth = Math.min(52, Math.max(20, ...groups.filter((g) => !isFolded(g)).flatMap((g) => g.fields).map((f) => 2 * f.depth + f.key.length + 6)));
  const widths = table.versions.map((v) => Math.max(versions[v].name.length + 4, ...fields.map((f) => {
    const c = (all || f.notable) && !isLong(f) ? f.cells[v] : null;
    return c && (f.whole || !c.parts) ? Math.min(20, f.whole ? inside(f, v).length : shown(c.value).length) + 4 : 0;
  })));
  const whyWidth = Math.min(30, Math.max(17, ...fields.flatMap((f) => f.reasons.map((r) => [r.reason, ...(r.owners ?? [])].join(", ").length + 2))));
  return el("table", { role: "table", class: `fields columns-${table.versions.length}`, "aria-label": `Fields of ${o.name}` },
    el("colgroup", {}, [keyWidth, ...widths, whyWidth].map((w, _, all) => el("col", { "--share": String(w / all.reduce((x, y) => x + y)) }))),
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, el("th", { role: "columnheader", scope: "col" }, "field"),
      table.versions.map((v) => el("th", { role: "columnheader", scope: "col", title: versions[v].what }, versions[v].name)),
      el("th", { role: "columnheader", scope: "col" }, "reason"))),
    body);
}

function foldRow(g, part, table) {
  const leaves = g.fields.filter(isLeaf).length || g.fields.length;
  const row = el("tr", { role: "row", class: "fold", "--depth": String(g.fields[0].depth) }, el("td", { role: "cell", colspan: String(table.columns) },
    el("button", { type: "button", class: "more", onclick: () => {
      const rows = g.fields.map((f) => fieldRow(f, part, table));
      row.replaceWith(...rows);
      rows[0].querySelector("button.key").focus();
    } }, `⋯ ${count(leaves, "field")} ${g.fields[0].hides ? "of it" : table.versions.includes(RESULT) ? "without change" : "more"}`)));
  return row;
}

// findingsAtFields are those that stand below the rows of their fields.
const findingsAtFields = (part, o) => new Set(part.rows.length ? fieldsOf(part, o).flatMap((f) => f.findings) : []);
