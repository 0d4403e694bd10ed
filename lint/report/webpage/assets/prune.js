// What prune deletes, and what goes with it, as a tree.
const byName = Map.groupBy(objects, (o) => o.base ?? o.object);

// branches makes a tree of the list of what goes with an object.
function branches(takes) {
  const root = { below: [] }, above = [root];
  for (const t of takes ?? []) {
    const node = { ...t, below: [] };
    above[t.depth - 1].below.push(node);
    above[t.depth] = node;
    above.length = t.depth + 1;
  }
  return root.below;
}

function pruneTree(c, linked) {
  const o = byName.get(c.object)?.[0], takes = branches(c.takes);
  return el("li", {},
    el("div", { class: "node" }, el("span", { class: `sign tone-${c.fate === "pruned" ? "del" : "keep"}` }, c.fate === "pruned" ? "−" : "="), " ",
      linked && o ? objectLink(o) : el("code", {}, c.object), " ",
      el("span", { class: "muted" }, c.why)),
    c.manifest ? el("p", { class: "tone-stop note" }, `! its manifest is in ${c.manifest}, outside this set of manifests: run the apply on the whole set`) : null,
    c.lastFile ? el("p", { class: "muted note" }, `it was in ${c.lastFile}`) : null,
    takes.length ? el("p", { class: "note" }, `takes ${count(c.takes.length, "more object")} along`) : null,
    takes.length ? branchList(takes) : null);
}

function branchList(nodes) {
  const place = el("ul", { class: "tree" });
  slowly(nodes, 100, "object", (some) => place.append(...some.map((n) => el("li", {},
    n.below.length ? el("details", { open: n.below.length <= 20 }, el("summary", {}, node(n), el("span", { class: "muted" }, ` (${n.below.length})`)), branchList(n.below)) : node(n)))),
  (button) => place.appendChild(el("li", {}, button)));
  return place;
}

const node = (n) => [el("span", { class: "tone-del sign" }, "−"), " ", el("code", {}, n.object), " ", el("span", { class: "muted" }, n.why)];

function pruneView() {
  const all = index.prune ?? [], pruned = all.filter((c) => c.fate === "pruned"), taken = new Set(pruned.flatMap((c) => (c.takes ?? []).map((t) => t.object)));
  const stays = all.filter((c) => c.fate !== "pruned" && !taken.has(c.object));
  const trees = (some) => {
    const place = el("ul", { class: "tree roots" });
    slowly(some, 100, "object", (part) => place.append(...part.map((c) => pruneTree(c, true))), (button) => place.appendChild(el("li", {}, button)));
    return place;
  };
  return [
    pruned.length ? trees(pruned) : el("p", {}, "Prune would delete nothing."),
    stays.length ? el("details", {}, el("summary", {}, `${count(stays.length, "object")} that prune looks at and leaves`), trees(stays)) : null,
  ];
}
