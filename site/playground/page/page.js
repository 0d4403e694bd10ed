// The page: what is typed becomes questions, and answers are drawn.
import { el } from "./dom.js";
import { panes as makePanes, names, paneOf, plainly } from "./panes.js";
import { program } from "./program.js";
import { pack, unpack } from "./state.js";
import { result } from "./result.js";
import { tour } from "./tour.js";
import * as answer from "./answer.js";

const $ = (id) => document.getElementById(id);
const shown = { view: "review", pane: "manifest" };

const panes = makePanes($("panes"), () => { leaveExample(); ask(); });
const answers = program((why) => {
  $("trouble").replaceChildren(el("p", { class: "trouble" }, `${why}. The program is started again.`));
  $("last").classList.add("stale");
});

// The state, and its parts on the page.

const state = () => ({ manifest: panes.manifest.value, live: panes.live.value, lastApplied: panes.lastApplied.value, flags: $("flags").value });

function restore(s) {
  for (const name of names) panes[name].value = String(s[name] ?? "");
  $("flags").value = s.flags ?? "";
  followFlags();
  ask();
}

// Asking. The newest question counts; the answer before it stays until then.

let asked = 0;
async function ask() {
  const mine = ++asked, now = state();
  if (!names.some((name) => now[name].trim())) return empty();
  const questions = ["review", "result", "sheets"].map((view) => ({ ...now, view }));
  if (shown.view !== "review") questions.push({ ...now, view: shown.view });
  const began = performance.now(), all = await answers(questions);
  if (mine !== asked) return;
  draw(all[0], all[3] ?? all[0], all[1], all[2]);
  // What a test waits for, and what it measures.
  const { dataset } = document.body;
  dataset.answers = Number(dataset.answers ?? 0) + 1;
  dataset.took = (performance.now() - began).toFixed(1);
  dataset.first ??= performance.now().toFixed(0);
}

// empty is the page before there is anything to apply.
function empty() {
  for (const name of names) panes[name].mark([], []);
  $("last").classList.remove("stale");
  for (const id of ["result", "shown", "trouble", "command"]) $(id).replaceChildren();
  say("Nothing to apply yet", "Paste a manifest, or choose an example.");
  document.body.dataset.answers = Number(document.body.dataset.answers ?? 0) + 1;
}

function draw(review, other, merged, sheets) {
  const wrong = review.mistakes ?? [], known = review.out ? JSON.parse(review.out) : null;
  const errors = review.code > 1 || !known;
  $("last").classList.toggle("stale", errors);
  $("last").setAttribute("aria-label", errors ? "The last good answer" : "The answer");
  for (const name of names) {
    const lines = errors ? [] : (known.lint.findings ?? []).filter((f) => paneOf(f.file) === name && f.line).map((f) => [f.line, f.severity]).toReversed();
    panes[name].mark(lines, wrong.filter((m) => paneOf(m.file) === name));
  }
  $("command").textContent = other.command.replace(/ -o (json|text|yaml)\b/, "");
  $("trouble").replaceChildren(...(errors ? [trouble(review, wrong)] : []));
  document.body.dataset.shown ??= performance.now().toFixed(0);
  if (errors) return say(wrong.length ? `${wrong[0].file}, line ${wrong[0].line}: cannot be read` : "There is an error", "The last good answer is shown in gray.");
  say(...answer.headline(known));
  $("result").replaceChildren(...result(merged.out, known));
  const mark = $("result").querySelector("[class*=tone]");
  $("result").scrollTop = mark ? mark.offsetTop - $("result").offsetTop - 60 : 0;
  $("kubernetes").textContent = known.diff.kubernetes;
  const drawn = shown.view === "review" ? answer.fields(known, sheets?.out ? sheets.out.split("\n").map((s) => JSON.parse(s)) : [], { go, repair }) : [answer.text(other.out || other.err, shown.view)];
  const created = known.diff.objects.filter((o) => o.action === "created" && panes.live.value.includes(`name: ${o.name}\n`)).map((o) => o.object);
  if (created.length) drawn.unshift(el("p", { class: "muted" }, `Not among the live objects, so it is created: ${created.join(", ")}. A live object has its namespace.`));
  $("shown").replaceChildren(...drawn.filter(Boolean));
}

function trouble(review, wrong) {
  const places = wrong.map((m) => el("li", { class: "placed" }, el("button", { type: "button", onclick: () => go(m.file, m.line, m.column) }, `${m.file}:${m.line}:${m.column}`), " ", plainly(m.text)));
  const others = review.err.split("\n").filter((line) => line.startsWith("error: ") && !wrong.some((m) => line.includes(m.text))).map((line) => el("li", {}, line));
  return el("ul", { class: "trouble" }, places, others);
}

// say shows the headline at once, and tells it to a screen reader when the
// typing has stopped.
let telling;
function say(first, second) {
  $("headline").textContent = first;
  $("plan").textContent = second;
  clearTimeout(telling);
  telling = setTimeout(() => {
    const text = `${first}. ${second}`;
    if ($("status").textContent !== text) $("status").textContent = text;
  }, 1200);
}

function go(file, line, column) {
  panes[paneOf(file)]?.go(line, column);
}

function repair(edits) {
  panes.manifest.edit(edits);
  panes.manifest.go(edits[0].startLine);
}

