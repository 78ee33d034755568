"""Reaching definitions: which definitions of a place may give the value that is read, over a body's
control-flow graph.

Sets are bits of an integer, one bit for a definition as seen by one tracked place: an assignment to
`self.model` decides alone what
`self.model.head` is, and is one of several that decide what `self` is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from burnlint.rust import hir
from burnlint.rust.flow_defs import Definition, Place
from burnlint.rust.flow_graph import BACK, NEXT, Graph, Scope

State = tuple[int, int]
"""The definitions that arrive in this round, and those that arrive from an earlier round of a loop that
holds them."""


@dataclass(slots=True)
class Effect:
    """What a definition does to the sets."""

    gen: int = 0
    kill: int = 0


@dataclass(slots=True)
class Reach:
    """The solved sets of one body."""

    places: dict[Place, int] = field(default_factory=dict)
    """For each tracked place the bits of the definitions it sees."""
    seen: list[Definition] = field(default_factory=list)
    """The definition behind each bit."""
    states: dict[int, State] = field(default_factory=dict)
    """The sets before each use or target, by the id of its LocalRef."""

    def at(self, use: int, place: Place) -> tuple[list[Definition], list[Definition]]:
        """The definitions of `place` that may be current at a LocalRef: all, and those of an earlier
        round."""
        state, mask = self.states.get(use), self.places.get(place, 0)
        if state is None:
            return [], []
        return self._listed((state[0] | state[1]) & mask), self._listed(state[1] & mask)

    def _listed(self, bits: int) -> list[Definition]:
        out = []
        while bits:
            low = bits & -bits
            out.append(self.seen[low.bit_length() - 1])
            bits ^= low
        return out


def solve(graph: Graph, places: set[Place]) -> Reach:
    """Solve the graph for the tracked `places` and those that are defined."""
    reach = Reach()
    by_local: dict[hir.Local, list[Place]] = {}
    for place in dict.fromkeys([*sorted(places, key=_order), *(d.place for d in graph.definitions)]):
        by_local.setdefault(place.local, []).append(place)
        reach.places[place] = 0
    effects = [_effect(d, by_local[d.place.local], reach) for d in graph.definitions]
    for definition, effect in zip(graph.definitions, effects, strict=True):
        if not definition.weak:
            for place in by_local[definition.place.local]:
                if definition.place.covers(place):
                    effect.kill |= reach.places[place]
    within: dict[int, int] = {}
    for definition, effect in zip(graph.definitions, effects, strict=True):
        scope = graph.def_scopes[definition.id]
        while scope is not None:
            within[scope.id] = within.get(scope.id, 0) | effect.gen
            scope = scope.outer
    starts = _fixpoint(graph, effects, within)
    for block, events in enumerate(graph.events):
        now, earlier = starts[block]
        for event in events:
            if isinstance(event, int):
                reach.states[event] = (now, earlier)
            else:
                effect = effects[event.id]
                now, earlier = (now & ~effect.kill) | effect.gen, earlier & ~effect.kill
    return reach


def _order(place: Place) -> tuple[int, tuple[str, ...]]:
    return place.local.id, place.fields


def _effect(definition: Definition, places: list[Place], reach: Reach) -> Effect:
    """Give the definition a bit for each place that sees it; `let x;` has none, it only ends what was."""
    effect = Effect()
    if definition.kind == "declared":
        return effect
    for place in places:
        if definition.place.covers(place) or place.covers(definition.place):
            bit = 1 << len(reach.seen)
            reach.seen.append(definition)
            reach.places[place] |= bit
            effect.gen |= bit
    return effect


def _fixpoint(graph: Graph, effects: list[Effect], within: dict[int, int]) -> list[State]:
    blocks = [_block_effect(events, effects) for events in graph.events]
    starts: list[State] = [(0, 0)] * len(blocks)
    todo, queued, visited = [0], {0}, {0}
    while todo:
        block = todo.pop()
        queued.discard(block)
        now, earlier = starts[block]
        effect = blocks[block]
        now, earlier = (now & ~effect.kill) | effect.gen, earlier & ~effect.kill
        for target, kind, scope in graph.edges[block]:
            if kind not in (NEXT, BACK):
                continue
            arriving = _crossing(now, earlier, scope, within)
            old = starts[target]
            new = (old[0] | arriving[0], old[1] | arriving[1])
            if new != old or target not in visited:
                visited.add(target)
                starts[target] = new
                if target not in queued:
                    queued.add(target)
                    todo.append(target)
    return starts


def _crossing(now: int, earlier: int, scope: Scope | None, within: dict[int, int]) -> State:
    if scope is None:
        return now, earlier
    inside = within.get(scope.id, 0)
    return now & ~inside, earlier | (now & inside)


def _block_effect(events: list[int | Definition], effects: list[Effect]) -> Effect:
    total = Effect()
    for event in events:
        if not isinstance(event, int):
            effect = effects[event.id]
            total.gen = (total.gen & ~effect.kill) | effect.gen
            total.kill |= effect.kill
    return total
