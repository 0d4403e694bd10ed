// Several clusters: an object is in the list once for all on which the same happens
// to it.
const clusterNames = (index.clusters ?? []).map((c) => c.name);

// onClusters names those of an object, if it is not the same on all of them.
const onClusters = (o) => (o.clusters?.length ? `${index.overlays ? "in" : "on"} ${among(o.clusters)}` : "");

// among names some clusters, by the others if those are fewer.
function among(names) {
  const others = clusterNames.filter((c) => !names.includes(c));
  const noun = index.overlays ? "overlays" : "clusters";
  if (!others.length && names.length > 1) return names.length === 2 ? `both ${noun}` : `all ${names.length} ${noun}`;
  return others.length && others.length < names.length && clusterNames.length > 3 ? `all ${noun} but ${others.join(", ")}` : names.join(", ");
}

// clusterPlans is the verdict and the plan line of each cluster, the worst first, once for all
// that have the same.
const rank = (same) => Object.keys(levels).indexOf(same[0].verdict.level);
const clusterPlans = () => [...Map.groupBy(index.clusters, (c) => `${c.verdict.text}\n${c.line}\n${c.rehearsed}`).values()].sort((a, b) => rank(a) - rank(b)).map((same) => [
  el("p", { class: `verdict tone-${levels[same[0].verdict.level].tone}` }, el("span", { class: "sign", "aria-hidden": "true" }, levels[same[0].verdict.level].sign), " ", el("b", {}, among(same.map((c) => c.name))), ": ", same[0].verdict.text),
  el("p", { class: "plan" }, planPhrases(same[0].line, same.length < index.clusters.length ? same.map((c) => c.name) : [])), el("p", { class: "muted" }, same[0].rehearsed)]);

// namespaces are those that all objects of an overlay are in.
const namespaces = new Map((index.clusters ?? []).filter((c) => c.namespace).map((c) => [c.name, c.namespace + "/"]));

// rowOf is the name of an object, in overlays with a namespace each without it.
function rowOf(o) {
  const name = o.base ?? o.object, namespace = namespaces.get(o.clusters?.[0]) ?? "";
  return name.startsWith(namespace) ? name.slice(namespace.length) : name;
}

// byCluster is the table of objects by cluster, or by overlay.
function byCluster() {
  const rows = new Map();
  for (const o of objects) {
    const name = rowOf(o);
    if (!rows.has(name)) rows.set(name, []);
    rows.get(name).push(o);
  }
  const said = (o) => o.differs || o.findings.length > 0 || !["unchanged", "configured"].includes(o.action);
  const some = [...rows].filter(([, list]) => list.some(said)).map(([name, list]) => ({ name, cells: clusterNames.map((c) => list.find((o) => !o.clusters?.length || o.clusters.includes(c))) }));
  if (!some.length) return null;
  // Clusters on which the same happens to every object share a column; of many overlays, whose objects have
  // names of their own, those that look the same.
  const cellKey = (o) => o && (index.overlays && clusterNames.length > 6 ? [o.action, o.differs, o.findings.length] : o.index);
  const columns = [...Map.groupBy(clusterNames, (_, i) => some.map((r) => cellKey(r.cells[i])).join()).values()];
  const same = ({ cells }) => cells.every((o) => o === cells[0]);
  const table = (some) => {
    const body = el("tbody", {}), place = el("div", { class: "by-cluster" });
    place.append(el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Object"), columns.map((c) => el("th", { scope: "col" }, among(c))))), body));
    slowly(some, 50, "object", (portion) => body.append(...portion.map(({ name, cells }) => el("tr", {},
      el("th", { scope: "row" }, name || "the run as a whole"), columns.map((c) => el("td", { "data-label": among(c) + ": " }, clusterCell(cells[clusterNames.indexOf(c[0])])))))),
    (button) => place.appendChild(button));
    return place;
  };
  const other = some.filter((r) => !same(r)), equal = some.filter(same);
  return section(index.overlays ? "By overlay" : "By cluster", other.length ? table(other) : null,
    equal.length ? el("details", { class: "others", open: !other.length }, el("summary", {}, `${count(equal.length, "object")}: the same on ${among(clusterNames)}`), table(equal)) : null);
}

function clusterCell(o) {
  if (!o) return "-";
  const same = o.action === "configured" && !o.differs ? "unchanged" : o.action === "configured" ? "changed" : o.action;
  return [el("a", { href: linkTo(o), onclick: (e) => { e.preventDefault(); openObject(o.index, true); } }, actionMark(same === "unchanged" ? same : o.action), " ", same || "findings"), " ", tallyMarks(o.findings)];
}