// The tabs.

const tabs = Object.entries(answer.views).map(([view, title]) => el("button", {
  type: "button", role: "tab", id: `tab-${view}`, "aria-controls": "shown", "aria-selected": view === shown.view, tabindex: view === shown.view ? 0 : -1, onclick: () => choose(view),
}, title));
document.querySelector("[role=tablist]").append(...tabs);
document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -tabs.length, End: tabs.length }[event.key];
  if (!step) return;
  event.preventDefault();
  const at = tabs.findIndex((tab) => tab.id === `tab-${shown.view}`) + step;
  const to = Math.abs(step) > 1 ? Math.max(0, Math.min(tabs.length - 1, at)) : (at + tabs.length) % tabs.length;
  choose(Object.keys(answer.views)[to]);
  tabs[to].focus();
});

function choose(view) {
  shown.view = view;
  for (const tab of tabs) {
    const chosen = tab.id === `tab-${view}`;
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
  }
  $("shown").setAttribute("aria-labelledby", `tab-${view}`);
  ask();
}
$("shown").setAttribute("aria-labelledby", "tab-review");

// The panes on a narrow screen: one at a time.

const switches = [...document.querySelectorAll(".switch button")];
function showPane(name) {
  shown.pane = name;
  for (const b of switches) b.setAttribute("aria-pressed", b.dataset.pane === name);
  for (const n of names) panes[n].element.classList.toggle("chosen", n === name);
}
for (const b of switches) b.addEventListener("click", () => showPane(b.dataset.pane));
document.addEventListener("show-pane", (event) => showPane(event.detail));
showPane("manifest");

// Flags, and the ways to apply that are some of them.

function followFlags() {
  const known = [...$("how").options].some((o) => o.value === $("flags").value.trim());
  $("how").value = known ? $("flags").value.trim() : "own";
}
$("flags").addEventListener("input", () => { leaveExample(); followFlags(); ask(); });
$("how").addEventListener("change", () => { $("flags").value = $("how").value; leaveExample(); ask(); });
$("bar").addEventListener("submit", (event) => event.preventDefault());

// Examples, and links.

let examples = [];
const own = el("option", { value: "" }, "Your own");

function leaveExample() {
  const left = examples.find((e) => e.id === $("example").value);
  if (left) $("about").textContent = `Changed from the example “${left.title}”.`;
  $("example").value = "";
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
}

function showExample(id, remember) {
  const example = examples.find((e) => e.id === id) ?? examples[0];
  $("example").value = example.id;
  $("about").textContent = example.text;
  if (remember) history.replaceState(null, "", `#example=${example.id}`);
  // The answer to the first one is shown before the program has come.
  if (example.answers && !asked) draw(example.answers[0], example.answers[0], ...example.answers.slice(1));
  restore(example);
}

async function begin() {
  const [kind, rest] = location.hash.slice(1).split(/=(.*)/);
  if (kind === "s") {
    try {
      restore(await unpack(rest));
      $("example").value = "";
      $("about").textContent = "From a link. What is in it was not sent to a server.";
      return;
    } catch {
      showExample("", false);
      $("about").textContent = "The link is damaged, so this is the first example.";
      return;
    }
  }
  showExample(kind === "example" ? rest : "", false);
}

function showOwn() {
  $("about").textContent = "Paste your manifest, and the live object as kubectl get -o yaml prints it. Nothing leaves this page.";
  history.replaceState(null, "", location.pathname + location.search);
  restore({ flags: "" });
  panes.manifest.go(1);
}

$("example").addEventListener("change", () => ($("example").value ? showExample($("example").value, true) : showOwn()));
$("tour").addEventListener("click", () => tour($("steps"), $("tour"), (id) => showExample(id, true)));
$("link").addEventListener("click", async () => {
  const example = $("example").value;
  history.replaceState(null, "", example ? `#example=${example}` : `#s=${await pack(state())}`);
  let done = "The address above is the link";
  try {
    await navigator.clipboard.writeText(location.href);
    done = "Copied";
  } catch { /* the page may not write to the clipboard: the address has the link */ }
  $("link").textContent = done;
  $("status").textContent = done;
  setTimeout(() => { $("link").textContent = "Copy link"; }, 2500);
});
window.addEventListener("hashchange", () => { if (/^#(s|example)=/.test(location.hash)) begin(); });

examples = await (await fetch(new URL("examples.json", import.meta.url))).json();
const groups = Map.groupBy(examples, (e) => e.group);
$("example").append(own, ...[...groups].map(([group, list]) => el("optgroup", { label: group }, list.map((e) => el("option", { value: e.id }, e.title)))));
await begin();

// The theme is that of the page of a review, too, where both have one address.
const themes = ["system", "light", "dark"];
const stored = { get: () => { try { return localStorage.getItem("threeway-theme"); } catch { return null; } }, set: (theme) => { try { localStorage.setItem("threeway-theme", theme); } catch { /* then not */ } } };
function theme(name) {
  document.documentElement.dataset.theme = name;
  $("theme").textContent = `Theme: ${name}`;
}
theme(themes.includes(stored.get()) ? stored.get() : "system");
$("theme").addEventListener("click", () => {
  theme(themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length]);
  stored.set(document.documentElement.dataset.theme);
});
