// The frame of the page, and its state, which the address keeps.
const main = el("main", { id: "main", tabindex: "-1" });

const search = el("input", {
  id: "search", type: "search", autocomplete: "off", spellcheck: "false", "aria-label": "Search objects", "aria-keyshortcuts": "/",
  placeholder: "Search", oninput: () => { setQuery(search.value, true); },
});

const selects = Object.entries(facets).map(([key, { label }]) => el("select", {
  "aria-label": label, "data-key": key, onchange: (e) => setQuery(withFilter(list.text, key, e.target.value === "*" ? null : e.target.value.slice(1))),
}));

const status = el("p", { class: "status", role: "status" });
const themeButton = el("button", { type: "button", class: "quiet", onclick: () => nextTheme(), "aria-keyshortcuts": "t" });

function frame() {
  document.body.append(
    el("a", { class: "skip", href: "#main", onclick: (e) => { e.preventDefault(); document.getElementById("heading").focus(); } }, "Skip to the object"),
    el("header", {},
      el("h1", {}, el("button", { type: "button", class: "home", onclick: () => openObject(-1, true) }, el("span", { class: "mark" }), "threeway review")),
      el("p", { class: "summary" }, [index.about, index.rehearsed].filter(Boolean).join(" · ")),
      themeButton,
      el("button", { type: "button", class: "quiet", onclick: () => help.showModal(), "aria-keyshortcuts": "?" }, "Help", el("kbd", { "aria-hidden": "true" }, "?"))),
    el("nav", { "aria-label": "Objects" },
      el("form", { role: "search", onsubmit: (e) => e.preventDefault() }, search, el("div", { class: "selects" }, selects)),
      el("div", { class: "bar-line" }, status, el("button", { type: "button", class: "quiet", id: "clear", onclick: () => { setQuery(""); search.focus(); } }, "Clear")),
      box, nothing),
    main, help);
}

// setQuery filters the list. What is typed is left alone, and what follows from
// it for the choices and the address waits for a pause.
function setQuery(text, typed) {
  if (!typed) search.value = text;
  filterObjects(text);
  drawStatus();
  document.getElementById("clear").hidden = text === "";
  markHits();
  for (const e of document.querySelectorAll("[data-query]")) e.setAttribute("aria-pressed", String(e.dataset.query === text));
  box.scrollTop = 0;
  reveal();
  drawList();
  if (!typed) showPane("list");
  clearTimeout(setQuery.pause);
  setQuery.pause = setTimeout(settle, typed ? 120 : 0);
}

function drawStatus() {
  const worth = objects.filter(worthViewing), done = worth.filter(viewed.has).length;
  status.textContent = (list.shown.length === objects.length ? count(objects.length, "object") : `${grouped(list.shown.length)} of ${count(objects.length, "object")}`) +
    (done ? `, ${done} of ${grouped(worth.length)} viewed` : "");
}

function settle() {
  drawChoices();
  remember();
}

function drawChoices() {
  for (const select of selects) {
    const key = select.dataset.key, chosen = list.query.filters.get(key), all = choices(key, list.query);
    const one = chosen && chosen.any.length === 1 && !chosen.none.length ? all.find((c) => c.value.toLowerCase() === chosen.any[0]) ?? { value: chosen.any[0], n: 0 } : null;
    select.replaceChildren(
      el("option", { value: "*" }, chosen && !one ? `${facets[key].label}: several` : facets[key].label),
      ...(one && !all.includes(one) ? [one] : []).concat(all).map((c) => el("option", { value: "=" + c.value }, `${c.value || "(none)"} (${grouped(c.n)})`)));
    select.value = one ? "=" + one.value : "*";
    select.classList.toggle("chosen", Boolean(chosen));
    select.disabled = !all.length && !chosen;
  }
}

// openObject shows an object, or the overview for -1. Walking from object to object is
// one step for the back button.
function openObject(i, focus, walking) {
  const before = list.selected;
  list.selected = i;
  options.place = options.missing = null;
  reveal();
  drawList();
  drawMain();
  main.scrollTop = 0;
  showPane("main");
  remember(before !== i && !(walking && before >= 0));
  if (focus || document.activeElement.dataset.path) document.getElementById("heading").focus({ preventScroll: true });
}

// showPane chooses what a narrow screen shows: the list, or what is beside it.
const showPane = (pane) => { document.body.dataset.pane = pane; };

function drawMain() {
  const top = main.scrollTop, inside = main.contains(document.activeElement), was = document.activeElement;
  const back = el("button", { type: "button", class: "back quiet", onclick: () => { showPane("list"); drawList(); box.focus(); } }, "← All objects");
  main.replaceChildren(...[back, list.selected >= 0 ? objectPage(list.selected) : overview()].flat(Infinity).filter(Boolean));
  if (top) main.scrollTop = top;
  // What had the focus is no more, so what stands in its place has it.
  if (inside && document.activeElement !== main) {
    const again = ["aria-keyshortcuts", "data-path"].filter((a) => was.hasAttribute(a)).map((a) => main.querySelector(`[${a}=${CSS.escape(was.getAttribute(a))}]`));
    (again[0] ?? document.getElementById("heading")).focus();
  }
  markHits();
  document.title = list.selected >= 0 ? `${objects[list.selected].name} – threeway review` : "threeway review";
}

