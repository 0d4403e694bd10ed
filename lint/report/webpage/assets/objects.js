// The list of objects, of which only those in sight are in the page.
const rowHeight = 46, headHeight = 30;

const list = {
  text: "",
  query: parseQuery(""),
  rows: [], // of the list: heads of groups and objects
  tops: [0], // of the rows, and the height of all
  shown: [], // the objects that match, in the order of the list
  selected: -1,
};

function filterObjects(text) {
  list.text = text;
  list.query = parseQuery(text);
  const test = matcher(list.query), groups = new Map(actionNames.map((a) => [a, []]));
  for (const o of objects) if (test(o)) groups.get(o.action).push(o);
  list.rows = [];
  list.shown = [];
  list.tops = [0];
  let top = 0;
  const add = (row, height) => { list.rows.push(row); list.tops.push(top += height); };
  for (const [action, members] of groups) {
    if (!members.length) continue;
    members.sort((a, b) => b.rank - a.rank || (b.danger ?? 0) - (a.danger ?? 0) || Number(b.differs ?? false) - Number(a.differs ?? false) || a.index - b.index);
    add({ action, members }, headHeight);
    for (const o of members) {
      o.at = list.rows.length;
      o.position = list.shown.length;
      add({ object: o }, rowHeight);
      list.shown.push(o);
    }
  }
  box.hidden = list.rows.length === 0;
  nothing.hidden = !box.hidden;
}

// rowAt finds the row at a height.
function rowAt(y) {
  let low = 0, high = list.rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list.tops[middle] <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

// openApart opens an object of the list in a tab of its own: an option is no link.
const openApart = (option) => open(linkTo(objects[option.dataset.index]), "_blank", "noopener");

const box = el("div", {
  id: "objects", class: "objects", role: "listbox", tabindex: "0", "aria-label": "Objects",
  onscroll: () => drawList(), onkeydown: listKeys, onclick: (e) => {
    const option = e.target.closest("[role=option]");
    if (option && (e.ctrlKey || e.metaKey)) openApart(option);
    else if (option) openObject(Number(option.dataset.index));
  },
  onauxclick: (e) => {
    const option = e.target.closest("[role=option]");
    if (option && e.button === 1) openApart(option);
  },
});
const inner = el("div", { class: "inner", role: "presentation" });
box.append(inner);
const nothing = el("p", { class: "empty" }, "No object matches.");

function drawList() {
  const from = Math.max(0, rowAt(box.scrollTop) - 6), to = Math.min(list.rows.length, rowAt(box.scrollTop + box.clientHeight) + 8);
  inner.style.setProperty("height", `${list.tops[list.rows.length]}px`);
  inner.replaceChildren(...list.rows.slice(from, to).map((row, i) => {
    const e = row.object ? objectRow(row.object) : headRow(row);
    e.style.setProperty("top", `${list.tops[from + i]}px`);
    return e;
  }));
  const selected = objects[list.selected];
  if (selected && inner.querySelector(`#option-${list.selected}`)) box.setAttribute("aria-activedescendant", `option-${list.selected}`);
  else box.removeAttribute("aria-activedescendant");
}

const headRow = ({ action, members }) => el("div", { class: "group", role: "presentation", title: actions[action].what },
  actions[action].title, " ", el("span", { class: "muted" }, grouped(members.length)),
  el("span", { class: "end" }, tallyMarks(members.flatMap((o) => o.findings))));

function objectRow(o) {
  return el("div", {
    class: viewed.has(o) ? "object viewed" : "object", role: "option", id: `option-${o.index}`, "data-index": String(o.index),
    "aria-selected": String(o.index === list.selected), "aria-setsize": String(list.shown.length), "aria-posinset": String(o.position + 1),
  },
  actionMark(o.action),
  el("span", { class: "name", title: o.object }, o.name || "the run as a whole", hidden(`, ${actions[o.action].title}${viewed.has(o) ? ", viewed" : ""}`)),
  el("span", { class: "end" }, tallyMarks(o.findings)),
  el("span", { class: "what" }, [o.kind, o.namespace, onClusters(o)].filter(Boolean).join(" · ")),
  el("span", { class: "lines" }, lineCounts(o)));
}

const lineCounts = (o) => [
  o.added ? el("span", { class: "tone-add" }, `+${o.added}`) : null, " ",
  o.removed ? el("span", { class: "tone-del" }, `−${o.removed}`) : null,
];

function listKeys(e) {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const page = Math.max(1, Math.floor(box.clientHeight / rowHeight) - 1);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
  if (e.key in steps) {
    e.preventDefault();
    e.stopPropagation();
    moveBy(steps[e.key]);
  } else if (e.key === "Enter" && list.selected >= 0) {
    e.preventDefault();
    openObject(list.selected, true);
  }
}

// moveBy selects an object further on in the list.
function moveBy(n) {
  if (!list.shown.length) return;
  const o = objects[list.selected], at = o && list.shown[o.position] === o ? o.position : n > 0 ? -1 : list.shown.length;
  openObject(list.shown[Math.min(list.shown.length - 1, Math.max(0, at + n))].index, false, true);
}

// reveal scrolls the selected object into sight.
function reveal() {
  const o = objects[list.selected];
  if (!o || list.shown[o.position] !== o) return;
  const top = list.tops[o.at], bottom = top + rowHeight;
  if (top < box.scrollTop) box.scrollTop = top - headHeight;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}
