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
      el("h1", {}, el("button", { type: "button", class: "home", onclick: () => openObject(-1, true) }, "threeway review")),
      el("p", { class: "summary" }, [index.about, index.summary].filter(Boolean).join(" · ")),
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
  status.textContent = list.shown.length === objects.length ? count(objects.length, "object") : `${list.shown.length.toLocaleString("en")} of ${count(objects.length, "object")}`;
  document.getElementById("clear").hidden = text === "";
  for (const e of document.querySelectorAll("[data-query]")) e.setAttribute("aria-pressed", String(e.dataset.query === text));
  box.scrollTop = 0;
  reveal();
  drawList();
  if (!typed) showPane("list");
  clearTimeout(setQuery.pause);
  setQuery.pause = setTimeout(settle, typed ? 120 : 0);
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
      ...(one && !all.includes(one) ? [one] : []).concat(all).map((c) => el("option", { value: "=" + c.value }, `${c.value || "(none)"} (${c.n.toLocaleString("en")})`)));
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
  main.scrollTop = top;
  // What had the focus is no more, so what stands in its place has it.
  if (inside && document.activeElement !== main) {
    const again = ["aria-keyshortcuts", "data-path"].filter((a) => was.hasAttribute(a)).map((a) => main.querySelector(`[${a}=${CSS.escape(was.getAttribute(a))}]`));
    (again[0] ?? document.getElementById("heading")).focus();
  }
  document.title = list.selected >= 0 ? `${objects[list.selected].name} – threeway review` : "threeway review";
}

const linkTo = (o) => "#" + new URLSearchParams({ o: o.object, n: String(o.index) });

// remember writes the state into the address. A new object is a new entry of the
// history, so that the back button leads to the one before.
function remember(step) {
  const state = new URLSearchParams(), o = objects[list.selected];
  if (list.text) state.set("q", list.text);
  if (o) {
    state.set("o", o.object);
    state.set("n", String(o.index));
    state.set("v", options.view);
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
  const state = new URLSearchParams(location.hash.slice(1)), name = state.get("o"), n = Number(state.get("n"));
  if (viewNames.includes(state.get("v"))) options.view = state.get("v");
  if ((state.get("q") ?? "") !== list.text) setQuery(state.get("q") ?? "");
  const i = name === null ? -1 : objects[n]?.object === name ? n : objects.findIndex((o) => o.object === name);
  if (i !== list.selected) openObject(i);
}

const themes = ["system", "light", "dark"];

// stored keeps the choice of a theme where the browser lets a page do so.
const stored = {
  get: () => { try { return localStorage.getItem("threeway-theme"); } catch { return null; } },
  set: (v) => { try { localStorage.setItem("threeway-theme", v); } catch { /* then not */ } },
};

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  themeButton.replaceChildren(`Theme: ${theme}`);
}

function nextTheme() {
  setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length]);
  stored.set(document.documentElement.dataset.theme);
}

frame();
setTheme(themes.includes(stored.get()) ? stored.get() : "system");
filterObjects("");
drawMain();
setQuery(new URLSearchParams(location.hash.slice(1)).get("q") ?? "");
showPane("main");
recall();
performance.mark("list");
addEventListener("popstate", recall);
addEventListener("resize", drawList);
narrow.addEventListener("change", drawMain);
const read = async () => {
  drawMain();
  await unpackParts(() => { if (main.querySelector(".unread")) drawMain(); });
};
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", read);
else read();
