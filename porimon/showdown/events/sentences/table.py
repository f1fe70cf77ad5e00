"""The table of message types: for each, protocol lines and how they read, or why they are silent.

``python -m porimon.showdown.events.sentences.table`` prints ``docs/short-term-log.md``. The
readings are not written here: the narrator makes them, so that the page cannot say anything else
than what a player is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from porimon.showdown.events.parse import KNOWN_MESSAGE_TYPES, ROOM_MESSAGE_TYPES, parse_line
from porimon.showdown.events.sentences.activations import ACTIVATIONS
from porimon.showdown.events.sentences.narrator import Narrator
from porimon.showdown.events.sentences.scene import Silence
from porimon.showdown.events.sentences.volatiles import ENDS, SINGLE_MOVES, SINGLE_TURNS, STARTS

# Before each example: Rex is ours with 240 of its 300 HP, Gyarados the opponent's.
SETTING = (
    "|player|p1|ann",
    "|player|p2|bob",
    "|switch|p1a: Rex|Garchomp, L80|240/300",
    "|switch|p2a: Gyarados|Gyarados, L80|100/100",
)

EXAMPLES: dict[str, tuple[str, ...]] = {
    "player": ("|player|p1|ann|60",),
    "teamsize": ("|teamsize|p1|6",),
    "gametype": ("|gametype|singles",),
    "gen": ("|gen|8",),
    "tier": ("|tier|[Gen 8] Random Battle",),
    "rated": ("|rated|",),
    "rule": ("|rule|Dynamax Clause: You cannot dynamax",),
    "clearpoke": ("|clearpoke",),
    "poke": ("|poke|p1|Garchomp, L80|item",),
    "teampreview": ("|teampreview",),
    "start": ("|start",),
    "request": ('|request|{"wait":true}',),
    "inactive": ("|inactive|Time left: 150 sec",),
    "inactiveoff": ("|inactiveoff|Battle timer is now OFF.",),
    "": ("|",),
    "upkeep": ("|upkeep",),
    "turn": ("|turn|5",),
    "t:": ("|t:|1700000000",),
    "win": ("|win|ann",),
    "tie": ("|tie",),
    "move": (
        "|move|p1a: Rex|Earthquake|p2a: Gyarados",
        "|move|p2a: Gyarados|Outrage|p1a: Rex|[from] lockedmove",
        "|move|p1a: Rex|Earthquake|p2a: Gyarados|[from] move: Sleep Talk",
        "|move|p2a: Gyarados|Stealth Rock|p1a: Rex|[from] ability: Magic Bounce",
        "|move|p1a: Rex|Earthquake|p2: Gyarados|[notarget]",
    ),
    "switch": (
        "|switch|p1a: Vaporeon|Vaporeon, L80|100/340 par",
        "|switch|p2a: Rotom|Rotom-Wash, L80|55/100|[from] U-turn",
    ),
    "drag": ("|drag|p1a: Vaporeon|Vaporeon, L80|340/340",),
    "replace": ("|replace|p2a: Zoroark|Zoroark, L80",),
    "detailschange": ("|detailschange|p2a: Mimikyu|Mimikyu-Busted, L80",),
    "-formechange": ("|-formechange|p2a: Gyarados|Morpeko-Hangry||[from] ability: Hunger Switch",),
    "cant": (
        "|cant|p1a: Rex|par",
        "|cant|p1a: Rex|slp",
        "|cant|p2a: Gyarados|flinch",
        "|cant|p2a: Gyarados|move: Taunt|Dragon Dance",
        "|cant|p1a: Rex|ability: Damp|Explosion|[of] p2a: Gyarados",
    ),
    "faint": ("|faint|p2a: Gyarados",),
    "swap": ("|swap|p1a: Rex|1",),
    "-damage": (
        "|-damage|p2a: Gyarados|66/100",
        "|-damage|p1a: Rex|203/300 psn|[from] psn",
        "|-damage|p1a: Rex|190/300|[from] item: Rocky Helmet|[of] p2a: Gyarados",
    ),
    "-heal": ("|-heal|p1a: Rex|258/300|[from] item: Leftovers",),
    "-sethp": ("|-sethp|p1a: Rex|200/300|[from] move: Pain Split",),
    "-fail": (
        "|-fail|p1a: Rex",
        "|-fail|p2a: Gyarados|par",
        "|-fail|p1a: Rex|heal",
        "|-fail|p1a: Rex|move: Substitute|[weak]",
        "|-fail|p2a: Gyarados|unboost|[from] ability: Clear Body|[of] p2a: Gyarados",
    ),
    "-block": ("|-block|p2a: Gyarados|ability: Sweet Veil|[of] p2a: Gyarados",),
    "-notarget": ("|-notarget|p1a: Rex",),
    "-miss": ("|-miss|p1a: Rex|p2a: Gyarados",),
    "-crit": ("|-crit|p2a: Gyarados",),
    "-supereffective": ("|-supereffective|p2a: Gyarados",),
    "-resisted": ("|-resisted|p1a: Rex",),
    "-immune": (
        "|-immune|p2a: Gyarados",
        "|-immune|p2a: Gyarados|[from] ability: Levitate",
    ),
    "-ohko": ("|-ohko",),
    "-hitcount": ("|-hitcount|p2a: Gyarados|3",),
    "-status": (
        "|-status|p1a: Rex|tox",
        "|-status|p2a: Gyarados|par|[from] ability: Static|[of] p1a: Rex",
    ),
    "-curestatus": ("|-curestatus|p1a: Rex|slp|[msg]",),
    "-cureteam": ("|-cureteam|p2a: Gyarados",),
    "-boost": (
        "|-boost|p1a: Rex|atk|2",
        "|-boost|p1a: Rex|atk|0",
        "|-boost|p2a: Gyarados|spa|1|[from] item: Throat Spray",
    ),
    "-unboost": ("|-unboost|p2a: Gyarados|spe|1",),
    "-setboost": ("|-setboost|p1a: Rex|atk|6|[from] move: Belly Drum",),
    "-swapboost": ("|-swapboost|p1a: Rex|p2a: Gyarados|atk, spa|[from] move: Power Swap",),
    "-invertboost": ("|-invertboost|p2a: Gyarados|[from] move: Topsy-Turvy",),
    "-clearboost": ("|-clearboost|p2a: Gyarados",),
    "-clearallboost": ("|-clearallboost",),
    "-clearpositiveboost": ("|-clearpositiveboost|p2a: Gyarados|p1a: Rex|move: Spectral Thief",),
    "-clearnegativeboost": ("|-clearnegativeboost|p1a: Rex|[silent]",),
    "-copyboost": ("|-copyboost|p1a: Rex|p2a: Gyarados|[from] move: Psych Up",),
    "-weather": (
        "|-weather|RainDance|[from] ability: Drizzle|[of] p2a: Gyarados",
        "|-weather|RainDance|[upkeep]",
        "|-weather|none",
    ),
    "-fieldstart": (
        "|-fieldstart|move: Grassy Terrain|[from] ability: Grassy Surge|[of] p2a: Gyarados",
    ),
    "-fieldend": ("|-fieldend|move: Trick Room",),
    "-fieldactivate": ("|-fieldactivate|move: Perish Song",),
    "-sidestart": ("|-sidestart|p1: ann|move: Stealth Rock",),
    "-sideend": (
        "|-sideend|p2: bob|Reflect",
        "|-sideend|p1: ann|Spikes|[from] move: Defog|[of] p2a: Gyarados",
    ),
    "-swapsideconditions": ("|-swapsideconditions",),
    "-start": (
        "|-start|p1a: Rex|confusion",
        "|-start|p2a: Gyarados|typechange|Ice|[from] ability: Protean",
        "|-start|p1a: Rex|Disable|Earthquake|[from] ability: Cursed Body|[of] p2a: Gyarados",
        "|-start|p1a: Rex|perish3|[silent]",
    ),
    "-end": (
        "|-end|p2a: Gyarados|Substitute",
        "|-end|p2a: Gyarados|Illusion",
        "|-end|p1a: Rex|Attract|[silent]",
    ),
    "-activate": (
        "|-activate|p2a: Gyarados|move: Protect",
        "|-activate|p1a: Rex|move: Magma Storm|[of] p2a: Gyarados",
        "|-activate|p1a: Rex|move: Spite|Earthquake|4",
        "|-activate|p2a: Gyarados|ability: Mummy|p1a: Rex|[ability] Rough Skin",
        "|-activate|p1a: Rex|move: Court Change",
    ),
    "-singlemove": ("|-singlemove|p2a: Gyarados|Destiny Bond",),
    "-singleturn": ("|-singleturn|p1a: Rex|move: Roost",),
    "-ability": (
        "|-ability|p2a: Gyarados|Pressure",
        "|-ability|p2a: Gyarados|Intimidate|boost",
        "|-ability|p1a: Rex|Intimidate|Trace|[from] ability: Trace|[of] p2a: Gyarados",
    ),
    "-endability": ("|-endability|p2a: Gyarados",),
    "-item": (
        "|-item|p2a: Gyarados|Air Balloon",
        "|-item|p2a: Gyarados|Leftovers|[from] ability: Frisk|[of] p1a: Rex",
        "|-item|p1a: Rex|Choice Scarf|[from] move: Trick",
    ),
    "-enditem": (
        "|-enditem|p1a: Rex|Sitrus Berry|[eat]",
        "|-enditem|p1a: Rex|Leftovers|[from] move: Knock Off|[of] p2a: Gyarados",
        "|-enditem|p2a: Gyarados|Focus Sash",
        "|-enditem|p1a: Rex|Leftovers|[silent]|[from] move: Trick",
    ),
    "-transform": ("|-transform|p2a: Ditto|p1a: Rex|[from] ability: Imposter",),
    "-prepare": ("|-prepare|p1a: Rex|Solar Beam",),
    "-mustrecharge": ("|-mustrecharge|p2a: Gyarados",),
    "-nothing": ("|-nothing",),
    "-hint": ("|-hint|Fake Out only works on your first turn out.",),
    "-message": ("|-message|Sleep Clause Mod activated.", "|-message|bob forfeited."),
    "bigerror": ("|bigerror|You will auto-tie if the battle doesn't end in 10 turns.",),
    "-anim": ("|-anim|p1a: Rex|Solar Beam|p2a: Gyarados",),
    "-center": ("|-center",),
    "-combine": ("|-combine",),
    "-waiting": ("|-waiting|p1a: Rex|p1b: Zapdos",),
    "-mega": ("|-mega|p1a: Rex|Garchomp|Garchompite",),
    "-primal": ("|-primal|p1a: Rex|Blue Orb",),
    "-burst": ("|-burst|p1a: Rex|Necrozma-Ultra|Ultranecrozium Z",),
    "-zpower": ("|-zpower|p1a: Rex",),
    "-zbroken": ("|-zbroken|p1a: Rex",),
    "-terastallize": ("|-terastallize|p1a: Rex|Fire",),
    "-candynamax": ("|-candynamax|p1",),
}
"""Protocol lines for every message type but the room's."""

