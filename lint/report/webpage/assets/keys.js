// Keys that work wherever nothing is being typed.
const keys = [
  ["/", "search", () => document.getElementById("search").focus()],
  ["j", "next object", () => moveBy(1)],
  ["k", "previous object", () => moveBy(-1)],
  ["o", "overview", () => openObject(-1, true)],
  ["Enter", "from the list into the object"],
  ["n", "next change of the object", () => nextChange(1)],
  ["p", "previous change of the object", () => nextChange(-1)],
  ...viewNames.map((v, i) => [String(i + 1), `view: ${views[v].title.toLowerCase()}`, () => list.selected >= 0 && showView(v, true)]),
  ["a", "all fields, or those that change", () => options.view === "fields" && setOption("all", !options.all)],
  ["e", "explain all changes, or none", () => options.view === "fields" && explainAll()],
  ["u", "side by side, or unified", () => options.view === "diff" && setOption("split", !options.split)],
  ["v", "viewed, or not", () => list.selected >= 0 && worthViewing(objects[list.selected]) && viewed.toggle(objects[list.selected])],
  ["t", "theme: system, light, dark", () => nextTheme()],
  ["?", "this help", () => help.showModal()],
  ["Escape", "leave the search; back to the list", () => (document.activeElement?.closest("main") ? box : document.body).focus()],
];

addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || help.open) return;
  const typing = e.target.closest?.("input, select, textarea");
  if (typing) {
    if (e.key === "Escape") typing.blur();
    if (e.key === "Enter" && typing.id === "search") box.focus();
    return;
  }
  const act = keys.find(([key]) => key === e.key)?.[2];
  if (!act) return;
  e.preventDefault();
  act();
});

// nextChange moves the focus from change to change of the view.
function nextChange(step) {
  const all = [...document.querySelectorAll("#panel tr.field:not(.same) button.key, #panel tr.line:has(td.code[class*=tone])")];
  if (!all.length) return;
  const here = all.indexOf(document.activeElement);
  const to = all[here < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, here + step))];
  if (to.tagName === "TR") to.tabIndex = -1;
  to.focus();
  to.scrollIntoView({ block: "nearest" });
}

const help = el("dialog", { "aria-labelledby": "help-title", onclick: (e) => { if (e.target === help) help.close(); } },
  el("form", { method: "dialog" }, el("button", { class: "close", "aria-label": "Close" }, el("span", { "aria-hidden": "true" }, "✕"))),
  el("h2", { id: "help-title" }, "How to read this page"),
  el("div", { class: "columns" },
    el("div", {}, el("h3", {}, "Keys"), el("dl", { class: "keys" }, keys.map(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)]))),
    el("div", {}, el("h3", {}, "Reasons"), el("dl", { class: "keys" }, Object.entries(reasons).map(([r, { what }]) => [el("dt", {}, pill(r)), el("dd", {}, what)]))),
    el("div", {}, el("h3", {}, "Search"),
      el("p", {}, "Words that must all occur: in names, files, managers, the paths and values that change, and findings. Or filters:"),
      el("ul", { class: "lines" }, ["kind:Deployment", "namespace:shop", "action:rejected", "reason:cleared", "rule:selector-change", "severity:error",
        "manager:kube-controller-manager", "name:web-*", "file:deploy/*", "is:changed", "-kind:Secret"].map((q) => el("li", {}, el("code", {}, q)))),
      el("p", {}, "The same filter twice means either; a minus means not; * stands for anything. The address of the page keeps search, object, and the field or line that was pressed."),
      el("p", {}, "Printing lays out all objects of the list that change or have findings."))));
