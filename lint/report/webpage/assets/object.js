// One object: what happens to it, what was found, and its views.
const views = {
  fields: { title: "Fields", of: (part, o) => fieldsView(part, o, options.all) },
  diff: { title: "Diff", of: (part, o) => linesView(part, o, options.split && !narrow.matches) },
  owners: { title: "Owners", of: (part, o) => ownersView(part, o) },
  patch: { title: "Patch", of: (part) => patchView(part) },
};
const viewNames = Object.keys(views);
const options = { view: "fields", all: false, split: false };
const narrow = matchMedia("screen and (max-width: 760px)");

function objectPage(i) {
  const o = objects[i], part = partOf(i);
  const head = [
    el("div", { class: "crumbs" }, el("span", {}, [o.kind, part?.apiVersion, o.namespace, onClusters(o)].filter(Boolean).join(" · ")),
      worthViewing(o) ? toggle("Viewed", viewed.has(o), "v", () => viewed.toggle(o)) : null),
    el("h2", { tabindex: "-1", id: "heading" }, o.action ? el("span", { class: `badge tone-${actions[o.action].tone}` }, actions[o.action].sign + " " + actions[o.action].title.toLowerCase()) : null, " ", o.name || "The run as a whole"),
  ];
  if (!part) return [head, unread()];
  part.file = (o.place ?? "").replace(/:\d+$/, "");
  return [
    head,
    el("p", { class: "muted facts" }, o.place ? el("code", {}, o.place) : null, part.template ? [" from ", el("code", {}, part.template)] : null,
      o.action ? [" ", o.unseen ? `has ${bookkeeping}` : actions[o.action].what, ". ", lineCounts(o)] : null),
    o.impact?.length ? el("ul", { class: "lines impact" }, o.impact.map((line) => el("li", {}, line))) : null,
    part.warnings?.length ? el("ul", { class: "lines" }, part.warnings.map((w) => el("li", {}, "Warning: ", w))) : null,
    deletion(o),
    o.findings.length ? findingsView(o.findings, options.view === "diff" ? findingsAtLines(part, o) : options.view === "fields" ? findingsAtFields(part, o) : new Set()) : null,
    part.rejection ? refusal(part, o) : null,
    part.rows.length ? [tabs(), el("div", { role: "tabpanel", id: "panel", "aria-labelledby": `tab-${options.view}`, tabindex: options.view === "fields" ? null : "0" }, panel(part, o))] : null,
  ];
}

// refusal is what kubectl would say, which a finding says better if there is one.
function refusal(part, o) {
  return el("details", { class: "refusal tone-stop", open: !o.findings.some((f) => f.severity === "error") },
    el("summary", {}, el("strong", {}, "! kubectl would say")), el("pre", {}, part.rejection),
    (part.causes ?? []).length ? el("ul", {}, part.causes.map((c) => el("li", {}, el("code", {}, `${part.file}:${c.line}:${c.column}`), " ", el("code", {}, c.field)))) : null);
}

function deletion(o) {
  const c = (index.prune ?? []).find((candidate) => candidate.object === o.object);
  return c && o.action === "pruned" ? el("ul", { class: "tree roots" }, pruneTree(c, false)) : null;
}

function patchView(part) {
  if (!part.patch) return el("p", { class: "empty" }, "kubectl would send nothing.");
  return el("figure", {}, el("figcaption", { class: "muted" }, "What kubectl would send: ", el("code", {}, part.patchType)), el("pre", { class: "patch" }, part.patch));
}

function tabs() {
  return el("div", { class: "tabs" },
    el("div", { role: "tablist", "aria-label": "Views", onkeydown: tabKeys }, viewNames.map((v, i) => el("button", {
      type: "button", role: "tab", id: `tab-${v}`, "aria-selected": String(v === options.view), "aria-controls": "panel",
      tabindex: v === options.view ? "0" : "-1", onclick: () => showView(v, true), "aria-keyshortcuts": String(i + 1),
    }, views[v].title))),
    options.view === "fields" ? toggle("All fields", options.all, "a", () => setOption("all", !options.all)) : null,
    options.view === "fields" ? toggle("Explain all", false, "e", explainAll) : null,
    options.view === "diff" && !narrow.matches ? toggle("Side by side", options.split, "u", () => setOption("split", !options.split)) : null);
}

const toggle = (text, on, key, act) => el("button", { type: "button", class: "toggle", "aria-pressed": String(on), "aria-keyshortcuts": key, onclick: act, title: `key ${key}` }, text);

function panel(part, o) {
  return views[options.view].of(part, o);
}

function tabKeys(e) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  if (!step) return;
  e.preventDefault();
  showView(viewNames[(viewNames.indexOf(options.view) + step + viewNames.length) % viewNames.length], true);
}

function showView(view, focus) {
  options.view = view;
  remember();
  drawMain();
  if (focus) document.getElementById(`tab-${view}`)?.focus();
}

function setOption(name, value) {
  options[name] = value;
  drawMain();
}

// explainAll opens the explanation of every field that changes, or closes them.
function explainAll() {
  const keys = [...document.querySelectorAll("#panel tr.field:not(.same) button.key")];
  const open = keys.some((k) => k.getAttribute("aria-expanded") === "false");
  for (const k of keys) if ((k.getAttribute("aria-expanded") === "false") === open) k.click();
}

// showFinding opens the object of a finding and goes to its card.
function showFinding(f) {
  openObject(f.of.index);
  linkPlace(findingPlace(f));
  for (let i = 0; i < 50; i++) {
    const card = document.querySelector(`[data-finding="${findings.indexOf(f)}"]`);
    const more = document.querySelector(".findings > button.more, #panel tbody > tr:last-child > td:only-child > button.more");
    if (card || !more) {
      if (card) card.open = true;
      (card?.querySelector("summary") ?? document.getElementById("heading")).focus();
      card?.scrollIntoView({ block: "nearest" });
      return;
    }
    more.click();
  }
}