// linkTo is the address of an object, or of a place in it.
const linkTo = (o, more) => "#" + new URLSearchParams({ o: o.base ?? o.object, n: String(o.index), ...more });

const findingPlace = (f) => `${f.rule} ${f.path ?? ""}`.trim();

// linkPlace puts a place of the object into the address: a field, L or R and a line of
// the difference, or a finding.
function linkPlace(place) {
  options.place = place;
  remember();
}

// showPlace goes to the place that the address says.
function showPlace(place) {
  const o = objects[list.selected], f = o?.findings.find((x) => findingPlace(x) === place);
  if (f) return showFinding(f);
  const find = () => document.querySelector(`[data-path="${CSS.escape(place)}"], [data-line="${CSS.escape(place)}"]`);
  if (!find() && options.view === "fields" && !options.all) setOption("all", true);
  const there = find();
  if (there?.dataset.path && there.getAttribute("aria-expanded") === "false") there.click();
  there?.closest("tr").classList.add("target");
  there?.scrollIntoView({ block: "center" });
}

// follows reports whether a text goes on in another node: behind a place where it may break,
// and in and behind a word that stays whole.
function follows(node, last) {
  const part = (n) => (n.parentElement.className === "nowrap" ? n.parentElement : n);
  const before = part(node).previousSibling, after = part(last);
  return before === after || (before?.nodeName === "WBR" && before.previousSibling === after);
}

// markHits marks what the search found in what is shown.
function markHits() {
  if (!CSS.highlights) return;
  const words = list.query.words.filter((w) => !w.not && w.text).map((w) => w.text), ranges = [];
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = words.length ? walker.nextNode() : null; node && ranges.length < 500;) {
    // A text is several nodes where it may break, and where it may not.
    const nodes = [];
    do {
      nodes.push({ node, from: nodes.length ? nodes.at(-1).to : 0 });
      nodes.at(-1).to = nodes.at(-1).from + node.data.length;
      node = walker.nextNode();
    } while (node && follows(node, nodes.at(-1).node));
    const all = nodes.map((n) => n.node.data).join(""), text = all.toLowerCase();
    const place = (at, end) => { const n = nodes.find((n) => (end ? at <= n.to : at < n.to)); return [n.node, at - n.from]; };
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0 && text.length === all.length; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(...place(at));
        range.setEnd(...place(at + word.length, true));
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set("hit", new Highlight(...ranges));
}

// remember writes the state into the address. A new object is a new entry of the
// history, so that the back button leads to the one before.
function remember(step) {
  const state = new URLSearchParams(), o = objects[list.selected];
  if (list.text) state.set("q", list.text);
  if (o) {
    state.set("o", o.base ?? o.object);
    state.set("n", String(o.index));
    state.set("v", options.view);
    if (options.place) state.set("at", options.place);
  }
  const hash = "#" + state;
  if (hash === (location.hash || "#")) return;
  try {
    history[step ? "pushState" : "replaceState"](null, "", hash);
  } catch {
    // Some browsers limit how often a page may do this.
  }
}

// recall reads the state from the address. The number of an object tells apart
// objects of the same name, as long as it is the same report.
function recall() {
  const state = new URLSearchParams(location.hash.slice(1)), name = state.get("o"), n = Number(state.get("n")), view = options.view;
  if (viewNames.includes(state.get("v"))) options.view = state.get("v");
  if ((state.get("q") ?? "") !== list.text) setQuery(state.get("q") ?? "");
  const named = (o) => (o?.base ?? o?.object) === name;
  const i = name === null ? -1 : named(objects[n]) ? n : objects.findIndex(named), at = state.get("at");
  if (i !== list.selected || options.view !== view) openObject(i);
  if (name !== null && i < 0) {
    options.missing = name;
    drawMain();
  }
  if (i >= 0 && at) {
    options.place = at;
    showPlace(at);
  }
}

const themes = ["system", "light", "dark"];

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  themeButton.replaceChildren(`Theme: ${theme}`);
}

function nextTheme() {
  setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length]);
  kept.set("threeway-theme", document.documentElement.dataset.theme);
}

frame();
setTheme([kept.get("threeway-theme"), document.documentElement.dataset.theme].find((theme) => themes.includes(theme)) ?? "system");
setQuery(new URLSearchParams(location.hash.slice(1)).get("q") ?? "");
showPane("main");
drawMain();
recall();
performance.mark("list");
addEventListener("popstate", recall);
addEventListener("resize", drawList);
narrow.addEventListener("change", drawMain);
const drawRead = () => {
  if (!main.querySelector(".unread")) return;
  drawMain();
  if (options.place) showPlace(options.place);
};
const read = async () => {
  drawRead();
  if (!document.hidden) await new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)));
  unpackParts(drawRead);
};
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", read);
else read();
