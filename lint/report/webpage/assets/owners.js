// Who owns the fields of the live object.
const managerText = (m) => `${m.manager} (${m.operation}${m.subresource ? ", " + m.subresource : ""}${m.time ? ", " + m.time : ""})`;

function ownersView(part, o) {
  if (!part.managers?.length) {
    return el("p", { class: "empty" }, o.action === "created" ? "Nobody owns anything yet: the object is not live." :
      "The snapshot does not say: export it with --show-managed-fields.");
  }
  const fields = fieldsOf(part, o), owned = new Map(part.managers.map((m) => [m, []]));
  for (const f of fields) for (const m of f.owners) owned.get(m).push(f);
  return el("table", { role: "table", class: "owners", "aria-label": `Owners of ${o.name}` },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ["manager", "operation", "last write", "fields", "the manifest sets too"].map((t) => el("th", { role: "columnheader", scope: "col" }, t)))),
    el("tbody", { role: "rowgroup" }, part.managers.map((m) => {
      const all = owned.get(m), shared = all.filter((f) => f.cells[CONFIG] && !f.cells[CONFIG].parts);
      const other = shared.filter((f) => f.cells[CONFIG].is !== f.cells[LIVE]?.is);
      return el("tr", { role: "row" },
        el("th", { role: "rowheader", scope: "row" }, m.manager),
        el("td", { role: "cell" }, m.operation, m.subresource ? ` of ${m.subresource}` : "", el("div", { class: "muted" }, m.apiVersion)),
        el("td", { role: "cell", class: "nowrap" }, m.time ?? "unknown"),
        el("td", { role: "cell" }, pathList(all, `${all.length}`)),
        el("td", { role: "cell" }, shared.length ? pathList(shared, `${shared.length}${other.length ? `, ${other.length} of them to another value` : ", all to the value they have"}`) : "none"));
    })));
}

// pathList is a number that opens into the paths that it counts.
function pathList(fields, text) {
  if (!fields.length) return "0";
  const place = el("div", { class: "paths", tabindex: "0", role: "group", "aria-label": "Fields" });
  return el("details", { ontoggle: (e) => {
    if (!e.currentTarget.open || place.firstChild) return;
    slowly(fields, 200, "field", (some) => place.append(...some.map((f) => el("code", {}, f.path))), (button) => place.appendChild(button));
  } }, el("summary", {}, text), place);
}
