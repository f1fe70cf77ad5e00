"""What would have shown by now: each inference, and where none may be drawn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from porimon.showdown.candidates import Clues, ClueTracker, candidates, revealed_from_view
from porimon.showdown.dex import dex
from porimon.showdown.view.model import PokemonView

ENTRY = """
|switch|p1a: Snorlax|Snorlax, L82, M|100/100
|switch|p2a: Garchomp|Garchomp, L75, M|100/100
|turn|1
|
"""


def clues(log: str, name: str = "Garchomp", entry: str = ENTRY) -> Clues:
    tracker = ClueTracker()
    tracker.apply((entry + log).strip().splitlines())
    return tracker.clues("p2", name)


def test_two_moves_in_a_row_exclude_choice_items() -> None:
    one = "|move|p2a: Garchomp|Earthquake|p1a: Snorlax\n|-damage|p1a: Snorlax|50/100\n"
    other = "|move|p2a: Garchomp|Outrage|p1a: Snorlax\n|-damage|p1a: Snorlax|10/100\n"
    away = (
        "|switch|p2a: Gengar|Gengar, L82, M|100/100\n"
        "|switch|p2a: Garchomp|Garchomp, L75, M|99/100\n"
    )
    choice = {"choiceband", "choicescarf", "choicespecs"}
    assert not choice & clues(one + one).excluded_items.keys()
    assert choice <= clues(one + other).excluded_items.keys()
    assert not choice & clues(one + away + other).excluded_items.keys()
    called = other.replace("Snorlax\n", "Snorlax|[from]move: Sleep Talk\n", 1)
    assert not choice & clues(one + called).excluded_items.keys()


def test_a_status_move_excludes_the_assault_vest() -> None:
    log = "|move|p2a: Garchomp|Swords Dance|p2a: Garchomp\n|-boost|p2a: Garchomp|atk|2\n"
    assert clues(log).excluded_items.keys() == {"assaultvest"}


def end_of_turn(before: str, *residual: str, start: str = "") -> str:
    return "\n".join(
        [f"|-damage|p2a: Garchomp|{before}", "|", start, *residual, "|upkeep", "|turn|2", ""]
    )


def test_hurt_and_not_healed_excludes_leftovers() -> None:
    assert "leftovers" in clues(end_of_turn("60/100")).excluded_items
    healed = "|-heal|p2a: Garchomp|66/100|[from] item: Leftovers"
    assert "leftovers" not in clues(end_of_turn("60/100", healed)).excluded_items


def test_whoever_was_first_hurt_at_the_end_of_the_turn_may_hold_leftovers() -> None:
    """Poison comes after Leftovers: at full HP these had nothing to heal."""
    log = "|\n|-damage|p2a: Garchomp|88/100 psn|[from] psn\n|upkeep\n|turn|2\n"
    assert "leftovers" not in clues(log).excluded_items


def test_magic_room_and_embargo_suppress_every_item() -> None:
    room = "|-fieldstart|move: Magic Room|[of] p1a: Snorlax\n"
    assert clues(room + end_of_turn("60/100")).excluded_items == {}
    embargo = "|-start|p2a: Garchomp|Embargo\n"
    assert clues(embargo + end_of_turn("60/100")).excluded_items == {}


def test_a_lost_item_ends_the_inferences() -> None:
    lost = "|-enditem|p2a: Garchomp|Leftovers|[from] move: Knock Off|[of] p1a: Snorlax\n"
    assert "leftovers" not in clues(lost + end_of_turn("60/100")).excluded_items


def test_no_recoil_excludes_the_life_orb() -> None:
    hit = "|move|p2a: Garchomp|Earthquake|p1a: Snorlax\n|-damage|p1a: Snorlax|50/100\n"
    recoil = "|-damage|p2a: Garchomp|90/100|[from] item: Life Orb\n"
    assert "lifeorb" in clues(hit + "|\n").excluded_items
    assert "lifeorb" not in clues(hit).excluded_items, "it may still come"
    assert "lifeorb" not in clues(hit + recoil + "|\n").excluded_items
    missed = (
        "|move|p2a: Garchomp|Earthquake|p1a: Snorlax|[miss]\n|-miss|p2a: Garchomp|p1a: Snorlax\n"
    )
    assert "lifeorb" not in clues(missed + "|\n").excluded_items


def test_touching_it_without_harm_excludes_the_rocky_helmet() -> None:
    touch = "|move|p1a: Snorlax|Body Slam|p2a: Garchomp\n|-damage|p2a: Garchomp|80/100\n"
    hurt = "|-damage|p1a: Snorlax|84/100|[from] item: Rocky Helmet|[of] p2a: Garchomp\n"
    assert "rockyhelmet" in clues(touch + "|\n").excluded_items
    assert "rockyhelmet" not in clues(touch + hurt + "|\n").excluded_items
    quake = touch.replace("Body Slam", "Earthquake")
    assert "rockyhelmet" not in clues(quake + "|\n").excluded_items


ROCKS = "|-sidestart|p2: foe|move: Stealth Rock\n"
COMES = "|switch|p2a: Gengar|Gengar, L82, M|100/100\n"


def test_rocks_tell_who_wears_boots() -> None:
    hurt = "|-damage|p2a: Gengar|88/100|[from] Stealth Rock\n"
    told = clues(ROCKS + COMES + hurt + "|\n", "Gengar")
    assert "heavydutyboots" in told.excluded_items
    assert told.implied_item is None
    assert clues(ROCKS + COMES + "|\n", "Gengar").implied_item == "heavydutyboots"
    assert clues(COMES + "|\n", "Gengar").implied_item is None
    swept = ROCKS + "|-sideend|p2: foe|Stealth Rock|[from] move: Rapid Spin|[of] p2a: Garchomp\n"
    assert clues(swept + COMES + "|\n", "Gengar").implied_item is None


def test_of_two_that_come_in_at_once_both_pass_the_rocks() -> None:
    other = "|switch|p1a: Torkoal|Torkoal, L87, M|100/100\n"
    hurt = "|-damage|p2a: Gengar|88/100|[from] Stealth Rock\n"
    told = clues(ROCKS + COMES + other + hurt + "|turn|2\n", "Gengar")
    assert told.implied_item is None
    assert "heavydutyboots" in told.excluded_items


def test_who_was_healed_to_the_full_first_may_hold_leftovers() -> None:
    wish = "|-heal|p2a: Garchomp|100/100|[from] move: Wish|[wisher] Clefable"
    poison = "|-damage|p2a: Garchomp|88/100 tox|[from] psn"
    assert "leftovers" not in clues(end_of_turn("60/100", wish, poison)).excluded_items


def test_magic_guard_needs_no_boots() -> None:
    clefable = "|switch|p2a: Clefable|Clefable, L83, F|100/100\n"
    assert clues(ROCKS + clefable + "|\n", "Clefable").implied_item is None


def test_what_an_exchange_brings_us_is_what_the_foe_came_with() -> None:
    trick = (
        "|move|p1a: Snorlax|Trick|p2a: Garchomp\n"
        "|-activate|p1a: Snorlax|move: Trick|[of] p2a: Garchomp\n"
        "|-item|p2a: Garchomp|Choice Band|[from] move: Trick\n"
        "|-item|p1a: Snorlax|Rocky Helmet|[from] move: Trick\n"
    )
    assert clues(trick).implied_item == "rockyhelmet"
    back = trick.replace("Choice Band", "x").replace("Rocky Helmet", "Choice Band")
    assert clues(trick + "|\n" + back).implied_item == "rockyhelmet"


def test_a_berry_that_was_not_eaten_is_none() -> None:
    hit = "|move|p1a: Snorlax|Earthquake|p2a: Garchomp\n|-damage|p2a: Garchomp|40/100\n"
    eaten = "|-enditem|p2a: Garchomp|Sitrus Berry|[eat]\n"
    assert "sitrusberry" in clues(hit + "|\n").excluded_items
    assert "sitrusberry" not in clues(hit + eaten + "|\n").excluded_items
    above = hit.replace("40/100", "50/100")
    assert "sitrusberry" not in clues(above + "|\n").excluded_items


def test_a_berry_is_eaten_after_the_upkeep_message() -> None:
    poison = "|\n|-damage|p2a: Garchomp|40/100 tox|[from] psn\n|upkeep\n"
    eaten = "|-enditem|p2a: Garchomp|Sitrus Berry|[eat]\n|turn|2\n"
    assert "sitrusberry" not in clues(poison + eaten).excluded_items
    assert "sitrusberry" in clues(poison + "|turn|2\n").excluded_items


def test_weakness_policy_and_white_herb_act_at_once() -> None:
    hit = (
        "|move|p1a: Snorlax|Ice Beam|p2a: Garchomp\n|-supereffective|p2a: Garchomp\n"
        "|-damage|p2a: Garchomp|30/100\n|-unboost|p2a: Garchomp|atk|1\n|\n"
    )
    assert {"weaknesspolicy", "whiteherb"} <= clues(hit).excluded_items.keys()
    fatal = hit.replace("30/100", "0 fnt") + "|faint|p2a: Garchomp\n"
    assert "weaknesspolicy" not in clues(fatal).excluded_items


def test_an_ability_that_announces_itself_did_not() -> None:
    salamence = "|switch|p2a: Salamence|Salamence, L76, M|100/100\n"
    assert "intimidate" in clues(salamence + "|\n", "Salamence").excluded_abilities
    shown = "|-ability|p2a: Salamence|Intimidate|boost\n|-unboost|p1a: Snorlax|atk|1\n"
    assert clues(salamence + shown + "|\n", "Salamence").excluded_abilities == {}


def test_what_illusion_made_believe_is_taken_back() -> None:
    moves = (
        "|move|p2a: Garchomp|Knock Off|p1a: Snorlax\n|-damage|p1a: Snorlax|50/100\n"
        "|move|p2a: Garchomp|Sludge Bomb|p1a: Snorlax\n|-damage|p1a: Snorlax|20/100\n|\n"
    )
    ended = "|replace|p2a: Zoroark|Zoroark, L84, M\n|-end|p2a: Zoroark|Illusion\n"
    assert clues(moves).excluded_items
    assert clues(moves + ended).excluded_items == {}


def test_clues_narrow_the_candidates() -> None:
    species = dex().species("garchomp")
    sets = dex().random_sets("garchomp")
    assert sets is not None
    seen = PokemonView(
        species="garchomp",
        team_species="garchomp",
        name="Garchomp",
        level=sets.level,
        gender="M",
        types=species.types,
        base_stats=species.base_stats,
        hp_fraction=1.0,
    )
    before = candidates(revealed_from_view(seen))
    first = before.items[0][0]
    told = Clues(excluded_items={first: "it would have shown"})
    after = candidates(revealed_from_view(seen, told))
    assert first not in dict(after.items)
    assert after.relaxed == ()
    # After an exchange the view shows what it was given; it came with something else.
    other = before.items[-1][0]
    given = replace(seen, item=first)
    exchanged = candidates(revealed_from_view(given, Clues(implied_item=other)))
    assert [item for item, _ in exchanged.items] == [other]
    # What was seen outweighs what was inferred.
    holding = replace(seen, item=first)
    assert [item for item, _ in candidates(revealed_from_view(holding, told)).items] == [first]


def test_nothing_is_known_of_the_unseen() -> None:
    assert clues("", "Gengar") == Clues()


@pytest.mark.parametrize("line", ["", "|", "nonsense", "|switch|", "|-damage|p2a: Nobody|1/100"])
def test_odd_lines_change_nothing(line: str) -> None:
    assert clues(line) == Clues()
