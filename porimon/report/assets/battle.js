// The page of a battle: `battle.html#3.12/7` is turn 7 of battle 12 of matchup 3, `#3.12/end` what
// is left after the last turn.
// Arrow keys step through the turns, [ and ] through the battles.
"use strict";

(function () {
  const { element, store, write } = Porimon;
  const main = document.getElementById("content");
  const ADDRESS = /^#(\d+)\.(\d+)(?:\/(\d+|end))?$/;
  const { END } = Porimon.game;
  let battle = null;
  let turns = [];
  let turn = null;
  let parts = null;

  function turnsOf(each) {
    const told = each.told.turns.map((told) => told.number);
    const decided = each.details.decisions.map((decision) => decision.turn);
    const all = new Set([...told, ...decided]);
    // What happened before the first turn is told with it.
    if (all.size > 1 && Math.min(...all) === 0 && all.has(1)) all.delete(0);
    const numbers = [...all].sort((one, other) => one - other);
    return Porimon.game.showsEnd(each) ? [...numbers, END] : numbers;
  }

  async function load(matchup, number) {
    const name = `${matchup}.${number}`;
    if (!store.battle[name]) await Porimon.load(`battles/${matchup}/${number}.js`);
    const found = store.battle[name];
    if (!found.unpacked) {
      found.log = Porimon.unpack.text(found.log);
      found.told = JSON.parse(Porimon.unpack.text(found.told));
      found.details = Porimon.unpack.details(found.details);
      found.unpacked = true;
      await remember(found);
    }
    return found;
  }

  // What the experiences say that the battle's decisions were given.
  async function remember(each) {
    const { number } = each.matchup;
    if (Porimon.store.experiences[number] || !each.details.decisions.some((made) => made.retrieved.length)) return;
    try {
      await Porimon.load(`battles/${number}/experiences.js`);
    } catch {
      Porimon.store.experiences[number] = {}; // the page is worth showing without them
    }
  }

  function result(each) {
    const { players } = each.matchup;
    if (each.winner === null) return ["Tie"];
    const loser = each.winner === "a" ? "b" : "a";
    const how = { forfeit: " by forfeit", turn_limit: " by the turn limit" }[each.end] || "";
    return [
      element("span", { class: `seat-${each.winner}` }, players[each.winner]),
      " beat ",
      element("span", { class: `seat-${loser}` }, players[loser]),
      how,
    ];
  }

  function heading(each) {
    const facts = [
      each.matchup.stage,
      `${each.turns} turns`,
      `${each.order[0]} played the first side`,
      write.seconds(each.seconds),
      `seed ${each.seed}`,
    ];
    const notes = each.notes.map((note) => element("span", { class: "mark note" }, note.replaceAll("_", " ")));
    const files = Porimon.game
      .downloads(each)
      .concat([{ label: "Decisions (JSON)", name: `${each.name}.json`, type: "application/json", text: () => JSON.stringify(each.details) }]);
    const step = (name, text, key) =>
      name ? element("a", { href: `#${name}`, rel: key === "[" ? "prev" : "next" }, text) : element("span", { class: "none" }, text);
    return element(
      "header",
      { class: "battle-head" },
      element("p", { class: "crumbs" },
        element("a", { href: `battles.html#${new URLSearchParams({ one: each.matchup.players.a, other: each.matchup.players.b })}` },
          `${each.matchup.players.a} against ${each.matchup.players.b}`),
        ` · battle ${each.name}`),
      element("h1", {}, result(each)),
      element("p", { class: "lead" }, facts.join(" · "), " ", notes),
      element("p", { class: "actions" },
        step(each.previous, "← previous battle", "["),
        step(each.next, "next battle →", "]"),
        files.map((file) =>
          element("button", { type: "button", onclick: () => Porimon.save(file.name, file.type, typeof file.text === "function" ? file.text() : file.text) }, `⤓ ${file.label}`))),
    );
  }

  function log(number) {
    if (number === END) return element("p", { class: "lead" }, result(battle), ".");
    const told = battle.told.turns.filter((each) => each.number === number || (number === turns[0] && each.number < number));
    const segments = told.flatMap((each) => each.segments);
    if (!segments.length) return element("p", { class: "lead" }, "Nothing is told of this turn.");
    return element("ol", { class: "log" }, segments.map((text) => element("li", {}, text)));
  }

  function build() {
    document.title = `Battle ${battle.name} · ${battle.matchup.players.a} against ${battle.matchup.players.b}`;
    const step = (by, text, label) => element("button", { type: "button", "aria-label": label, onclick: () => go(by) }, text);
    parts = {
      timeline: Porimon.timeline.show(battle, turns),
      title: element("h2", { id: "turn-title", "aria-live": "polite" }),
      board: element("div", { class: "board-place" }),
      log: element("div", {}),
      decisions: element("div", { class: "decisions" }),
    };
    const learnt = Object.entries(battle.details.reflections).sort().map(([seat, document]) =>
      Porimon.decision.reflection(seat, battle.matchup.players[seat], document, battle));
    main.replaceChildren(
      heading(battle),
      parts.timeline,
      element("div", { class: "turn-head" }, step(-1, "←", "Previous turn"), parts.title, step(1, "→", "Next turn"),
        element("span", { class: "hint" }, "arrow keys step through")),
      element("div", { class: "turn" },
        element("section", { "aria-label": "Board" }, parts.board),
        element("section", { class: "told", "aria-labelledby": "log-title" }, element("h3", { id: "log-title" }, "What happened"), parts.log)),
      element("section", { "aria-labelledby": "decisions-title" }, element("h3", { id: "decisions-title" }, "Decisions"), parts.decisions),
      learnt.length
        ? element("section", { "aria-labelledby": "learnt-title" }, element("h3", { id: "learnt-title" }, "Learnt from this battle"), element("div", { class: "decisions" }, learnt))
        : "",
    );
  }

  function show(number) {
    turn = number;
    const numbers = turns.filter((each) => each !== END);
    parts.title.textContent = turn === END ? "The end" : `Turn ${turn} of ${numbers[numbers.length - 1]}`;
    Porimon.timeline.mark(parts.timeline, turn);
    parts.board.replaceChildren(Porimon.game.board(battle, turn) || "");
    parts.log.replaceChildren(log(turn));
    const decided = battle.details.decisions.filter((each) => each.turn === turn);
    const bySeat = ["a", "b"].map((seat) =>
      element("div", { class: "of-seat" },
        decided.filter((each) => each.seat === seat)
          .map((each) => Porimon.decision.show(each, battle, battle.matchup.players[seat]))));
    parts.decisions.replaceChildren(...(decided.length ? bySeat : [element("p", { class: "lead" }, turn === END ? "The battle is over." : "Nobody had to decide anything.")]));
  }

  function go(by) {
    const place = turns.indexOf(turn) + by;
    if (place >= 0 && place < turns.length) location.hash = `#${battle.name}/${turns[place]}`;
  }

  function fail(text) {
    battle = null;
    main.replaceChildren(element("h1", {}, "No such battle"), element("p", { class: "lead" }, text, " ", element("a", { href: "battles.html" }, "All battles")));
  }

  async function follow() {
    const address = ADDRESS.exec(location.hash);
    if (address === null) return fail("The address names no battle (like #1.2).");
    const [, matchup, number, wanted] = address;
    try {
      const found = await load(matchup, number);
      if (found !== battle) {
        battle = found;
        turns = turnsOf(battle);
        build();
      }
    } catch (error) {
      return fail(`Battle ${matchup}.${number} can't be shown: ${error.message}.`);
    }
    const asked = wanted === undefined ? turns[0] : wanted === END ? END : Number(wanted);
    show(turns.includes(asked) ? asked : turns[0]);
    performance.mark("shown"); // for measurements
    document.documentElement.dataset.ready = `${battle.name}/${turn}`;
  }

  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    if (!battle || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea")) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.key in steps) {
      event.preventDefault();
      go(steps[event.key]);
    } else if (event.key === "[" && battle.previous) location.hash = `#${battle.previous}`;
    else if (event.key === "]" && battle.next) location.hash = `#${battle.next}`;
  });
  follow();
})();
