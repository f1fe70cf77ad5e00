// Showdown's answers to what a battle page asks of a game (see `game.js` of the report).
"use strict";

(function () {
  const { element, game, showdown } = Porimon;

  // p1 is the seat that played first.
  function seatOf(battle, role) {
    const second = battle.first === "a" ? "b" : "a";
    return role === "p1" ? battle.first : second;
  }

  // Each seat's first view in a turn: what it saw when the turn began.
  function views(battle, turn) {
    const found = {};
    for (const decision of battle.details.decisions) {
      if (decision.turn === turn && decision.view && !(decision.seat in found)) found[decision.seat] = decision.view;
    }
    return found;
  }

  // A side as its own player saw it, else as the other one did.
  function fromViews(battle, turn) {
    const seen = Object.values(views(battle, turn));
    if (!seen.length) return null;
    const board = { field: seen[0].field };
    for (const role of ["p1", "p2"]) {
      const own = seen.find((view) => view.me === role);
      board[role] = own ? own.own : seen[0].foe;
      if (!own) board[`${role}_note`] = "as the other player sees it";
    }
    return board;
  }

  function boardOf(battle, turn) {
    if (turn === game.END) return battle.told.boards.find((board) => board.final) || null;
    const exact = battle.told.boards.find((board) => board.turn === turn && !board.final);
    return exact || fromViews(battle, turn);
  }

  game.showsEnd = (battle) => boardOf(battle, game.END) !== null;

  game.board = function (battle, turn) {
    const board = boardOf(battle, turn);
    if (board === null) return element("p", { class: "lead" }, "The board of this turn is not in the record.");
    const sides = Object.fromEntries(["p1", "p2"].map((role) => {
      const seat = seatOf(battle, role);
      return [seat, showdown.side(board[role], battle.matchup.players[seat], seat, board[`${role}_note`])];
    }));
    return element("div", { class: "board" }, sides.a, showdown.field(board.field), sides.b);
  };

  function share(side) {
    const known = side.active ? [side.active, ...side.bench] : side.bench;
    const unseen = side.team_size - known.length;
    return (unseen + known.reduce((sum, pokemon) => sum + pokemon.hp_fraction, 0)) / side.team_size;
  }

  game.left = function (battle, turn) {
    const board = boardOf(battle, turn);
    if (board === null) return null;
    return Object.fromEntries(["p1", "p2"].map((role) => [seatOf(battle, role), share(board[role])]));
  };

  game.view = function (decision, battle) {
    if (!decision.view) return null;
    const { me, own, foe, field, speed } = decision.view;
    const other = decision.seat === "a" ? "b" : "a";
    const words = [];
    if (decision.view.forced_switch) words.push("forced to switch");
    if (decision.view.trapped) words.push("trapped");
    if (decision.view.maybe_trapped) words.push("maybe trapped");
    if (speed && speed.own !== null) words.push(`own Speed ${speed.own}, the foe's ${speed.foe_low} to ${speed.foe_high}`);
    return element("div", {},
      words.length ? element("p", { class: "soft" }, words.join("; ")) : null,
      element("div", { class: "board" },
        showdown.side(own, battle.matchup.players[decision.seat], decision.seat, `(${me}, its own side)`),
        showdown.field(field),
        showdown.side(foe, battle.matchup.players[other], other, "as it sees the other side")),
      Porimon.decision.folded("As data", () => Porimon.plain(decision.view)));
  };

  game.facts = (decision) => (decision.facts ? showdown.facts(decision.facts) : null);

  // The log with the players' names in place of p1 and p2.
  function named(battle) {
    const names = { p1: battle.order[0], p2: battle.order[1] };
    return battle.log
      .split("\n")
      .map((line) => {
        const parts = line.split("|");
        if (parts[1] === "player" && parts[2] in names) return `|player|${parts[2]}|${names[parts[2]]}|`;
        if (parts[1] === "win" && parts[2] in names) return `|win|${names[parts[2]]}`;
        return line;
      })
      .join("\n");
  }

  // The form in which Showdown's own client saves replays: the log inside a page that loads
  // Showdown's viewer. Slashes are escaped as it expects, so no log can end the script element; a
  // comment's beginning would keep the element from ending where it should.
  function replayPage(battle) {
    const escape = (text) => text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`);
    const title = escape(`${battle.order[0]} vs. ${battle.order[1]}, battle ${battle.name}`);
    return [
      "<!DOCTYPE html>",
      '<meta charset="utf-8">',
      `<title>${title}</title>`,
      '<div class="wrapper replay-wrapper" style="max-width:1180px;margin:0 auto">',
      `<input type="hidden" name="replayid" value="${escape(battle.name)}">`,
      '<div class="battle"></div><div class="battle-log"></div>',
      '<div class="replay-controls"></div><div class="replay-controls-2"></div>',
      `<script type="text/plain" class="battle-log-data">${named(battle).replaceAll("/", "\\/").replaceAll("<!--", "<! --")}<` + "/script>",
      "</div>",
      '<script src="https://play.pokemonshowdown.com/js/replay-embed.js"><' + "/script>",
      "",
    ].join("\n");
  }

  game.downloads = (battle) => [
    { label: "Showdown log", name: `${battle.name}.log`, type: "text/plain", text: () => named(battle) },
    { label: "Showdown replay", name: `${battle.name}.html`, type: "text/html", text: () => replayPage(battle) },
  ];
})();
