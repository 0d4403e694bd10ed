// The answer: what happens to each object, field by field, and what was found.
import { el, hidden, count } from "./dom.js";

// The views that are text, by the name that the program knows them by.
export const views = { review: "Fields", diff: "Diff", patch: "Patch", text: "Text" };

// A tone is how a reason looks; the word says it too.
export const tones = {
  set: "set", added: "add", undone: "list", cleared: "del", nulled: "del", excluded: "del", kept: "keep", defaulted: "default", "replaced-list": "list", reordered: "list",
  normalized: "default", mutated: "set", dropped: "del", "owned-by": "keep", conflict: "stop",
};
const actionTones = { created: "add", changed: "set", unchanged: "keep", rejected: "stop", "not applied": "stop" };
const severityTones = { error: "del", warning: "list", info: "set" };

const pill = (tone, text) => el("span", { class: `pill tone-${tone ?? "keep"}` }, text);

// headline is the answer in one line.
export function headline(review) {
  const { error, warning, info } = review.lint.counts;
  const found = [error && count(error, "error"), warning && count(warning, "warning"), info && count(info, "info")].filter(Boolean);
  return [review.plan.line.replace(/^Plan: /, ""), found.length ? found.join(", ") : "no findings"];
}

// fields draws the review; go leads to a place, and repair makes edits.
export function fields(review, sheets, { go, repair }) {
  const about = new Map(review.diff.objects.map((o) => [o.object, []]));
  for (const f of review.lint.findings) {
    if (!about.has(f.object)) about.set(f.object, []);
    about.get(f.object).push(f);
  }
  const impact = new Map(review.plan.objects.map((o) => [o.object, o.rollout?.text]));
  const objects = review.diff.objects.map((o, i) => object(o, impact.get(o.object), about.get(o.object), { go, repair, versions: versionsOf(sheets[i]) }));
  const known = new Set(review.diff.objects.map((o) => o.object));
  const others = [...about].filter(([name]) => !known.has(name)).map(([name, list]) =>
    el("section", { class: "object" }, name && el("h3", {}, name), findings(list, { go, repair })));
  const pruned = (review.diff.prune ?? []).map((p) => el("section", { class: "object" }, el("h3", {}, p.object, " ", pill("del", p.fate ?? p.action ?? "pruned"))));
  return [...objects, ...pruned, ...others, notes(review.lint.notes)];
}

// versionsOf are the fields of a sheet by their paths: last-applied, manifest, live and result.
function versionsOf(sheet) {
  const above = [], fields = new Map();
  for (const [depth, key, cells, , ...values] of sheet?.rows ?? []) {
    above[depth] = depth ? above[depth - 1] + (key.startsWith("[") ? "" : ".") + key : key;
    fields.set(above[depth], [...cells].map((c) => (c === "." ? undefined : c === "+" ? "{…}" : values[Number(c)])));
  }
  return fields;
}

// happens is what happens to an object, in the words of the plan line.
const happens = (o) => (o.stopped ? "not applied" : o.action !== "configured" ? o.action : o.differs ? "changed" : "unchanged");

function object(o, impact, found, actions) {
  return el("section", { class: "object" },
    el("h3", {}, o.object, " ", pill(actionTones[happens(o)], happens(o))),
    impact && el("p", { class: "muted" }, impact),
    (o.warnings ?? []).map((w) => el("p", { class: "muted" }, "Warning: ", w)),
    o.rejection && el("pre", { class: "rejection", tabindex: "0" }, o.rejection),
    o.changes?.length ? table(o, actions) : happens(o) === "unchanged" && el("p", { class: "muted" }, "Nothing changes."),
    findings(found, actions));
}

function table(o, { go, versions }) {
  const value = (v) => v === undefined ? el("span", { class: "muted" }, "–", hidden("absent")) : el("code", {}, typeof v === "string" ? v : JSON.stringify(v));
  const titles = ["Field", ...(versions.size ? ["Last-applied", "Manifest"] : []), "Live", "Result", "Why"];
  const row = (c) => el("tr", { "data-reason": c.reason },
    el("th", { scope: "row" }, c.line ? el("button", { type: "button", class: "place", title: `manifest.yaml:${c.line}`, onclick: () => go("manifest.yaml", c.line, c.column) }, breakable(c.path)) : breakable(c.path)),
    titles.slice(1, -1).map((title, i) => el("td", { "data-label": title }, value(title === "Live" ? c.old : title === "Result" ? c.new : versions.get(c.path)?.[i]))),
    el("td", { "data-label": "Why" }, pill(tones[c.reason], c.reason), " ", c.explanation, c.owners?.length ? el("span", { class: "muted" }, ` (${c.owners.join(", ")})`) : null));
  return el("table", { class: `columns-${titles.length}` }, el("caption", { class: "for-reader" }, `Fields of ${o.object}`),
    el("thead", {}, el("tr", {}, titles.map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, o.changes.map(row)));
}

// breakable lets a line break before the dots and brackets of a path.
const breakable = (path) => path.split(/(?=[.[])/).flatMap((part, i) => i ? [el("wbr"), part] : [part]);

function findings(list, { go, repair }) {
  if (!list?.length) return null;
  return el("ul", { class: "findings" }, list.map((f) => el("li", { class: `tone-${severityTones[f.severity]}` },
    el("p", {}, pill(severityTones[f.severity], f.severity), " ", f.message, " ", el("a", { class: "rule", href: `rules/${f.rule}.html` }, f.rule)),
    el("p", { class: "fix" },
      f.line ? el("button", { type: "button", class: "place", onclick: () => go(f.file, f.line, f.column) }, `${f.file}:${f.line}`) : null,
      f.fix?.text ? [" Fix: ", f.fix.text, " "] : null,
      f.fix?.edits?.length && f.fix.edits.every((e) => e.file === "manifest.yaml") ? el("button", { type: "button", class: "do", onclick: () => repair(f.fix.edits) }, "Do it", hidden(`: ${f.fix.text}`)) : null))));
}

function notes(list) {
  if (!list?.length) return null;
  return el("details", { class: "notes" }, el("summary", {}, count(list.length, "note")), el("ul", {}, list.map((note) => el("li", {}, note))));
}

// text draws a text: a diff with its signs in color, a patch with its lines.
export function text(out, view) {
  if (view === "patch") out = out.replace(/^\{.*\}$/gm, (patch) => JSON.stringify(JSON.parse(patch), null, 2));
  const isDiff = view === "diff" || view === "text";
  const line = (l) => {
    const tone = !isDiff || /^(\+\+\+|---) /.test(l) ? null : { "+": "tone-add", "-": "tone-del", "@": "tone-keep" }[l[0]];
    return el("span", { class: tone }, l, "\n");
  };
  return el("pre", { class: "text", tabindex: "0" }, out ? out.replace(/\n$/, "").split("\n").map(line) : "Nothing: the command prints nothing.");
}
