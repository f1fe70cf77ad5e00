"""The offline reader's reflection: counted from the log's sentences, in the form asked for."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from porimon.llm.model import AnswerFormat, Message
from porimon.llm.offline.battle_log import read_log
from porimon.llm.offline.reader import OfflineReader

LOG = """Turn 3: Rotom used Hydro Pump. It was super effective on the opposing Heatran. The opposing
Heatran lost 88% of its HP; 12% left. [sep] The opposing Heatran used Magma Storm. Rotom lost 40%
(86 points) of its HP; 60% (128/214) left. [sep] The opposing Heatran lost 6% of its HP from its
burn; 6% left. Turn 4: Rotom used Hydro Pump. The opposing Heatran lost 6% of its HP; none left. The
opposing Heatran fainted. [sep] Mr. Mime used Psychic. The opposing Garchomp lost 30% of its HP; 70%
left. The opposing Garchomp used Earthquake. Mr. Mime lost 100% (200 points) of its HP; none left.
Mr. Mime fainted. Blissey lost 12% (40 points) of its HP from Stealth Rock; none left. Blissey
fainted. You lost the battle.""".replace("\n", " ")

ASKED = f"""FINISHED BATTLE
Result | you lost | turns: 4 | your Pokémon left: 4 | opposing Pokémon left: 5
Your Pokémon | Rotom-Wash | Electric/Water | level 81 | HP 60% at the end
Your Pokémon | Mr. Mime | Psychic/Fairy | level 88 | fainted
Your Pokémon | Blissey | Normal | level 85 | fainted
Opposing Pokémon | Heatran | Fire/Steel | level 79 | fainted
Opposing Pokémon | Garchomp | Dragon/Ground | level 77 | HP 70% at the end
Opposing Pokémon not seen | 4

BATTLE LOG (oldest turn first; actions are parted by [sep])
<<<
{LOG}
>>>

Reflect on this finished battle.
Answer format:
{{"summary": "<text>", "lessons": ["<text>"], "importance": {{"own": {{}}, "opponent": {{}}}}}}"""


def test_a_log_is_counted() -> None:
    digest = read_log(LOG)
    rotom, heatran, garchomp = (False, "Rotom"), (True, "Heatran"), (True, "Garchomp")
    assert digest.damage_by_move[rotom, "Hydro Pump"] == 94, "the burn's damage is not Rotom's"
    assert digest.damage_to[heatran] == 100
    assert digest.damage_by[heatran] == 40
    assert digest.faints == [
        (heatran, rotom, "Hydro Pump"),
        ((False, "Mr. Mime"), garchomp, "Earthquake"),
        ((False, "Blissey"), None, "from Stealth Rock"),
    ]


def reflection() -> dict[str, object]:
    text = OfflineReader().answer((Message("user", ASKED),), AnswerFormat())
    document: dict[str, object] = json.loads(text)
    return document


def test_the_summary_tells_result_faints_and_the_strongest() -> None:
    summary = reflection()["summary"]
    assert summary == (
        "You lost. 1 opposing Pokémon and 2 of ours fainted. "
        "Our Rotom did most damage (94% in all), mostly with Hydro Pump. "
        "The opposing Garchomp did most damage (100% in all), mostly with Earthquake."
    )


def test_the_lessons_can_be_used_by_a_later_decision() -> None:
    lessons = reflection()["lessons"]
    assert isinstance(lessons, list)
    assert lessons[0].startswith("The opposing Garchomp fainted 1 of ours with Earthquake")
    assert lessons[1].startswith("Hydro Pump fainted opposing Heatran")


def test_importance_of_every_listed_pokemon_from_0_to_10() -> None:
    """3 a faint and 1 for each 40 % of damage; Rotom-Wash is the log's Rotom."""
    assert reflection()["importance"] == {
        "own": {"Rotom-Wash": round(3 + 94 / 40), "Mr. Mime": round(30 / 40), "Blissey": 0},
        "opponent": {"Heatran": 1, "Garchomp": round(3 + 100 / 40)},
    }


def test_an_empty_log_still_gives_a_whole_reflection() -> None:
    text = OfflineReader().answer((Message("user", ASKED.replace(LOG, "")),), AnswerFormat())
    document = json.loads(text)
    assert document["summary"]
    assert document["lessons"]
    assert document["importance"]["own"]["Rotom-Wash"] == 0


pieces = st.sampled_from(
    [
        *("The opposing A", "B", " used ", "Surf", ". ", " lost 5% of its HP", "; 3% left"),
        *(" fainted.", " [sep] ", "\n", " from ", "100%", "(", ")", "Turn 3: "),
    ]
)


@given(st.lists(pieces, max_size=60).map("".join))
def test_any_log_is_counted_without_complaint(log: str) -> None:
    digest = read_log(log)
    assert all(share >= 0 for share in digest.damage_to.values())
