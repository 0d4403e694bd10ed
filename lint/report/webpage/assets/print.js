// On paper there is nothing to press: all objects that the list shows are laid
// out with their findings and differences, up to as many as anyone would print.
const mostPrinted = 200;

addEventListener("beforeprint", () => {
  const place = el("div", { id: "print", role: "main" });
  const worth = list.shown.filter((o) => o.differs || o.findings.length || o.action === "rejected" || o.action === "pruned");
  place.append(el("h1", {}, "threeway review"), ...[overview()].flat(Infinity).filter(Boolean));
  if (list.text) place.append(el("p", {}, "Only objects that match: ", el("code", {}, list.text)));
  const read = worth.filter((o) => partOf(o.index) !== null);
  for (const o of read.slice(0, mostPrinted)) {
    const part = partOf(o.index);
    part.file = (o.place ?? "").replace(/:\d+$/, "");
    place.append(el("section", { class: "sheet" },
      el("h2", {}, `${actions[o.action].sign} ${o.object || "The run as a whole"} `, el("span", { class: "muted" }, actions[o.action].title.toLowerCase())),
      o.place ? el("p", { class: "muted" }, el("code", {}, o.place)) : null,
      part.rejection ? refusal(part, o) : null, deletion(o),
      o.findings.filter((f) => !findingsAtLines(part, o).has(f)).map((f) => findingCard(f)),
      o.action === "pruned" || !part.rows.length ? null : linesView(part, o, false)));
  }
  const left = read.length - mostPrinted;
  if (left > 0) place.append(el("p", {}, `${count(left, "object")} more that change or have findings are not printed: filter the list first.`));
  if (read.length < worth.length) place.append(el("p", {}, `${count(worth.length - read.length, "object")} were not read yet when this was printed.`));
  for (const button of place.querySelectorAll("table button.more")) button.replaceWith(...button.childNodes);
  for (const d of place.querySelectorAll(".finding, .refusal, .tree details")) d.open = true;
  for (const e of place.querySelectorAll("[id]")) e.removeAttribute("id");
  document.body.append(place);
});

addEventListener("afterprint", () => document.getElementById("print")?.remove());
