// The three panes: texts to edit, each with line numbers, and marks at the lines
// that something is said about.
import { el } from "./dom.js";
import { colored } from "./yaml.js";

const descriptions = {
  lastApplied: ["Last-applied", "last-applied.yaml", "The manifest of the apply before, which tells what was removed."],
  live: ["Live", "live.yaml", "The objects in the cluster, as kubectl get -o yaml prints them."],
  manifest: ["Manifest", "manifest.yaml", "What you want to apply."],
};

export const names = Object.keys(descriptions);

// paneOf is the pane of a file.
export const paneOf = (file) => names.find((name) => descriptions[name][1] === file);

// plainly leaves out of an error where it is, which stands beside it.
export const plainly = (text) => text.replace(/^error parsing \S+: (error converting YAML to JSON: )?(yaml: )?(line \d+: )?/, "");

// panes makes the panes below an element and calls changed after each edit.
export function panes(parent, changed) {
  const all = {};
  for (const name of names) {
    all[name] = pane(name, changed);
    parent.append(all[name].element);
  }
  return all;
}

function pane(name, changed) {
  const [title, file, what] = descriptions[name];
  const numbers = el("div", { class: "numbers", "aria-hidden": "true" });
  const text = el("textarea", {
    id: name, wrap: "off", spellcheck: "false", autocomplete: "off", autocapitalize: "off", autocorrect: "off",
    "aria-describedby": `${name}-what ${name}-mistakes`, rows: 15,
  });
  const colors = el("pre", { class: "colors", "aria-hidden": "true" });
  const mistakes = el("ul", { id: `${name}-mistakes`, class: "mistakes" });
  const element = el("section", { class: "pane", "data-pane": name, "aria-label": title },
    el("div", { class: "title" }, el("label", { for: name }, title), el("code", {}, file)),
    el("p", { class: "what", id: `${name}-what` }, what),
    el("div", { class: "editor" }, numbers, el("div", { class: "area" }, colors, text)), mistakes);
  let marks = new Map(), drawn = "";

  // The colors lie below the text, whose own letters do not show then.
  const paint = () => {
    const lines = text.value.split("\n"), few = lines.length <= 2000;
    text.classList.toggle("painted", few);
    colors.replaceChildren(...(few ? lines.flatMap((line) => [...colored(line), "\n"]) : []));
    follow();
  };
  const follow = () => { numbers.scrollTop = colors.scrollTop = text.scrollTop; colors.scrollLeft = text.scrollLeft; };

  const draw = () => {
    const lines = text.value.split("\n").length, key = `${lines} ${[...marks].join(" ")}`;
    if (key === drawn) return;
    drawn = key;
    numbers.replaceChildren(...Array.from({ length: lines }, (_, i) => el("span", { class: marks.get(i + 1) }, String(i + 1))));
    numbers.scrollTop = text.scrollTop;
  };
  text.addEventListener("scroll", follow);
  text.addEventListener("input", () => { draw(); paint(); changed(name); });
  text.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) indent(event, text); });

  return {
    element,
    get value() { return text.value; },
    set value(value) {
      text.value = value;
      text.scrollLeft = 0;
      text.scrollTop = height(text) * bookkeeping(value);
      draw();
      paint();
    },
    // mark shows a severity at lines, and mistakes below the text.
    mark(lines, wrong) {
      marks = new Map([...lines, ...wrong.map((m) => [m.line, "error"])]);
      draw();
      text.setAttribute("aria-invalid", wrong.length > 0);
      mistakes.replaceChildren(...wrong.map((m) => el("li", {},
        el("button", { type: "button", onclick: () => this.go(m.line, m.column) }, `Line ${m.line}, column ${m.column}`), `: ${plainly(m.text)}`)));
    },
    // go puts the cursor at a place.
    go(line, column = 1) {
      const above = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      const end = text.value.indexOf("\n", above);
      document.dispatchEvent(new CustomEvent("show-pane", { detail: name }));
      text.focus();
      text.setSelectionRange(above + column - 1, end < 0 ? text.value.length : end);
      text.scrollTop = Math.max(0, (line - 5) * height(text));
    },
    // edit replaces stretches of the text, as a finding proposes.
    edit(edits) {
      const starts = [0];
      for (let i = 0; (i = text.value.indexOf("\n", i) + 1) > 0;) starts.push(i);
      const at = (line, column) => Math.min((starts[line - 1] ?? text.value.length) + column - 1, text.value.length);
      for (const e of edits.toReversed()) text.setRangeText(e.text ?? "", at(e.startLine, e.startColumn), at(e.endLine, e.endColumn));
      draw();
      paint();
      changed(name);
    },
  };
}

const height = (text) => parseFloat(getComputedStyle(text).lineHeight);

// bookkeeping is how many lines of an object stand above what there is to see in it:
// its managedFields are not the place to begin to read.
function bookkeeping(value) {
  const lines = value.split("\n"), from = lines.findIndex((line) => /^ +managedFields:/.test(line));
  if (from < 0 || from > 12) return 0;
  const indent = lines[from].search(/\S/), to = lines.findIndex((line, i) => i > from && line.search(/\S/) <= indent && !line.slice(indent).startsWith("- "));
  return Math.max(0, to);
}

// indent begins a new line below the beginning of the one above, as YAML is
// written. insertText keeps what can be undone.
function indent(event, text) {
  const line = text.value.slice(0, text.selectionStart).split("\n").at(-1);
  const space = /^ *(- )?/.exec(line)[0].replace("-", " ");
  event.preventDefault();
  document.execCommand("insertText", false, "\n" + space);
}
