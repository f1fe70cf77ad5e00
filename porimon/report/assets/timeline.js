// The strip of turns: one button per turn, marks for trouble, and how much each side has left.
"use strict";

Porimon.timeline = (function () {
  const { element, drawing } = Porimon;

  function trouble(decisions) {
    if (decisions.some((each) => each.fallback)) return "fallback";
    if (decisions.some((each) => each.calls.some((call) => call.refused))) return "refused";
    return null;
  }

  // A line per seat over the turns; gaps where nothing is known.
  function lines(battle, turns) {
    const known = turns.map((turn) => Porimon.game.left(battle, turn));
    if (known.every((each) => each === null)) return null;
    const svg = drawing("svg", { viewBox: `0 0 ${turns.length} 1`, preserveAspectRatio: "none", class: "left", "aria-hidden": "true" });
    for (const seat of ["a", "b"]) {
      const points = known
        .map((each, place) => (each === null ? null : `${place + 0.5},${(1 - each[seat]).toFixed(3)}`))
        .filter((point) => point !== null);
      svg.append(drawing("polyline", { points: points.join(" "), class: `seat-${seat}`, "vector-effect": "non-scaling-stroke" }));
    }
    return svg;
  }

  function show(battle, turns) {
    const buttons = turns.map((turn) => {
      const decisions = battle.details.decisions.filter((each) => each.turn === turn);
      const kind = trouble(decisions);
      const end = turn === Porimon.game.END;
      return element(
        "a",
        {
          href: `#${battle.name}/${turn}`,
          "data-turn": turn,
          class: kind,
          "aria-label": `${end ? "The end" : `Turn ${turn}`}${kind ? `, ${kind === "refused" ? "answer refused" : kind}` : ""}`,
        },
        end ? "end" : String(turn),
      );
    });
    return element(
      "nav",
      { class: "timeline", "aria-label": "Turns", style: `--turns: ${turns.length}` },
      element("div", { class: "strip" }, lines(battle, turns), element("div", { class: "turns" }, buttons)),
    );
  }

  function mark(nav, turn) {
    for (const link of nav.querySelectorAll("a")) {
      if (link.dataset.turn === String(turn)) {
        link.setAttribute("aria-current", "step");
        // Only sideways: the page must not jump.
        const strip = nav;
        strip.scrollLeft = link.offsetLeft - strip.clientWidth / 2;
      } else link.removeAttribute("aria-current");
    }
  }

  return { show, mark };
})();
