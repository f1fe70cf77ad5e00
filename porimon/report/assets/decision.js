// One decision: the legal orders and the one played, the calls with prompts and answers, the
// retrieved experiences, and what the player saw and knew.
"use strict";

Porimon.decision = (function () {
  const { element, write } = Porimon;

  // A part that can be unfolded. `content` is an element, or a function that makes one when it is
  // first looked at: a turn has far more to show than is read.
  function folded(title, content, note, open) {
    if (content === null || content === undefined) return null;
    const later = typeof content === "function" && !open;
    const made = element(
      "details",
      { class: "fold", open },
      element("summary", {}, title, note ? element("span", { class: "note" }, note) : null),
      later ? null : typeof content === "function" ? content() : content,
    );
    if (later) made.addEventListener("toggle", () => made.append(content()), { once: true });
    return made;
  }

  function orders(decision) {
    return element(
      "ul",
      { class: "orders", "aria-label": "Legal orders" },
      decision.legal.map((order) =>
        order === decision.order
          ? element("li", { class: "played", "aria-current": "true" }, order, element("span", { class: "unseen" }, " (played)"))
          : element("li", {}, order),
      ),
    );
  }

  function took(completion) {
    const cached = completion.cached_input_tokens;
    const parts = [
      completion.model,
      `${write.count(completion.input_tokens)} tokens in${cached === null ? "" : ` (${write.count(cached)} cached)`}`,
      `${write.count(completion.output_tokens)} tokens out`,
      completion.cost === null ? "cost unknown" : write.dollars(completion.cost),
      completion.latency_seconds === null ? "latency unknown" : write.seconds(completion.latency_seconds),
    ];
    if (completion.attempts > 1) parts.push(`${completion.attempts} HTTP attempts`);
    if (completion.finish_reason && completion.finish_reason !== "stop")
      parts.push(`ended by ${completion.finish_reason}`);
    return element("p", { class: "took" }, parts.join(" · "));
  }

  function prompt(call, texts) {
    const length = call.sections.reduce((sum, [, place]) => sum + texts[place].length, 0);
    const sections = () => element("div", { class: "sections" }, call.sections.map(([name, place]) =>
      folded(name.replaceAll("_", " "), element("pre", {}, texts[place]), `${write.count(texts[place].length)} characters`)));
    return folded("Prompt", sections, `${call.sections.length} sections, ${write.count(length)} characters`);
  }

  function call(each, texts, alone) {
    const title = each.purpose === "decision" ? `Attempt ${each.attempt}` : `${each.purpose}, attempt ${each.attempt}`;
    return element(
      "div",
      { class: "call" },
      alone ? null : element("h5", {}, title),
      each.refused ? element("p", { class: "refused" }, `Refused: ${each.refused.replaceAll("_", " ")}`) : null,
      element("h6", {}, "Raw answer"),
      element("pre", { class: "answer" }, each.completion.text || "(empty)"),
      took(each.completion),
      prompt(each, texts),
    );
  }

  // Why an experience was found: how alike the teams are, member by member.
  function reasons(found, sides) {
    return sides.map((side) => {
      const why = found.why[side];
      const members = (why.current_members || [])
        .filter((member) => "nearest" in member)
        .map((member) =>
          element("li", {}, `${member.current} ~ ${member.nearest} ${member.similarity.toFixed(3)}`),
        );
      return element(
        "div",
        {},
        element("h6", {}, `${side === "own" ? "own team" : "opponent's team"}: similarity ${why.similarity.toFixed(4)}`),
        element("ul", { class: "members" }, members),
      );
    });
  }

  function source(learnt) {
    const result = { win: "won", loss: "lost", tie: "tied" }[learnt.result] || learnt.result;
    const battle = learnt.page ? element("a", { href: `#${learnt.page}` }, `battle ${learnt.page}`) : `battle ${learnt.battle} of another run`;
    return ["from ", battle, ` (${result})`];
  }

  // What an experience says, as far as it is in the report.
  function told(learnt) {
    return [
      element("p", {}, learnt.summary || "No summary."),
      learnt.lessons.length ? element("ul", { class: "lessons" }, learnt.lessons.map((lesson) => element("li", {}, lesson))) : null,
      folded("The end of that battle's log", learnt.log ? element("pre", {}, learnt.log) : null),
    ];
  }

  function experience(found, battle) {
    const learnt = (Porimon.store.experiences[battle.matchup.number] || {})[found.experience_id];
    const sides = ["opponent", "own"].filter((side) => found.why[side]);
    const similarities = sides.map((side) => `${side === "own" ? "own team" : "opponent's team"} ${found.why[side].similarity.toFixed(3)}`);
    return element(
      "div",
      { class: "experience" },
      element("h5", {}, `Experience ${found.experience_id.slice(0, 12)} `, element("span", { class: "took" }, learnt ? source(learnt) : null)),
      element("p", { class: "took" }, `score ${found.score.toFixed(4)}`, similarities.length ? ` · similarity: ${similarities.join(", ")}` : null),
      learnt ? told(learnt) : null,
      sides.length ? folded("Why it was found", element("div", {}, reasons(found, sides))) : null,
    );
  }

  function marks(decision) {
    const found = decision.notes.map((note) => ["note", note.replaceAll("_", " ")]);
    if (decision.fallback) found.unshift(["fallback", `fallback: ${decision.fallback.replaceAll("_", " ")}`]);
    const refused = decision.calls.filter((each) => each.refused !== null).length;
    if (refused) found.push(["refused", refused === 1 ? "1 answer refused" : `${refused} answers refused`]);
    return found.map(([kind, text]) => element("span", { class: `mark ${kind}` }, text));
  }

  function sum(decision, key) {
    const values = decision.calls.map((each) => each.completion[key]);
    return values.includes(null) ? null : values.reduce((total, value) => total + value, 0);
  }

  function totals(decision) {
    if (!decision.calls.length) return null;
    return [
      `${write.count(sum(decision, "input_tokens"))} + ${write.count(sum(decision, "output_tokens"))} tokens`,
      sum(decision, "cost") === null ? "cost unknown" : write.dollars(sum(decision, "cost")),
      write.seconds(sum(decision, "latency_seconds")),
    ].join(" · ");
  }

  // The whole decision as an article; `player` is its player's name.
  function show(decision, battle, player) {
    const { game } = Porimon;
    const content = [
      orders(decision),
      decision.calls.map((each) => call(each, battle.details.texts, decision.calls.length === 1)),
      decision.retrieved.length
        ? folded("Retrieved experiences", element("div", { class: "experiences" }, decision.retrieved.map((found) => experience(found, battle))), `${decision.retrieved.length}`, true)
        : null,
      decision.facts ? folded("Computed for this decision", () => game.facts(decision, battle) || "Nothing.") : null,
      decision.view ? folded("What the player saw", () => game.view(decision, battle)) : null,
    ];
    return element(
      "article",
      { class: `decision seat-${decision.seat}`, "aria-label": `${player}: ${decision.order}` },
      element(
        "header",
        {},
        element("h4", {}, element("span", { class: "player" }, player), " ", element("b", {}, decision.order)),
        marks(decision),
        element("span", { class: "took" }, totals(decision) || "asks no model"),
      ),
      content,
    );
  }

  // What a player took from the battle, and the calls that it took.
  function reflection(seat, player, document, battle) {
    const { experience: learnt } = document;
    const lessons = (learnt.lessons || []).map((lesson) => element("li", {}, lesson));
    return element(
      "article",
      { class: `decision seat-${seat}` },
      element("header", {}, element("h4", {}, element("span", { class: "player" }, player), " remembers")),
      element("p", {}, learnt.summary || "No summary."),
      lessons.length ? element("ul", { class: "lessons" }, lessons) : null,
      document.calls.map((each) => call(each, battle.details.texts, document.calls.length === 1)),
      folded("The stored experience", () => Porimon.plain(learnt)),
    );
  }

  return { show, reflection, folded };
})();
