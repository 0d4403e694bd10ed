// A query is words that must all occur, and filters such as kind:Deployment, of
// which one of each key must hold. A leading minus turns either around. It is
// all the state that the list has, so that a link can carry it.
const facets = {
  action: { label: "Action", of: (o) => [o.action], order: actionNames },
  kind: { label: "Kind", of: (o) => [o.kind ?? ""] },
  namespace: { label: "Namespace", of: (o) => [o.namespace ?? ""] },
  reason: { label: "Reason", of: (o) => o.reasons, order: Object.keys(reasons) },
  rule: { label: "Rule", of: (o) => o.findings.map((f) => f.rule) },
  ...(index.clusters ? { cluster: { label: index.overlays ? "Overlay" : "Cluster", of: (o) => (o.clusters?.length ? o.clusters : clusterNames) } } : {}),
  severity: { label: "Severity", of: (o) => o.findings.map((f) => f.severity), order: Object.keys(severities) },
};
const filters = {
  ...Object.fromEntries(Object.entries(facets).map(([key, f]) => [key, f.of])),
  ns: facets.namespace.of,
  name: (o) => [o.name],
  manager: (o) => o.managers,
  danger: (o) => o.dangers,
  does: (o) => o.impact ?? [],
  starts: (o) => (o.starts ? [o.starts > 0 ? "pods" : "pods-of-nodes"] : []),
  file: (o) => [(o.place ?? "").replace(/:\d+$/, "")],
  is: (o) => [o.differs || o.action === "pruned" ? "changed" : "same", o.findings.length > 0 ? "found" : "quiet"],
};

function parseQuery(text) {
  const query = { words: [], filters: new Map() };
  for (const [, minus, key, quoted, plain] of text.matchAll(/(-?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/gi)) {
    const value = (quoted ?? plain).toLowerCase(), name = key?.toLowerCase();
    if (name !== undefined && filters[name]) {
      if (!query.filters.has(name)) query.filters.set(name, { any: [], none: [] });
      query.filters.get(name)[minus ? "none" : "any"].push(value);
    } else {
      query.words.push({ text: (key ? key + ":" : "").toLowerCase() + value, not: minus !== "" });
    }
  }
  return query;
}

// haystack is all text of the index about an object, in small letters.
function haystack(o) {
  return o.haystack ??= [o.object, o.action, o.place, o.reasons, o.managers, o.terms,
    o.findings.map((f) => [f.rule, f.severity, f.message, f.path, f.fix?.text, f.file])].flat(Infinity).join("\n").toLowerCase();
}

// pattern makes a test of a filter's value, in which * stands for anything.
function pattern(value) {
  if (!value.includes("*")) return (x) => x === value;
  const r = new RegExp("^" + value.split("*").map((s) => s.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*") + "$");
  return (x) => r.test(x);
}

// small are an object's values of a filter in small letters.
const small = (o, key) => (o.small ??= {})[key] ??= filters[key](o).map((x) => x.toLowerCase());

// matcher returns the test for a query, but for the filters of one key, which
// the choice of that key leaves out to count the alternatives.
function matcher(query, except) {
  const tests = [];
  for (const [key, { any, none }] of query.filters) {
    if (key === except) continue;
    const some = any.map(pattern), no = none.map(pattern);
    if (some.length) tests.push((o) => small(o, key).some((x) => some.some((p) => p(x))));
    if (no.length) tests.push((o) => !small(o, key).some((x) => no.some((p) => p(x))));
  }
  for (const { text, not } of query.words) tests.push((o) => haystack(o).includes(text) !== not);
  return (o) => tests.every((test) => test(o));
}

const quoteValue = (v) => (v === "" || /[\s"]/.test(v) ? `"${v.replaceAll('"', "")}"` : v);

// withFilter is a query text in which a key has this filter only, or none.
function withFilter(text, key, value) {
  const rest = text.replace(new RegExp(`(^|\\s)-?${key}:(?:"[^"]*"|\\S+)`, "gi"), "").trim();
  return value === null ? rest : `${rest} ${key}:${quoteValue(value)}`.trim();
}

// choices counts what there is to choose for a facet, given the other filters.
function choices(key, query) {
  const facet = facets[key], n = new Map();
  for (const o of query.filters.has(key) ? objects.filter(matcher(query, key)) : list.shown) {
    const values = facet.of(o);
    for (let i = 0; i < values.length; i++) if (values.indexOf(values[i]) === i) n.set(values[i], (n.get(values[i]) ?? 0) + 1);
  }
  const rank = (v) => facet.order?.indexOf(v) ?? 0;
  return [...n].map(([value, times]) => ({ value, n: times })).sort((a, b) => rank(a.value) - rank(b.value) || (a.value < b.value ? -1 : 1));
}
