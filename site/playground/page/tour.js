// The tour: a few examples, each with one thing to see.
import { el } from "./dom.js";

const steps = [
  ["update-after-scale", "Someone scaled the Deployment; the manifest never named replicas. Look at Result: the image is set, and the replicas of the cluster are kept."],
  ["primitive-cleared", "A field was in the last apply and is no longer in the manifest. Only the third text, last-applied, tells apply to clear it."],
  ["list-merged-by-key", "Containers merge by name: what another wrote into the list stays. Other lists are replaced as a whole."],
  ["autoscaler-conflict", "Server-side apply knows owners: the autoscaler owns replicas, so a manifest that sets them is rejected."],
  ["immutable-field-change", "What the server would refuse is told with its own words, and what to do instead. Now choose Your own, or change anything here."],
];

// tour shows its steps in place, or ends; show opens an example.
export function tour(place, button, show) {
  const go = (i) => {
    place.hidden = i < 0 || i === steps.length;
    button.setAttribute("aria-expanded", !place.hidden);
    if (place.hidden) return;
    const [id, text] = steps[i];
    show(id);
    place.replaceChildren(el("p", {}, el("b", {}, `${i + 1} of ${steps.length} `), text), el("div", {},
      el("button", { type: "button", class: "do", onclick: () => go(i + 1) }, i + 1 < steps.length ? "Next" : "End"), " ",
      el("button", { type: "button", class: "do", onclick: () => go(-1) }, "Leave")));
    place.querySelector("button").focus({ preventScroll: true });
  };
  go(place.hidden ? 0 : -1);
}
