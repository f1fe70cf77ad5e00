"""A player in about ten lines: the move that its type makes strongest, or a random switch."""

from porimon.showdown.players.plain import PlainPlayer


class TypeReader(PlainPlayer):
    def pick(self, moment, orders, forced):
        active, foe = moment.battle.active_pokemon, moment.battle.opponent_active_pokemon
        known = active.moves if active else {}
        moves = [order for order in orders if order.kind == "move" and order.target in known]
        if not moves or foe is None:
            return self.rng.choice(orders)
        return max(moves, key=lambda order: strength(known[order.target], foe))


def strength(move, foe):
    return move.base_power * foe.damage_multiplier(move)
