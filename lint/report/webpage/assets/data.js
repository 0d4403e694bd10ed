// unpack is the text of an element, whose data is compressed if there is much.
async function unpack(e) {
  if (e.type !== "application/gzip") return e.textContent;
  const bytes = Uint8Array.fromBase64?.(e.textContent) ?? Uint8Array.from(atob(e.textContent), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

const index = JSON.parse(await unpack(document.getElementById("index")));
const { objects, findings } = index;
const rules = new Map((index.rules ?? []).map((r) => [r.id, r]));

// partOf reads what there is of an object besides the index, or returns null
// while the browser has not come to it yet.
const unpacked = [];
const partOf = (() => {
  const kept = new Map();
  return (i) => {
    if (kept.has(i)) return kept.get(i);
    const text = unpacked[i] ?? document.getElementById(`part-${i}`)?.textContent;
    if (!text) return null;
    const part = JSON.parse(text);
    if (kept.size > 50) kept.clear();
    kept.set(i, part);
    return part;
  };
})();

const unread = () => el("p", { role: "status", class: "unread" }, "The browser is still reading this object …");

// unpackParts reads the parts of a large page, and tells after each block.
async function unpackParts(told) {
  for (const e of document.querySelectorAll("script[type='application/gzip']:not([id])")) {
    unpacked.push(...(await unpack(e)).trimEnd().split("\n"));
    e.remove();
    told();
  }
}

// What happens to objects, the most important first.
const actions = {
  rejected: { sign: "!", tone: "stop", title: "Rejected", what: "the API server rejects it" },
  "not applied": { sign: "!", tone: "stop", title: "Not applied", what: "the run fails before, because another object is rejected" },
  pruned: { sign: "−", tone: "del", title: "Pruned", what: "prune deletes it" },
  configured: { sign: "±", tone: "set", title: "Changed", what: "apply changes it" },
  created: { sign: "+", tone: "add", title: "Created", what: "it is not live yet" },
  unchanged: { sign: "=", tone: "keep", title: "Unchanged", what: "apply leaves it as it is" },
  "": { sign: "·", tone: "keep", title: "Findings elsewhere", what: "findings about the run, or about objects that are not in it" },
};
// bookkeeping is why kubectl says that it configured an object of which all that
// is shown stays as it is.
const bookkeeping = "no change but in what kubectl and the server keep for themselves, such as the last-applied annotation";
const actionNames = Object.keys(actions);

const reasons = {
  set: { sign: "±", tone: "set", what: "the manifest sets it; live has another value" },
  added: { sign: "+", tone: "add", what: "the manifest sets it; live does not have it" },
  undone: { sign: "±", tone: "list", what: "the manifest sets it as last-applied does; live was changed since, and apply takes that back" },
  cleared: { sign: "-", tone: "del", what: "last-applied has it, the manifest does not; apply removes it" },
  nulled: { sign: "-", tone: "del", what: "null in the manifest" },
  excluded: { sign: "-", tone: "del", what: "removed, because what the manifest sets excludes it" },
  kept: { sign: "=", tone: "keep", what: "live, but in no manifest; kept" },
  "owned-by": { sign: "=", tone: "keep", what: "not in the manifest; other managers own it; kept" },
  defaulted: { sign: "±", tone: "default", what: "set or reset by the server" },
  normalized: { sign: "±", tone: "default", what: "changed by the server" },
  mutated: { sign: "±", tone: "default", what: "set, changed or removed by a MutatingAdmissionPolicy" },
  "replaced-list": { sign: "±", tone: "list", what: "the list does not merge; the manifest's replaces the live one" },
  reordered: { sign: "±", tone: "list", what: "the same items in another order" },
  dropped: { sign: "!", tone: "stop", what: "unknown to the server; dropped" },
  conflict: { sign: "!", tone: "stop", what: "another manager owns it at another value; the object is rejected" },
};

const severities = {
  error: { sign: "✕", tone: "del", rank: 3 },
  warning: { sign: "▲", tone: "list", rank: 2 },
  info: { sign: "●", tone: "set", rank: 1 },
};

objects.forEach((o, i) => {
  o.index = i;
  o.findings = (o.findings ?? []).map((f) => findings[f]);
  for (const f of o.findings) f.of = o;
  o.reasons ??= [];
  o.managers ??= [];
  o.dangers = [];
  o.unseen = o.action === "configured" && !o.differs;
  if (o.unseen) o.action = "unchanged"; // by what the page shows
  o.rank = Math.max(0, ...o.findings.map((f) => severities[f.severity]?.rank ?? 0));
});

// tally counts the findings of each severity.
function tally(list) {
  const n = {};
  for (const f of list) n[f.severity] = (n[f.severity] ?? 0) + 1;
  return Object.keys(severities).filter((s) => n[s]).map((s) => ({ severity: s, n: n[s], ...severities[s] }));
}

const tallyMarks = (list) => tally(list).map((t) =>
  el("span", { class: `tone-${t.tone} tally`, title: count(t.n, t.severity) }, t.sign + " ", t.n, hidden(` ${t.severity}`)));

const actionMark = (action) => el("span", { class: `tone-${actions[action].tone} sign` }, actions[action].sign);
