"""Event → sentences, from one player's side (Porimon §II-B; the wording is our own)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from porimon.showdown.events import model
from porimon.showdown.events.model import Event, SideRole
from porimon.showdown.events.sentences import (
    actions,
    activations,
    battle,
    field,
    health,
    hits,
    items,
    stages,
    volatiles,
)
from porimon.showdown.events.sentences.move_order import MoveData, MoveOrder
from porimon.showdown.events.sentences.naming import Names
from porimon.showdown.events.sentences.scene import Scene, Silence

Told = tuple[str, ...] | Silence
"""What an event gives: its sentences, or why there are none."""

# Each wording takes an event of the class it stands under.
_Wording = Callable[[Any, Scene], str | Silence]

WORDINGS: dict[type[Event], _Wording | Silence] = {
    model.UnknownEvent: Silence.UNKNOWN,
    model.PlayerJoined: Silence.SETUP,
    model.TeamSize: Silence.SETUP,
    model.GameType: Silence.SETUP,
    model.Generation: Silence.SETUP,
    model.Tier: Silence.SETUP,
    model.Rated: Silence.SETUP,
    model.Rule: Silence.SETUP,
    model.ClearPreview: Silence.SETUP,
    model.PreviewPokemon: Silence.SETUP,
    model.TeamPreview: Silence.SETUP,
    model.BattleStart: Silence.SPACING,
    model.Request: Silence.SPACING,
    model.TimerMessage: Silence.ROOM,
    model.Upkeep: Silence.SPACING,
    model.Turn: Silence.SPACING,
    model.Win: battle.win,
    model.Tie: battle.tie,
    model.Timestamp: Silence.SPACING,
    model.Spacer: Silence.SPACING,
    model.RoomMessage: Silence.ROOM,
    model.Move: actions.move,
    model.Switch: actions.switch,
    model.IllusionEnded: actions.illusion_ended,
    model.DetailsChange: actions.details_change,
    model.FormeChange: actions.forme_change,
    model.Cant: actions.cant,
    model.Faint: actions.faint,
    model.Swap: Silence.OTHER_FORMAT,
    model.Damage: health.damage,
    model.Heal: health.heal,
    model.SetHp: health.set_hp,
    model.Fail: hits.fail,
    model.Block: hits.block,
    model.NoTarget: hits.no_target,
    model.Miss: hits.miss,
    model.CriticalHit: hits.critical_hit,
    model.SuperEffective: hits.super_effective,
    model.Resisted: hits.resisted,
    model.Immune: hits.immune,
    model.OneHitKnockOut: hits.one_hit_knock_out,
    model.HitCount: hits.hit_count,
    model.Status: stages.status,
    model.CureStatus: stages.cure_status,
    model.CureTeam: stages.cure_team,
    model.Boost: stages.boost,
    model.SetBoost: stages.set_boost,
    model.SwapBoost: stages.swap_boost,
    model.InvertBoost: stages.invert_boost,
    model.ClearBoost: stages.clear_boost,
    model.ClearAllBoost: stages.clear_all_boost,
    model.ClearPositiveBoost: stages.clear_positive_boost,
    model.ClearNegativeBoost: stages.clear_negative_boost,
    model.CopyBoost: stages.copy_boost,
    model.Weather: field.weather,
    model.FieldStart: field.field_start,
    model.FieldEnd: field.field_end,
    model.FieldActivate: field.field_activate,
    model.SideStart: field.side_start,
    model.SideEnd: field.side_end,
    model.SwapSideConditions: field.swap_side_conditions,
    model.VolatileStart: volatiles.start,
    model.VolatileEnd: volatiles.end,
    model.Activate: activations.activate,
    model.SingleMove: volatiles.single_move,
    model.SingleTurn: volatiles.single_turn,
    model.Ability: items.ability,
    model.AbilityEnd: items.ability_end,
    model.Item: items.item,
    model.ItemEnd: items.item_end,
    model.Transform: actions.transform,
    model.PowerUp: Silence.OTHER_FORMAT,
    model.Prepare: actions.prepare,
    model.MustRecharge: actions.must_recharge,
    model.NothingHappened: hits.nothing_happened,
    model.Combine: Silence.OTHER_FORMAT,
    model.Waiting: Silence.OTHER_FORMAT,
    model.Animation: Silence.LOOKS,
    model.Hint: battle.hint,
    model.BattleMessage: battle.message,
}
"""For each event its wording, or why it is silent."""


class Narrator:
    """Tells one battle's events to one player, in order.

    Parameters
    ----------
    role:
        The player's side.
    data:
        Moves and species, to tell whether Speed decided who moved first; ``None``: the package's
        game data.
    names:
        How Pokémon and sides are named; ``None``: as the player of ``role`` reads them.
    """

    def __init__(
        self, role: SideRole, data: MoveData | None = None, names: Names | None = None
    ) -> None:
        if data is None:
            from porimon.showdown.dex import dex

            data = dex()
        self._scene = Scene(names or Names(role))
        self._order = MoveOrder(data)

    def tell(self, event: Event) -> Told:
        """The sentences of the next event, or the reason why there are none."""
        wording = WORDINGS[type(event)]
        told = wording if isinstance(wording, Silence) else wording(event, self._scene)
        order = self._order.note(event, self._scene)
        self._scene.follow(event)
        if isinstance(told, Silence):
            return told
        return (told,) if order is None else (order, told)
