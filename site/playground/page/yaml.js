// YAML in colors, line by line.
import { el } from "./dom.js";

// What a line is made of: its indent, its key, and a value that is no plain text.
const parts = /^( *(?:- )*)((?:"[^"]*"|'[^']*'|[\w./-]+):(?= |$))?( *)("(?:[^"\\]|\\.)*"|'[^']*'|(?:true|false|null|~|[-+]?[\d.]+(?:e[-+]?\d+)?|[|>][-+\d]*)(?= *$| +#))?/i;

// colored makes nodes of a line.
export function colored(line) {
  const [all, indent, key, gap, value] = parts.exec(line), rest = line.slice(all.length), comment = /(?:^|\s)#.*$/.exec(rest)?.[0] ?? "";
  const part = (name, text) => (text ? el("span", { class: `yaml-${name}` }, text) : "");
  return [indent, part("key", key), gap, part(/^["']/.test(value ?? "") ? "text" : "atom", value), rest.slice(0, rest.length - comment.length), part("comment", comment)].filter((x) => x !== "");
}
