"""The calculator's ranges against the game's damage formula, worked here step by step.

The cases are those that home-made calculators got wrong: Huge Power, Solar Beam, auras,
Infiltrator, multi-hit moves, power from speed, Levitate, Life Orb, boosts counted twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

import pytest

from porimon.showdown.calculator import (
    CombatantSpec,
    DamageQuery,
    DamageRange,
    FieldSpec,
    QueryProblem,
    SideSpec,
)
from porimon.showdown.calculator.client import Calculator
from porimon.showdown.dex import boosted, dex, stat_value

LEVEL = 80

pytestmark = pytest.mark.asyncio(loop_scope="module")


def one(species: str, **changes: object) -> CombatantSpec:
    return replace(CombatantSpec(species, LEVEL), **changes)  # type: ignore[arg-type]


def stat(species: str, name: str) -> int:
    base = dex().species(species).base_stats[name]  # type: ignore[index]
    return stat_value(name, base, LEVEL, 85, 31)  # type: ignore[arg-type]


def half_down(value: Fraction) -> int:
    """The game's rounding: to the nearest whole number, halves down."""
    return ceil(value - Fraction(1, 2))


def modified(value: int, *modifiers: int) -> int:
    """A value under modifiers in 4096ths, chained as the game chains them."""
    chained = 4096
    for modifier in modifiers:
        chained = (chained * modifier + 2048) >> 12
    return half_down(Fraction(value * chained, 4096))


