"""Damage ranges: queries and answers, the service that reckons, and the table of a decision.

The client (``porimon.showdown.calculator.client``) and the process
(``porimon.showdown.calculator.service``) are not imported here: they need aiohttp.
"""

from porimon.showdown.calculator.model import (
    CombatantSpec,
    DamageAnswer,
    DamageQuery,
    DamageRange,
    FieldSpec,
    QueryProblem,
    SideSpec,
)
from porimon.showdown.calculator.table import (
    DamageTable,
    MatchupDamage,
    MoveDamage,
    damage_table,
    plan_damage,
    read_damage,
)

__all__ = [
    "CombatantSpec",
    "DamageAnswer",
    "DamageQuery",
    "DamageRange",
    "DamageTable",
    "FieldSpec",
    "MatchupDamage",
    "MoveDamage",
    "QueryProblem",
    "SideSpec",
    "damage_table",
    "plan_damage",
    "read_damage",
]
