"""Value facts over the bodies of a workspace: where values come from, what becomes of them, what they are
derived by.

Every answer is Must (on every path), May (on some) or unknown, and carries the steps that led to it.
Functions of the workspace are looked into; a function that takes part in a recursion is opaque, and so is one
deeper than `MAX_FRAMES` calls. Budgets count steps of one question, so no answer depends on what was asked
before.
"""

from __future__ import annotations

from collections.abc import Callable

from burnlint.burn.calls import Target, TypeFacts, holds_mut, operands_as_written
from burnlint.burn.shapes import Size, Sizes, Span
from burnlint.burn.summaries import Summaries
from burnlint.burn.values_history import History, history
from burnlint.burn.values_origins import Origin, Origins, origins
from burnlint.burn.values_reach import Reach, Through, bindings, reaches, reaches_of
from burnlint.burn.values_reduction import Reduction, reduction
from burnlint.burn.values_shape import number, shape, spans
from burnlint.burn.values_site import Frame, Hop, Site
from burnlint.burn.values_tracking import Tracking, tracking
from burnlint.rust import hir
from burnlint.rust.cfg import ALWAYS, can_both_hold
from burnlint.rust.flow import Definition, Flow
from burnlint.rust.items import Fn, Trait

__all__ = ["Frame", "History", "Hop", "Origin", "Origins", "Reach", "Reduction", "Site", "Tracking", "Values"]

MAX_CHAIN = 200
"""Operations that `Values.chain` follows."""


