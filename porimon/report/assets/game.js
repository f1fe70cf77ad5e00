// What a battle page asks of a game, with answers for a game that brings no script of its own.
// A game's script replaces some of these functions; `battle` is what `battle.js` unpacked.
"use strict";

Porimon.plain = function (document) {
  const text = JSON.stringify(document, null, 1);
  return Porimon.element("pre", {}, text);
};

Porimon.game = {
  // In place of a turn's number: what is left after the last turn.
  END: "end",
  // Whether the game can draw the board of a battle's end.
  showsEnd: (battle) => false,
  // The board when a turn begins, or at the END, as an element, or null.
  board: (battle, turn) => null,
  // How much each seat has left when a turn begins, or at the END: {a, b} between 0 and 1, or null.
  left: (battle, turn) => null,
  // What the player of a decision saw, as an element, or null.
  view: (decision) => (decision.view ? Porimon.plain(decision.view) : null),
  // What was computed for a decision, as an element, or null.
  facts: (decision) => (decision.facts ? Porimon.plain(decision.facts) : null),
  // Files to download: [{label, name, type, text}].
  downloads: (battle) => [
    { label: "Log", name: `${battle.name}.log`, type: "text/plain", text: battle.log },
  ],
};
