// el makes an element. Strings among the children become text, whatever is in
// them; on… properties are listeners, the others attributes. true and false are
// words for aria-… attributes.
export function el(tag, props, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null) continue;
    if (typeof value === "boolean" && !name.startsWith("aria-")) e.toggleAttribute(name, value);
    else if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else e.setAttribute(name, value);
  }
  e.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false && child !== ""));
  return e;
}

export const hidden = (text) => el("span", { class: "for-reader" }, text);

export const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
