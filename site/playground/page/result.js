// The result: the objects as the server would store them, each line that changes with
// its reason.
import { el } from "./dom.js";
import { tones } from "./answer.js";
import { colored } from "./yaml.js";

// placesOf finds the lines of the fields of YAML as the program prints it: for each
// document, paths with their lines.
function placesOf(lines) {
  const documents = [];
  let fields = [], above = [];
  const begin = () => { fields = []; above = []; documents.push(fields); };
  begin();
  lines.forEach((text, line) => {
    if (text === "---") return begin();
    const [, space, dashes, key, value] = /^( *)((?:- )*)(?:("[^"]*"|[^\s:#][^:]*):(?: (.*))?$)?/.exec(text) ?? [];
    let indent = space?.length ?? 0;
    for (const _ of dashes?.match(/- /g) ?? []) {
      above = above.filter((f) => f.indent < indent || f.indent === indent && !f.item);
      const item = { line, indent, item: true, up: above.at(-1), fields: new Map() };
      fields.push(item);
      above.push(item);
      indent += 2;
    }
    if (key === undefined) {
      above.at(-1)?.fields?.set("", text.slice(indent)); // an item that is a text
      return;
    }
    above = above.filter((f) => f.indent < indent);
    const field = { line, indent, key: key.replace(/^"|"$/g, ""), value, up: above.at(-1) };
    field.up?.fields?.set(field.key, value?.replace(/^"|"$/g, ""));
    fields.push(field);
    above.push(field);
  });
  return documents;
}

// matches tells whether a field stands at a path, as steps from the end.
function matches(f, steps) {
  for (const step of steps.toReversed()) {
    if (!f) return false;
    const [, name, value] = /^\[([^=\]]*)=(.*)\]$/.exec(step) ?? [];
    if (name !== undefined && f.item ? f.fields.get(name) !== value : (f.key ?? "") !== step.replace(/^\[(.*)\]$/, "$1")) return false;
    f = f.up;
  }
  return !f;
}

const stepsOf = (path) => path.match(/\[[^\]]*\]|[^.[]+/g) ?? [];

// result draws the text with the reasons of the changes.
export function result(text, review) {
  const lines = text.replace(/\n$/, "").split("\n"), documents = placesOf(lines), reasons = new Map();
  review.diff.objects.filter((o) => o.action !== "rejected").forEach((o, i) => {
    for (const c of o.changes ?? []) {
      const field = c.new === undefined ? null : documents[i]?.find((f) => matches(f, stepsOf(c.path)));
      if (field && !reasons.has(field.line)) reasons.set(field.line, c);
    }
  });
  return lines.map((line, i) => {
    const c = reasons.get(i), tone = c && (tones[c.reason] ?? "keep");
    return el("span", { class: c ? `line tone-${tone}` : "line", title: c ? `${c.path}: ${c.explanation}` : null }, colored(line),
      c ? el("span", { class: `pill tone-${tone}` }, c.reason) : null, "\n");
  });
}
