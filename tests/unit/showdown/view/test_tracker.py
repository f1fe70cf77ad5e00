"""What single messages tell the tracker, by hand-worked cases. The simulator checks the whole."""

from __future__ import annotations

from porimon.showdown.view.model import NO_ITEM, PokemonView, dump_view, load_view
from tests.unit.showdown.view.requests import BENCH, SUICUNE, request, started, view_after


def foe(*lines: str) -> PokemonView:
    active = view_after(*lines).foe.active
    assert active is not None
    return active


def test_screens_last_five_turns_or_eight_until_the_item_is_known() -> None:
    """Two ends of turn after Reflect, 3 or 6 turns are left; seen Leftovers leave 3."""
    lines = ["|move|p2a: Blissey|Reflect|p2a: Blissey", "|-sidestart|p2: bot 10|Reflect"]
    lines += ["|upkeep", "|turn|2", "|", "|upkeep", "|turn|3"]
    reflect = view_after(*lines).foe.condition("reflect")
    assert reflect is not None
    assert (reflect.turns_left_min, reflect.turns_left_max) == (3, 6)
    seen = view_after(*lines, "|-heal|p2a: Blissey|100/100|[from] item: Leftovers")
    reflect = seen.foe.condition("reflect")
    assert reflect is not None
    assert (reflect.turns_left_min, reflect.turns_left_max) == (3, 3)


def test_a_screen_that_outlasts_five_turns_was_prolonged() -> None:
    lines = ["|-sidestart|p2: bot 10|Reflect"]
    for turn in range(2, 7):
        lines += ["|", "|upkeep", f"|turn|{turn}"]
    reflect = view_after(*lines).foe.condition("reflect")
    assert reflect is not None
    assert (reflect.turns_left_min, reflect.turns_left_max) == (3, 3)


def test_weather_begun_at_the_end_of_a_turn_does_not_count_that_turn() -> None:
    """Sand Spit through Future Sight: the phase under way does not shorten it."""
    view = view_after("|", "|-weather|Sandstorm|[from] ability: Sand Spit|[of] p2a: Blissey",
                      "|upkeep", "|turn|2")  # fmt: skip
    assert view.field.weather is not None
    assert view.field.weather.turns_left_min == 5


def test_hazard_layers_have_a_limit() -> None:
    view = view_after(
        *["|-sidestart|p1: bot 1|Spikes"] * 4, "|-sidestart|p1: bot 1|move: Stealth Rock"
    )
    spikes = view.own.condition("spikes")
    assert spikes is not None
    assert spikes.layers == 3
    assert view.own.condition("stealthrock") is not None
    assert view.foe.conditions == ()


def test_pressure_takes_two_pp_from_a_move_aimed_at_its_holder_only() -> None:
    """The own Suicune has Pressure. Seismic Toss: 32 − 2; Soft-Boiled, at itself: 16 − 1."""
    moves = {
        move.id: (move.pp, move.max_pp)
        for move in foe(
            "|-ability|p1a: Suicune|Pressure",
            "|move|p2a: Blissey|Seismic Toss|p1a: Suicune",
            "|move|p2a: Blissey|Soft-Boiled|p2a: Blissey",
        ).moves
    }
    assert moves == {"seismictoss": (30, 32), "softboiled": (15, 16)}


def test_called_moves_are_not_its_own() -> None:
    told = foe(
        "|move|p2a: Blissey|Metronome|p2a: Blissey",
        "|move|p2a: Blissey|Surf|p1a: Suicune|[from] move: Metronome",
    )
    assert [move.id for move in told.moves] == ["metronome"]


def test_items_of_now_and_formerly() -> None:
    told = foe("|-enditem|p2a: Blissey|Leftovers|[from] move: Knock Off|[of] p1a: Suicune")
    assert (told.item, told.former_items) == (NO_ITEM, ("leftovers",))
    traded = foe(
        "|-item|p1a: Suicune|Choice Scarf|[from] move: Trick",
        "|-item|p2a: Blissey|Leftovers|[from] move: Trick",
    )
    assert (traded.item, traded.former_items) == ("leftovers", ("choicescarf",))


def test_an_eaten_berry_is_not_held_again_by_what_it_heals() -> None:
    told = foe(
        "|-enditem|p2a: Blissey|Sitrus Berry|[eat]",
        "|-heal|p2a: Blissey|75/100|[from] item: Sitrus Berry",
    )
    assert (told.item, told.former_items) == (NO_ITEM, ("sitrusberry",))


def test_types_after_soak_and_roost() -> None:
    assert foe("|-start|p2a: Blissey|typechange|Water").types == ("water",)
    added = foe("|-start|p2a: Blissey|typeadd|Ghost|[from] move: Trick-or-Treat")
    assert added.types == ("normal", "ghost")


def test_toxic_counter_grows_each_turn_and_begins_anew_on_return() -> None:
    lines = ["|-status|p2a: Blissey|tox", "|", "|upkeep", "|turn|2", "|", "|upkeep", "|turn|3"]
    assert foe(*lines).status_turns == 2
    back = [
        "|switch|p2a: Lugia|Lugia, L73|100/100",
        "|switch|p2a: Blissey|Blissey, L83, F|88/100 tox",
    ]
    assert foe(*lines, *back).status_turns == 0


