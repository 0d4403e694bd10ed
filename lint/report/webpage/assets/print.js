// On paper there is nothing to press: the verdict, the dangers, and the differences of the
// objects that the list shows, those in which the same changes once. What is created is a
// line, and a long difference is cut; the end says what is left out.
const mostPrinted = 200, mostLines = 80;

addEventListener("beforeprint", () => {
  const place = el("div", { id: "print", role: "main" }), left = [];
  place.append(el("h1", {}, "threeway review"), el("p", { class: "muted" }, [index.about, index.rehearsed].filter(Boolean).join(" · ")), ...[overview(true)].flat(Infinity).filter(Boolean));
  if (list.text) place.append(el("p", {}, "Only objects that match: ", el("code", {}, list.text)));
  const worth = list.shown.filter((o) => o.differs || o.findings.length || o.action === "rejected" || o.action === "pruned");
  const read = worth.filter((o) => partOf(o.index) !== null), groups = alike(read);
  let lines = 0;
  for (const [o, ...others] of groups.slice(0, mostPrinted)) {
    const part = partOf(o.index), text = o.action !== "created" && o.action !== "pruned" && part.rows.length ? linesView(part, o, false) : null;
    part.file = (o.place ?? "").replace(/:\d+$/, "");
    const cut = [...(text?.querySelectorAll("tr.line") ?? [])].slice(mostLines);
    for (const row of cut) row.remove();
    if (cut.length) text.querySelector("tbody").append(el("tr", { role: "row", class: "hunk" }, el("td", { role: "cell", colspan: "5" }, `⋯ ${count(cut.length, "more line")}, not printed`)));
    lines += cut.length;
    place.append(el("section", { class: "sheet" },
      el("h2", {}, `${actions[o.action].sign} ${o.object || "The run as a whole"} `, el("span", { class: "muted" }, actions[o.action].title.toLowerCase(), " ", lineCounts(o), o.place ? ` ${o.place}` : "")),
      others.length ? el("p", {}, `The ${sameIn(others)}: ${others.map((o) => o.object).join(", ")}`) : null,
      part.rejection ? refusal(part, o) : null, deletion(o),
      [o, ...others].flatMap((o) => o.findings).filter((f) => !text?.querySelector(`[data-finding="${findings.indexOf(f)}"]`)).map((f) => findingCard(f, true)), o.differs ? text : null));
  }
  const created = read.filter((o) => o.action === "created").length;
  if (created) left.push(`the text of ${count(created, "created object")}`);
  if (lines) left.push(`${count(lines, "line")} of long differences`);
  if (groups.length > mostPrinted) left.push(`${count(groups.length - mostPrinted, "more object")} that change or have findings: filter the list first`);
  if (read.length < worth.length) left.push(`${count(worth.length - read.length, "object")} that were not read yet when this was printed`);
  if (list.shown.length > worth.length) left.push(`${count(list.shown.length - worth.length, "object")} in which nothing changes`);
  if (left.length) place.append(el("p", { class: "sheet" }, `Not printed: ${left.join("; ")}. The page has all of it, and threeway diff all differences.`));
  for (let more; (more = place.querySelector(".dangers button.more"));) more.click();
  for (const button of place.querySelectorAll("button.more")) button.replaceWith(...button.childNodes);
  for (const d of place.querySelectorAll(".finding, .refusal, .others, .tree details")) d.open = true;
  // A browser takes minutes, or for ever, to name each of many small parts in a PDF.
  for (const e of place.querySelectorAll(".code [class^=yaml-]")) e.replaceWith(...e.childNodes);
  for (const e of place.querySelectorAll(".code wbr")) e.remove();
  place.normalize();
  for (const e of place.querySelectorAll("[id]")) e.removeAttribute("id");
  document.body.append(place);
});

addEventListener("afterprint", () => document.getElementById("print")?.remove());
