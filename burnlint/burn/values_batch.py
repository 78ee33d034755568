"""Whether the first dimension of a tensor is visibly one: then a value per sample may be a single value."""

from __future__ import annotations

from burnlint.burn import ops
from burnlint.burn.calls import Target, operator_method
from burnlint.burn.terms import Tensor
from burnlint.burn.values_fold import Fold, Step
from burnlint.burn.values_origins import Origin
from burnlint.burn.values_site import Site, World, term_of
from burnlint.rust import digits, hir


def may_be_one(world: World, site: Site) -> bool:
    """Whether on some path the first dimension has been made one in sight, and nothing brought it up again.

    False is no claim that there are more: nothing in sight says so.
    """
    fold: Fold[bool] = Fold(
        world,
        operands=lambda origin, target: _operands(world, origin, target),
        step=_step,
        leaf=lambda origin: False,
        join=lambda a, b: a or b,
        unknown=False,
    )
    return fold.of(site)


def _operands(world: World, origin: Origin, target: Target | None) -> list[Site]:
    """The operands that are tensors."""
    operands = [Site(e, origin.site.frame) for e in world.facts(origin.site.frame.body).operands(origin.expr)]
    return [site for site in operands if isinstance(term_of(world, site), Tensor)]


def _step(step: Step[bool]) -> bool:
    e = step.origin.expr
    signature = step.target.signature if step.target is not None else None
    facts = [fact for fact in step.facts if fact is not None]
    if operator_method(e):
        return bool(facts) and all(facts)
    if signature is None or signature.owner != "Tensor":
        # A module keeps the batch of its input.
        return any(facts)
    args = e.args if isinstance(e, hir.MethodCall) else e.args[1:] if isinstance(e, hir.Call) else []
    group = ops.elements(signature)
    if _makes_one(signature.name, group, args):
        return True
    if group == ops.NEW or signature.name in _LONGER:
        return False
    # Operands that meet element by element are as long as the longest of them.
    return bool(facts) and (all(facts) if group == ops.EACH else facts[0])


_LONGER = frozenset({"cat", "einsum", "expand", "repeat", "repeat_dim", "stack"})


def _makes_one(name: str, group: str, args: list[hir.Expr]) -> bool:
    first = args[0] if args else None
    match name:
        case "unsqueeze" | "unsqueeze_dims" | "iter_dim":
            return True
        case "unsqueeze_dim":
            return first is not None and (_number(first) == 0 or not _is_number(first))
        case "narrow":
            return len(args) > 2 and _number(args[2]) == 1
        case "reshape" | "zeros" | "ones" | "full" | "random":
            return first is not None and _number(_first(first)) == 1
        case "slice":
            return first is not None and _one_long(_first(first))
        case "split":
            return first is not None and _number(first) == 1
        case "chunk":
            # As many chunks as rows, perhaps.
            return first is not None and not _is_number(first)
        case "from_data" | "from_floats" | "from_ints":
            return first is not None and len(_items(first)) == 1
    return group == ops.DIM and first is not None and _number(first) == 0


def _items(list_: hir.Expr) -> list[hir.Expr]:
    """The items of `[a, b]`, `&[a, b]`, `s![a, b]`."""
    while isinstance(list_, hir.Ref):
        list_ = list_.operand
    return list_.items if isinstance(list_, hir.Array) else list_.args if isinstance(list_, hir.Macro) else []


def _first(list_: hir.Expr) -> hir.Expr | None:
    return next(iter(_items(list_)), None)


def _one_long(index: hir.Expr | None) -> bool:
    """Whether an index, or a range such as `i..i + 1`, takes one element."""
    match index:
        case hir.Range(low=low, high=high, inclusive=False) if high is not None:
            if isinstance(high, hir.Binary) and high.op == "+":
                return _number(high.right) == 1 or _number(high.left) == 1
            end, start = _number(high), _number(low) if low is not None else 0
            return end is not None and start is not None and end - start == 1
        case hir.Range() | None:
            return False
    return True


def _is_number(e: hir.Expr) -> bool:
    while isinstance(e, hir.Unary):
        e = e.operand
    return isinstance(e, hir.Literal)


def _number(e: hir.Expr | None) -> int | None:
    if isinstance(e, hir.Literal) and e.kind == "int":
        return digits.number(e.text.removesuffix(e.suffix))
    return None