@dataclass(frozen=True)
class Hit:
    """The formula's inputs: everything that bears on one strike."""

    power: int
    attack: int
    defence: int
    stab: bool = False
    effectiveness: Fraction = Fraction(1)
    weather: Fraction = Fraction(1)
    critical: bool = False
    burned: bool = False
    final: tuple[int, ...] = ()

    def roll(self, factor: int) -> int:
        """The damage at a random factor of 85 to 100."""
        damage = (2 * LEVEL // 5 + 2) * self.power * self.attack // self.defence // 50 + 2
        damage = half_down(damage * self.weather)
        if self.critical:
            damage = damage * 3 // 2
        damage = damage * factor // 100
        if self.stab:
            damage = half_down(Fraction(damage * 3, 2))
        damage = floor(damage * self.effectiveness)
        if self.burned:
            damage //= 2
        return modified(damage, *self.final)

    @property
    def rolls(self) -> tuple[int, ...]:
        return tuple(self.roll(factor) for factor in range(85, 101))


AZUMARILL = stat("azumarill", "atk")
SNORLAX = stat("snorlax", "def")
SNORLAX_SPECIAL = stat("snorlax", "spd")
GENGAR = stat("gengar", "spa")
YVELTAL = stat("yveltal", "atk")
RAIN = FieldSpec(weather="raindance")
SUN = FieldSpec(weather="sunnyday")
SCREENS = FieldSpec(defender_side=SideSpec(reflect=True, light_screen=True))

CASES = {
    "Huge Power doubles Attack": (
        DamageQuery(one("azumarill", ability="hugepower"), one("snorlax"), "aquajet"),
        Hit(40, AZUMARILL * 2, SNORLAX, stab=True),
    ),
    "without Huge Power": (
        DamageQuery(one("azumarill", ability="thickfat"), one("snorlax"), "aquajet"),
        Hit(40, AZUMARILL, SNORLAX, stab=True),
    ),
    "Solar Beam has its full power in sun": (
        DamageQuery(one("venusaur"), one("snorlax"), "solarbeam", SUN),
        Hit(120, stat("venusaur", "spa"), SNORLAX_SPECIAL, stab=True),
    ),
    "Solar Beam has half its power in rain": (
        DamageQuery(one("venusaur"), one("snorlax"), "solarbeam", RAIN),
        Hit(60, stat("venusaur", "spa"), SNORLAX_SPECIAL, stab=True),
    ),
    "rain strengthens Water": (
        DamageQuery(one("azumarill"), one("snorlax"), "aquajet", RAIN),
        Hit(40, AZUMARILL, SNORLAX, stab=True, weather=Fraction(3, 2)),
    ),
    "sun weakens Water": (
        DamageQuery(one("azumarill"), one("snorlax"), "aquajet", SUN),
        Hit(40, AZUMARILL, SNORLAX, stab=True, weather=Fraction(1, 2)),
    ),
    "Dark Aura": (
        DamageQuery(one("yveltal", ability="darkaura"), one("snorlax"), "knockoff"),
        Hit(modified(65, 5448), YVELTAL, SNORLAX, stab=True),
    ),
    "the foe's Dark Aura too": (
        DamageQuery(one("bisharp"), one("yveltal", ability="darkaura"), "foulplay"),
        Hit(
            modified(95, 5448),
            YVELTAL,
            stat("yveltal", "def"),
            stab=True,
            effectiveness=Fraction(1, 2),
        ),
    ),
    "Light Screen halves": (
        DamageQuery(one("gengar"), one("snorlax"), "sludgebomb", SCREENS),
        Hit(90, GENGAR, SNORLAX_SPECIAL, stab=True, final=(2048,)),
    ),
    "Infiltrator passes screens": (
        DamageQuery(one("gengar", ability="infiltrator"), one("snorlax"), "sludgebomb", SCREENS),
        Hit(90, GENGAR, SNORLAX_SPECIAL, stab=True),
    ),
    "a critical hit passes screens and ignores the foe's boosts": (
        DamageQuery(
            one("gengar"),
            one("snorlax", boosts=(("spd", 2),)),
            "sludgebomb",
            SCREENS,
            critical=True,
        ),
        Hit(90, GENGAR, SNORLAX_SPECIAL, stab=True, critical=True),
    ),
    "boosts of both sides": (
        DamageQuery(
            one("azumarill", boosts=(("atk", 2),)), one("snorlax", boosts=(("def", 1),)), "aquajet"
        ),
        Hit(40, boosted(AZUMARILL, 2), boosted(SNORLAX, 1), stab=True),
    ),
    "Gyro Ball's power comes from both speeds": (
        DamageQuery(one("ferrothorn"), one("tyranitar"), "gyroball"),
        Hit(
            25 * stat("tyranitar", "spe") // stat("ferrothorn", "spe") + 1,
            stat("ferrothorn", "atk"),
            stat("tyranitar", "def"),
            stab=True,
            effectiveness=Fraction(2),
        ),
    ),
    "Life Orb": (
        DamageQuery(one("gengar", item="lifeorb"), one("snorlax"), "sludgebomb"),
        Hit(90, GENGAR, SNORLAX_SPECIAL, stab=True, final=(5324,)),
    ),
    "Choice Specs": (
        DamageQuery(one("gengar", item="choicespecs"), one("snorlax"), "sludgebomb"),
        Hit(90, modified(GENGAR, 6144), SNORLAX_SPECIAL, stab=True),
    ),
    "Assault Vest": (
        DamageQuery(one("gengar"), one("snorlax", item="assaultvest"), "sludgebomb"),
        Hit(90, GENGAR, modified(SNORLAX_SPECIAL, 6144), stab=True),
    ),
    "Thick Fat": (
        DamageQuery(one("gengar"), one("snorlax", ability="thickfat"), "icywind"),
        Hit(55, modified(GENGAR, 2048), SNORLAX_SPECIAL),
    ),
    "a burn halves physical damage": (
        DamageQuery(one("azumarill", status="brn"), one("snorlax"), "aquajet"),
        Hit(40, AZUMARILL, SNORLAX, stab=True, burned=True),
    ),
    "Guts turns the burn round": (
        DamageQuery(one("machamp", ability="guts", status="brn"), one("snorlax"), "facade"),
        Hit(140, modified(stat("machamp", "atk"), 6144), SNORLAX),
    ),
    "Multiscale at full HP": (
        DamageQuery(one("gengar"), one("dragonite", ability="multiscale"), "sludgebomb"),
        Hit(90, GENGAR, stat("dragonite", "spd"), stab=True, final=(2048,)),
    ),
    "Multiscale below": (
        DamageQuery(
            one("gengar"), one("dragonite", ability="multiscale", hp_fraction=0.9), "sludgebomb"
        ),
        Hit(90, GENGAR, stat("dragonite", "spd"), stab=True),
    ),
    "Knock Off with an item to take": (
        DamageQuery(one("azumarill"), one("snorlax", item="leftovers"), "knockoff"),
        Hit(modified(65, 6144), AZUMARILL, SNORLAX),
    ),
    "Knock Off with none": (
        DamageQuery(one("azumarill"), one("snorlax"), "knockoff"),
        Hit(65, AZUMARILL, SNORLAX),
    ),
    "Foul Play uses the foe's Attack and its boosts": (
        DamageQuery(one("gengar"), one("snorlax", boosts=(("atk", 2),)), "foulplay"),
        Hit(95, boosted(stat("snorlax", "atk"), 2), SNORLAX),
    ),
    "Body Press uses Defense": (
        DamageQuery(one("skarmory"), one("ferrothorn"), "bodypress"),
        Hit(
            80,
            stat("skarmory", "def"),
            stat("ferrothorn", "def"),
            effectiveness=Fraction(2),
        ),
    ),
    "Psyshock strikes Defense": (
        DamageQuery(one("gengar"), one("snorlax"), "psyshock"),
        Hit(80, GENGAR, SNORLAX),
    ),
    "Freeze-Dry on Water": (
        DamageQuery(one("gengar"), one("azumarill"), "freezedry"),
        Hit(70, GENGAR, stat("azumarill", "spd"), effectiveness=Fraction(2)),
    ),
    "the types of now, not of the species": (
        DamageQuery(one("gengar"), one("snorlax", types=("water",)), "thunderbolt"),
        Hit(90, GENGAR, SNORLAX_SPECIAL, effectiveness=Fraction(2)),
    ),
    "sand strengthens the Special Defense of Rock types": (
        DamageQuery(one("gengar"), one("tyranitar"), "focusblast", FieldSpec(weather="sandstorm")),
        Hit(120, GENGAR, stat("tyranitar", "spd") * 3 // 2, effectiveness=Fraction(4)),
    ),
    "terrain lifts the power of grounded attackers": (
        DamageQuery(
            one("venusaur"), one("snorlax"), "energyball", FieldSpec(terrain="grassyterrain")
        ),
        Hit(modified(90, 5325), stat("venusaur", "spa"), SNORLAX_SPECIAL, stab=True),
    ),
    "Intrepid Sword's boost counts once": (
        DamageQuery(
            one("zaciancrowned", ability="intrepidsword", boosts=(("atk", 1),)),
            one("snorlax"),
            "playrough",
        ),
        Hit(90, boosted(stat("zaciancrowned", "atk"), 1), SNORLAX, stab=True),
    ),
    "Download's boost counts once": (
        DamageQuery(one("porygonz", ability="download"), one("snorlax"), "triattack"),
        Hit(80, stat("porygonz", "spa"), SNORLAX_SPECIAL, stab=True),
    ),
    "Adaptability is not assumed": (
        DamageQuery(one("porygonz"), one("snorlax"), "triattack"),
        Hit(80, stat("porygonz", "spa"), SNORLAX_SPECIAL, stab=True),
    ),
    "Flash Fire when it has been lit": (
        DamageQuery(
            one("heatran", ability="flashfire", ability_on=True), one("snorlax"), "lavaplume"
        ),
        Hit(80, modified(stat("heatran", "spa"), 6144), SNORLAX_SPECIAL, stab=True),
    ),
    "exact stats override EVs": (
        DamageQuery(
            one("azumarill", stats={"atk": 300}), one("snorlax", stats={"def": 100}), "aquajet"
        ),
        Hit(40, 300, 100, stab=True),
    ),
}


@pytest.mark.parametrize("case", CASES)
async def test_a_range_follows_from_the_formula(case: str, calculator: Calculator) -> None:
    query, hit = CASES[case]
    answers = await calculator.calculate([query])
    assert answers is not None
    answer = answers[0]
    assert isinstance(answer, DamageRange), answer
    assert answer.rolls == (hit.rolls,)
    assert (answer.minimum, answer.maximum) == (hit.rolls[0], hit.rolls[-1])
    assert answer.percent_minimum == pytest.approx(
        100 * answer.minimum / answer.defender_max_hp, abs=0.006
    )


ZEROES = {
    "Levitate": DamageQuery(one("garchomp"), one("gengar", ability="levitate"), "earthquake"),
    "a Ghost and Night Shade's reverse": DamageQuery(one("gengar"), one("snorlax"), "nightshade"),
    "a Ghost and Super Fang": DamageQuery(one("gengar"), one("gengar"), "superfang"),
    "Volt Absorb": DamageQuery(one("zapdos"), one("jolteon", ability="voltabsorb"), "thunderbolt"),
    "Soundproof": DamageQuery(one("gengar"), one("exploud", ability="soundproof"), "hypervoice"),
    "Sturdy and Fissure": DamageQuery(one("dugtrio"), one("steelix", ability="sturdy"), "fissure"),
    "priority in Psychic Terrain": DamageQuery(
        one("azumarill"), one("snorlax"), "aquajet", FieldSpec(terrain="psychicterrain")
    ),
}


@pytest.mark.parametrize("case", ZEROES)
async def test_what_has_no_effect_takes_nothing(case: str, calculator: Calculator) -> None:
    answers = await calculator.calculate([ZEROES[case]])
    assert answers is not None
    assert isinstance(answers[0], DamageRange)
    assert (answers[0].minimum, answers[0].maximum) == (0, 0)


async def answer_of(calculator: Calculator, query: DamageQuery) -> DamageRange:
    answers = await calculator.calculate([query])
    assert answers is not None
    assert isinstance(answers[0], DamageRange), answers[0]
    return answers[0]


async def test_a_multi_hit_move_spans_its_fewest_and_most_strikes(calculator: Calculator) -> None:
    query = DamageQuery(one("cloyster", ability="overcoat"), one("snorlax"), "iciclespear")
    strike = Hit(25, stat("cloyster", "atk"), SNORLAX, stab=True).rolls
    answer = await answer_of(calculator, query)
    assert answer.hits == (2, 5)
    assert (answer.minimum, answer.maximum) == (2 * strike[0], 5 * strike[-1])
    skilled = await answer_of(
        calculator, query._replace(attacker=one("cloyster", ability="skilllink"))
    )
    assert skilled.hits == (5, 5)
    assert (skilled.minimum, skilled.maximum) == (5 * strike[0], 5 * strike[-1])
    assert (await answer_of(calculator, query._replace(hits=3))).minimum == 3 * strike[0]


async def test_triple_axel_grows_and_may_stop_early(calculator: Calculator) -> None:
    attack = stat("weavile", "atk")
    answer = await answer_of(calculator, DamageQuery(one("weavile"), one("snorlax"), "tripleaxel"))
    strikes = [Hit(power, attack, SNORLAX, stab=True).rolls for power in (20, 40, 60)]
    assert answer.hits == (1, 3)
    assert answer.minimum == strikes[0][0]
    assert answer.maximum == sum(rolls[-1] for rolls in strikes)
    assert answer.rolls == tuple(strikes)


async def test_fixed_damage(calculator: Calculator) -> None:
    snorlax = one("snorlax", hp_fraction=0.5)
    shade = await answer_of(calculator, DamageQuery(one("gengar"), one("tyranitar"), "nightshade"))
    assert (shade.minimum, shade.maximum) == (LEVEL, LEVEL)
    half = round(stat("snorlax", "hp") / 2)
    fang = await answer_of(calculator, DamageQuery(one("gengar"), snorlax, "superfang"))
    assert fang.minimum == fang.maximum == half // 2
    cold = await answer_of(calculator, DamageQuery(one("lapras"), snorlax, "sheercold"))
    assert cold.maximum == half
    assert (cold.ko_hits, cold.ko_chance) == (1, 1)


async def test_the_chance_of_a_knock_out(calculator: Calculator) -> None:
    """Half of the sixteen rolls take what is left, so the chance is a half."""
    query = DamageQuery(one("gengar"), one("snorlax"), "sludgebomb")
    rolls = (await answer_of(calculator, query)).rolls[0]
    left = sorted(rolls)[8]
    expected = sum(roll >= left for roll in rolls) / 16
    hurt = one("snorlax", hp_fraction=left / stat("snorlax", "hp"))
    answer = await answer_of(calculator, query._replace(defender=hurt))
    assert answer.ko_hits == 1
    assert answer.ko_chance == pytest.approx(expected)
    assert answer.description is not None
    assert "OHKO" in answer.description
    plain = await answer_of(calculator, query._replace(defender=hurt, detail=False))
    assert (plain.ko_hits, plain.description) == (None, None)


async def test_what_cannot_be_known_before_is_a_problem_and_not_a_zero(
    calculator: Calculator,
) -> None:
    answers = await calculator.calculate(
        [
            DamageQuery(one("gengar"), one("snorlax"), "counter"),
            DamageQuery(one("gengar"), one("snorlax"), "toxic"),
        ]
    )
    assert answers is not None
    assert all(isinstance(answer, QueryProblem) for answer in answers)
