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
  for (const f of part.fields) for (let p = f.notable ? f.parent : null; p && !p.open; p = p.parent) p.open = true;
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

const longestLines = 8, longestText = 500, longestTwice = 24;

function valueCell(f, which, shownVersions, marks) {
  const cell = f.cells[which], props = { role: "cell", class: `v${which}`, "data-version": versions[which].name };
  if (cell === null) return el("td", { ...props, class: `v${which} absent` }, el("span", { "aria-hidden": "true" }, "·"), hidden("absent"));
  if (cell.parts) return el("td", { ...props, class: `v${which} parts` }, hidden("has the fields below"));
  const text = shown(cell.value), value = el("div", { class: "value" });
  const same = text.length > longestTwice && which < LIVE ? [RESULT, LIVE].find((v) => shownVersions.includes(v) && f.cells[v]?.is === cell.is) : undefined;
  if (same !== undefined) return el("td", props, el("span", { class: "muted" }, `= ${versions[same].name}`));
  const fill = (part, spans = []) => value.replaceChildren(...textNodes(part, spans.filter((_, i) => spans[i & ~1] >= 0 && spans[i | 1] <= part.length)));
  const lines = text.split("\n");
  if (lines.length <= longestLines + 1 && text.length <= longestText + 100) {
    fill(text, marks);
    return el("td", props, value);
  }
  // A long text begins shortly before what differs.
  const from = marks?.length ? Math.max(0, lines.length > longestLines + 1 ? text.lastIndexOf("\n", marks[0] - 1) + 1 : marks[0] - 40) : 0;
  fill(text.slice(from).split("\n").slice(0, longestLines).join("\n").slice(0, longestText), marks?.map((m) => m - from));
  if (from > 0) value.prepend("… ");
  value.append(" …");
  return el("td", props, value, el("button", { type: "button", class: "more", onclick: (e) => { 
    const row = e.currentTarget.closest("tr");
    fill(text, marks);
    e.currentTarget.remove();
    row.querySelector("button.key").focus({ preventScroll: true });
  } },
    lines.length > longestLines + 1 ? `all ${lines.length} lines` : `all ${text.length.toLocaleString("en")} characters`));
}

const pill = (reason, owners) => el("span", { class: `pill tone-${reasons[reason].tone}`, title: reasons[reason].what },
  reason, owners?.length ? " " + owners.join(", ") : null);

// differing finds the parts of the live value and of the result that differ: words,
// or whole lines where there are several.
function differing(f) {
  const a = f.cells[LIVE], b = f.cells[RESULT];
  if (!differs(f) || a?.value === undefined || b?.value === undefined) return [];
  const x = shown(a.value), y = shown(b.value);
  return (x + y).includes("\n") ? [otherLines(x, y), otherLines(y, x)] : changedEnds(x, y);
}

// otherLines marks the lines of one text that the other does not have.
function otherLines(a, b) {
  const known = new Set(b.split("\n")), marks = [];
  let at = 0;
  for (const line of a.split("\n")) {
    if (!known.has(line) && line) marks.push(at, at + line.length);
    at += line.length + 1;
  }
  return marks;
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
    table.versions.map((v) => valueCell(f, v, table.versions, v === LIVE ? old : v === RESULT ? now : undefined)),
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
    const folded = !all && !f.notable && !f.open && !f.parent?.findings.length;
    if (folded && groups.at(-1)?.folded) groups.at(-1).fields.push(f);
    else if (folded) groups.push({ folded, fields: [f] });
    else groups.push({ fields: [f] });
  }
  const rowsOf = (g) => (g.folded && (g.fields.length > 1 || !isLeaf(g.fields[0])) ? foldRow(g, part, table) : g.fields.map((f) => fieldRow(f, part, table)));
  slowly(groups, 400, "row", (some) => body.append(...some.flatMap(rowsOf)),
    (button) => body.appendChild(el("tr", { role: "row" }, el("td", { role: "cell", colspan: String(table.columns) }, button))));
  return el("table", { role: "table", class: `fields columns-${table.versions.length}`, "aria-label": `Fields of ${o.name}` },
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
    } }, `⋯ ${count(leaves, "field")} ${table.versions.includes(RESULT) ? "without change" : "more"}`)));
  return row;
}