_HEAD = """\
# The short-term log: what each message reads like

This page is made by `python -m porimon.showdown.events.sentences.table`; a test compares them.

Every battle message that Gen 8 singles can produce has a wording here or is silent on purpose. The
lines below are told to p1, whose Rex faces the opponent's Gyarados. One's own Pokémon are named
bare, the other side's "the opposing X"; sides are told by `p1` and `p2`. HP of one's own comes with
points. A line of an unknown type, or with fields that cannot be read, is kept raw and counted; it
never stops a battle.

A segment is one action with all that follows from it; segments are joined by `[sep]`. When two
chosen moves of one turn had the same priority with certainty, the log also says who moved before
whom. It says nothing where anything but Speed may have decided (Prankster and the like, Quick Claw,
Trick Room, an Encore in between, a move that did not come about).
"""


def render() -> str:
    """The page ``docs/short-term-log.md``."""
    sections = [
        _HEAD,
        "## Message types\n",
        "| message | line | reading, or why there is none |",
        "|---|---|---|",
        *_message_rows(),
        "",
        "These belong to the chat room and its page, and are silent: "
        + ", ".join(f"`{name}`" for name in sorted(ROOM_MESSAGE_TYPES))
        + ".",
        "",
        *_effects("Effects that begin (`-start`)", STARTS),
        *_effects("Effects that end (`-end`)", ENDS),
        *_effects("Effects of one turn (`-singleturn`)", SINGLE_TURNS),
        *_effects("Effects until the next move (`-singlemove`)", SINGLE_MOVES),
        *_effects("Effects that show themselves once (`-activate`)", ACTIVATIONS),
        'An effect without a wording of its own is told by its name: "X is under the effect of Y", '
        '"Y ended for X", "X\'s Y took effect".',
        "",
    ]
    return "\n".join(sections)


def reading(line: str) -> tuple[str, ...] | Silence:
    """How p1 is told a line, in the setting of the examples."""
    narrator = Narrator("p1")
    for earlier in SETTING:
        narrator.tell(parse_line(earlier))
    return narrator.tell(parse_line(line))


def _message_rows() -> Iterator[str]:
    for message_type in sorted(KNOWN_MESSAGE_TYPES - ROOM_MESSAGE_TYPES):
        for line in EXAMPLES[message_type]:
            told = reading(line)
            text = f"*silent:* {told.value}" if isinstance(told, Silence) else " ".join(told)
            shown = line.replace("|", "\\|")
            yield f"| `{message_type or '(none)'}` | `{shown}` | {text} |"


def _effects(title: str, templates: Mapping[str, str]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| effect | reading |"
    yield "|---|---|"
    for effect, template in sorted(templates.items()):
        text = template.format(pokemon="X", of="Y", detail="…")
        yield f"| `{effect}` | {text} |"
    yield ""


if __name__ == "__main__":
    print(render(), end="")
