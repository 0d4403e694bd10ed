// What the reader has looked at, which the browser keeps for this and the next report
// in which the same happens to the object.
const kept = {
  get: (name) => { try { return localStorage.getItem(name); } catch { return null; } },
  set: (name, v) => { try { localStorage.setItem(name, v); } catch { /* then not */ } },
};

const worthViewing = (o) => o.differs || o.action === "rejected" || o.action === "pruned";

const viewed = (() => {
  const mostKept = 5000, seen = new Set(JSON.parse(kept.get("threeway-viewed") ?? "[]"));
  // What happens to an object, as a number of 53 bits.
  const print = (o) => o.print ??= [...JSON.stringify([o.object, o.action, o.added, o.removed, o.reasons, o.terms, o.impact])]
    .reduce((h, c) => (h * 31 + c.codePointAt(0)) % 9007199254740881, 7).toString(36);
  return {
    has: (o) => seen.size > 0 && seen.has(print(o)),
    toggle: (o) => {
      if (!seen.delete(print(o))) seen.add(print(o));
      kept.set("threeway-viewed", JSON.stringify([...seen].slice(-mostKept)));
      drawMain();
      drawStatus();
      drawList();
    },
  };
})();