class Values:
    """The questions about values. `body_of(fn)` gives the body of a function of the workspace (None: it has
    none), `facts_of(body)` the types of a body; both are asked once for each."""

    def __init__(
        self, body_of: Callable[[Fn], hir.Body | None], facts_of: Callable[[hir.Body], TypeFacts]
    ) -> None:
        self._body_of = body_of
        self._facts_of = facts_of
        self._bodies: dict[Fn, hir.Body | None] = {}
        self._facts: dict[int, TypeFacts] = {}
        self._flows: dict[int, Flow] = {}
        self._frames: dict[int, Frame] = {}
        self._origins: dict[Site, Origins] = {}
        self._reaches: dict[Origin, list[Reach]] = {}
        self.summaries = Summaries(self)

    # What the parts ask (values_site.World)

    def body(self, fn: Fn) -> hir.Body | None:
        """The body of a function."""
        if fn not in self._bodies:
            self._bodies[fn] = self._body_of(fn)
        return self._bodies[fn]

    def facts(self, body: hir.Body) -> TypeFacts:
        """The types of a body."""
        found = self._facts.get(id(body))
        if found is None:
            found = self._facts[id(body)] = self._facts_of(body)
        return found

    def flow(self, body: hir.Body) -> Flow:
        """The flow of a body, with the self modes of its methods as the types know them."""
        if id(body) not in self._flows:

            def self_mode(call: hir.MethodCall) -> str | None:
                target = self.facts(body).target(call)
                return target.self_mode if target is not None else None

            self._flows[id(body)] = Flow(body, self_mode, lambda local: self._lends(body, local))
        return self._flows[id(body)]

    def _lends(self, body: hir.Body, local: hir.Local) -> bool | None:
        """Whether the type of a local may hold a `&mut`; None where it is not known."""
        use = next((e for e in body.of(hir.LocalRef) if e.local is local), None)
        term = self.facts(body).term(use) if use is not None else None
        return holds_mut(term) if term is not None else None

    def callee_body(self, target: Target | None) -> hir.Body | None:
        """The body that a call runs, if it is one of the workspace and takes no part in a recursion.

        A method of a trait has none where an implementation may stand in for the body given there; nor has a
        function that stands there a second time under another condition.
        """
        if target is None or target.fn is None:
            return None
        if isinstance(target.fn.owner, Trait) and not target.default:
            return None
        if self.summaries.recursive(target.fn) or _has_twin(target.fn):
            return None
        return self.body(target.fn)

    def keeps(self, fn: Fn, operand: int) -> bool:
        """Whether a function certainly leaves unchanged what its operand (receiver first) refers to."""
        return self.summaries.keeps(fn, operand)

    # Questions

    def frame(self, body: hir.Body) -> Frame:
        """The frame of a body looked at on its own."""
        if id(body) not in self._frames:
            self._frames[id(body)] = Frame(body)
        return self._frames[id(body)]

    def site(self, body: hir.Body, e: hir.Expr) -> Site:
        """An expression of a body, to ask about."""
        return Site(e, self.frame(body))

    def origins(self, site: Site) -> Origins:
        """Where a value comes from. `must` is the one origin, None if there may be several or burnlint does
        not see all."""
        found = self._origins.get(site)
        if found is None:
            found = self._origins[site] = origins(self, site)
        return found

    def operands(self, origin: Origin | Site) -> list[Site]:
        """The operands of an operation, receiver first, as sites to ask on about."""
        site = origin.site if isinstance(origin, Origin) else origin
        return [Site(e, site.frame) for e in operands_as_written(site.expr)]

    def target(self, origin: Origin | Site) -> Target | None:
        """What an operation runs; None where that is not known."""
        site = origin.site if isinstance(origin, Origin) else origin
        return self.facts(site.frame.body).target(site.expr)

    def reaches(self, site: Site, through: Through | None = None, whole: bool = False) -> list[Reach]:
        """What happens to a value; `through(call, operand)` says which results still count as the value. With
        `whole` what is inside of `Some` or `Ok` does not."""
        return reaches(self, site, through, whole)

    def reaches_of(self, origin: Origin, through: Through | None = None) -> list[Reach]:
        """What happens to the value of an origin: also of a parameter, from where it is bound."""
        if through is not None:
            return reaches_of(self, origin, through)
        found = self._reaches.get(origin)
        if found is None:
            found = self._reaches[origin] = reaches_of(self, origin)
        return found

    def bindings(self, site: Site) -> list[Definition]:
        """The definitions that bind the value as it is in the body around it."""
        return bindings(self, site)

    def history(self, site: Site) -> History:
        """What happened to a value before it is read at a site."""
        return history(self, site)

    def reduction(self, site: Site) -> Reduction:
        """How far a tensor has been reduced on its way."""
        return reduction(self, site)

    def tracking(self, site: Site) -> Tracking:
        """What autodiff knows of a tensor: leaf, tracked, untracked, plain."""
        return tracking(self, site)

    def shape(self, site: Site) -> Sizes | None:
        """The sizes of a tensor; None if its rank is not known."""
        return shape(self, site)

    def number(self, site: Site) -> Size:
        """A host number: an int, a symbol, or None."""
        return number(self, site)

    def spans(self, site: Site) -> list[Span | None] | None:
        """The entries of what a slice is given; None if it is not written out."""
        return spans(self, site)

    def chain(self, site: Site) -> list[Origin]:
        """The operations that a value went through, the last one first, each on the first operand of the one
        before.

        It goes on as long as there is one origin on every path, and ends with the origin that is no
        operation, if that is known.
        """
        out: list[Origin] = []
        while len(out) < MAX_CHAIN:
            origin = self.origins(site).must
            if origin is None or origin.carried:
                break
            out.append(origin)
            operands = self.operands(origin) if origin.kind == "operation" and not origin.steps else []
            if not operands:
                break
            site = operands[0]
        return out

    def same(self, a: Site, b: Site) -> bool | None:
        """Whether two expressions certainly stand for the same value (a clone counts). False: they certainly
        do not.

        None: not known. The value of a place that may have changed between the two is another one.
        """
        one, other = self.origins(a).must, self.origins(b).must
        if one is None or other is None:
            return None
        if one.site.frame is not other.site.frame or one.kind != other.kind or not _same_part(one, other):
            return False
        if one.index != other.index or (one.kind != "param" and one.site != other.site):
            return False
        # In a loop the one value may stem from another round than the other.
        return (
            True
            if _elements(one) == _elements(other) and self._once(one, a) and self._once(other, b)
            else None
        )

    def _once(self, origin: Origin, site: Site) -> bool:
        """Whether the value is that of the round at hand: it is not carried from an earlier one or out of a
        loop."""
        if origin.carried:
            return False
        if origin.kind == "param" or origin.site.frame is not site.frame:
            return True
        order = self.flow(site.frame.body).order
        return all(loop in order.loops_of(site.expr) for loop in order.loops_of(origin.expr))


def _has_twin(fn: Fn) -> bool:
    """Whether the file has the function again under a condition that excludes that of this one."""
    if fn.cfg == ALWAYS:
        return False
    return any(
        other is not fn and other.name == fn.name and not can_both_hold(other.cfg, fn.cfg)
        for other in fn.file.items.functions
    )


def _elements(origin: Origin) -> list[Site]:
    """Where the way of a value passes from a collection to one of its elements: another place may mean
    another element."""
    return [hop.site for hop in origin.hop or () if hop.kind == "element"]


def _same_part(a: Origin, b: Origin) -> bool:
    """Whether the steps of two origins lead to the same part: one may name the struct, in a pattern, the
    other not."""
    return [(s.kind, s.name) for s in a.steps] == [(s.kind, s.name) for s in b.steps]
