// Characters that show as nothing, or that turn around or break what is beside
// beside them, which are named instead; those that a line may break after; the dots and
// brackets of a path, which it may break before; and words with a dash, which stay whole.
// What is in brackets stays whole, too.
const special = /(?<=[\p{L}\p{N}\])])(?:\[|\.(?![^[\]\s]*\]))(?=\p{L})|(?<![\p{L}\p{N}.-])[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+(?![\p{L}\p{N}.-])|[/@](?![^[\]\s]*\])|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

// textNodes makes nodes of a text, and of its marks: beginnings and ends of the
// parts to stand out. A long name may break after a slash or an @.
function textNodes(text, marks = []) {
  let done = 0;
  const plain = (to) => {
    const nodes = [];
    for (const m of text.slice(done, to).matchAll(special)) {
      const from = done, at = base + m.index, end = at + m[0].length, broken = m[0] === "/" || m[0] === "@", word = m[0].includes("-");
      if (m[0] === "." || m[0] === "[") {
        if (text.length <= 24 || at === from) continue;
        nodes.push(document.createTextNode(text.slice(from, at)), document.createElement("wbr"));
        done = at;
        continue;
      }
      if (word && m[0].length > longestWord) continue;
      if (broken || at > from) nodes.push(document.createTextNode(text.slice(from, broken ? end : at)));
      nodes.push(broken ? document.createElement("wbr") : word ? whole(m[0]) : named(m[0]));
      done = end;
    }
    if (to > done) nodes.push(document.createTextNode(text.slice(done, to)));
    done = base = to;
    return nodes;
  };
  let base = 0;
  const nodes = [];
  for (let i = 0; i < marks.length; i += 2) {
    nodes.push(...plain(marks[i]));
    const mark = document.createElement("mark");
    mark.append(...plain(marks[i + 1]));
    nodes.push(mark);
  }
  return [...nodes, ...plain(text.length)];
}

// whole is a word that does not break after its dashes; a longer one must.
const longestWord = 32;

function whole(word) {
  const e = document.createElement("span");
  e.className = "nowrap";
  e.textContent = word;
  return e;
}

// What a line of YAML is made of: its indent, its key, and a value that is no plain text.
const yamlLine = /^( *(?:- )*)((?:"[^"]*"|'[^']*'|[\w./-]+):(?= |$))?(?:( *)("(?:[^"\\]|\\.)*"|'[^']*'|(?:true|false|null|~|[-+]?[\d.]+(?:e[-+]?\d+)?|[|>][-+\d]*)(?= *$| +#)))?/i;

// yaml makes nodes of a line of YAML in its colors, and of its marks.
function yaml(text, marks) {
  const [all, indent, key = "", gap = "", value = ""] = yamlLine.exec(text), comment = /(?:^|\s)#.*$/.exec(text.slice(all.length));
  const parts = [[indent], [key, "key"], [gap], [value, /^["']/.test(value) ? "text" : "atom"]];
  parts.push([text.slice(all.length, comment ? all.length + comment.index : undefined)], [comment?.[0] ?? "", "comment"]);
  let at = 0;
  return text === "" ? [" "] : parts.filter(([part]) => part).map(([part, name]) => {
    const here = [];
    for (let i = 0; i < marks.length; i += 2) {
      const from = Math.max(0, marks[i] - at), to = Math.min(part.length, marks[i + 1] - at);
      if (from < to) here.push(from, to);
    }
    at += part.length;
    const nodes = textNodes(part, here);
    return name ? el("span", { class: `yaml-${name}` }, nodes) : nodes;
  });
}

// named stands for a character that does not show.
function named(character) {
  const e = document.createElement("span");
  e.className = "unseen";
  e.title = "a character that does not show";
  e.textContent = "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
  return e;
}

// el makes an element. Strings among the children become text, whatever is in
// them; on… properties are listeners, the others attributes.
function el(tag, props, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) e.style.setProperty(name, value);
    else e.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    if (child instanceof Node) e.append(child);
    else e.append(...textNodes(String(child)));
  }
  return e;
}

// copyable is a text that a press copies, or selects where the browser does not let a
// page copy.
function copyable(text) {
  const place = el("code", {}, text);
  return [place, " ", el("button", { type: "button", class: "more", onclick: async (e) => {
    const button = e.currentTarget;
    try {
      await navigator.clipboard.writeText(text);
      button.replaceChildren("copied");
    } catch {
      getSelection().selectAllChildren(place);
    }
  } }, "copy")];
}

const hidden = (text) => el("span", { class: "for-reader" }, text);

// grouped writes a number with commas, without loading the languages of the browser.
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

const count = (n, noun) => `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;

// slowly draws a long list in portions, since thousands of lines at once would
// keep the reader waiting. place puts the button for the next one into the page
// and returns what is to be removed then.
function slowly(list, size, noun, draw, place) {
  let at = 0;
  const next = () => {
    draw(list.slice(at, at + size), at);
    at += size;
    if (at >= list.length) return null;
    const rest = count(list.length - at, `more ${noun}`);
    const button = el("button", { type: "button", class: "more" }, size < list.length - at ? `Show ${size} of ${rest}` : `Show ${rest}`);
    const placed = place(button);
    button.addEventListener("click", () => {
      placed.remove();
      next()?.focus();
    });
    return button;
  };
  next();
}