def test_baton_pass_hands_on_stages_and_substitute_but_not_yawn() -> None:
    told = foe(
        "|-boost|p2a: Blissey|spe|2",
        "|-start|p2a: Blissey|Substitute",
        "|-start|p2a: Blissey|move: Yawn|[of] p1a: Suicune",
        "|switch|p2a: Lugia|Lugia, L73|100/100|[from] Baton Pass",
    )
    assert dict(told.boosts) == {"spe": 2}
    assert [effect.id for effect in told.volatiles] == ["substitute"]


def test_illusion_gives_back_what_was_seen_of_the_impersonated_one() -> None:
    view = view_after(
        "|switch|p2a: Lugia|Lugia, L73|100/100",
        "|move|p2a: Lugia|Sludge Bomb|p1a: Suicune",
        "|-damage|p2a: Lugia|40/100",
        "|replace|p2a: Zoroark|Zoroark, L82, F",
        "|-end|p2a: Zoroark|Illusion",
    )
    active = view.foe.active
    assert active is not None
    assert (active.species, active.ability, active.hp_fraction) == ("zoroark", "illusion", 0.4)
    assert [move.id for move in active.moves] == ["sludgebomb"]
    assert "lugia" not in [pokemon.species for pokemon in view.foe.team]


def test_transform_copies_everything_but_hp_and_item() -> None:
    told = foe(
        "|switch|p2a: Ditto|Ditto, L87|100/100",
        "|-transform|p2a: Ditto|p1a: Suicune|[from] ability: Imposter",
    )
    assert (told.species, told.team_species) == ("suicune", "ditto")
    assert told.types == ("water",)
    assert (told.transformed_into, told.base_ability) == ("suicune", "imposter")


def test_one_sees_through_a_one_turn_effect_only_in_that_turn() -> None:
    protect = "|-singleturn|p2a: Blissey|Protect"
    assert foe(protect).has_volatile("protect")
    assert not foe(protect, "|", "|upkeep", "|turn|2").has_volatile("protect")


def test_future_sight_and_wish_are_pending_on_the_right_side() -> None:
    view = view_after(
        "|move|p1a: Suicune|Wish|p1a: Suicune",
        "|-start|p2a: Blissey|move: Future Sight",
        "|", "|upkeep", "|turn|2",
    )  # fmt: skip
    assert {found.id: found.turns_left_max for found in view.own.conditions} == {
        "wish": 1,
        "futuresight": 2,
    }


def test_speed_with_tailwind_and_paralysis() -> None:
    """Own 150: Tailwind ×2 = 300. Blissey L83, base 55: ⌊(110+31+21)·83/100⌋+5 = 139, half 69."""
    view = view_after(
        "|-sidestart|p1: bot 1|move: Tailwind",
        "|-status|p2a: Blissey|par",
        "|-heal|p2a: Blissey|100/100 par|[from] item: Leftovers",
    )
    assert view.speed is not None
    assert (view.speed.own, view.speed.foe_low, view.speed.foe_high) == (300, 69, 69)
    assert view.speed.first == "own"


def test_trick_room_turns_the_order_round() -> None:
    view = view_after(
        "|-heal|p2a: Blissey|100/100|[from] item: Leftovers",
        "|-fieldstart|move: Trick Room|[of] p2a: Blissey",
    )
    assert view.speed is not None
    assert (view.speed.trick_room, view.speed.first) == (True, "foe")


def test_an_unseen_choice_scarf_leaves_the_order_open() -> None:
    """139 × 1.5 = 208 against 150."""
    view = view_after()
    assert view.speed is not None
    assert (view.speed.foe_low, view.speed.foe_high, view.speed.first) == (139, 208, None)


def test_sides_are_told_by_role_whatever_the_user_names_look_like() -> None:
    view = view_after("|-sidestart|p2: p1: bot 1|Spikes")
    assert view.own.conditions == ()
    assert view.foe.condition("spikes") is not None


def test_a_view_survives_storage() -> None:
    view = view_after("|-status|p2a: Blissey|tox", "|-weather|RainDance")
    assert load_view(dump_view(view)) == view
    assert dump_view(load_view(dump_view(view))) == dump_view(view)
    assert dump_view(view) != dump_view(view_after("|-status|p2a: Blissey|psn"))


def test_a_view_does_not_change_when_the_battle_goes_on() -> None:
    """The tracker's own records are never handed out."""
    tracker = started()
    view = tracker.view(request(SUICUNE, *BENCH))
    stored = dump_view(view)
    tracker.apply(
        [
            "|-boost|p2a: Blissey|spd|2",
            "|-damage|p2a: Blissey|3/100 tox",
            "|-sidestart|p2: x|Spikes",
            "|move|p2a: Blissey|Toxic|p1a: Suicune",
        ]
    )
    tracker.view(request(SUICUNE, *BENCH))
    assert dump_view(view) == stored
