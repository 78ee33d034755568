"""Types of calls: how a signature is applied to a receiver, to arguments, to a turbofish and to what the
place asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from burnlint.burn.infer import special
from burnlint.burn.infer.backends import mode_of
from burnlint.burn.infer.bounds import only_numbers, prove
from burnlint.burn.infer.choice import choose
from burnlint.burn.infer.model import COERCED, INTEGERS, REFS, UNKNOWN, Con, Gen, Mode, Type, Var, atom, prune
from burnlint.burn.infer.solver import Called
from burnlint.burn.infer.templates import Sig, substitute
from burnlint.rust import hir
from burnlint.rust import types as rt

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver

_UNSIZED = frozenset({"dyn", "[]", "str", "impl"})
_OF_ORD = frozenset({"min", "max", "clamp"})
_UNASKED = Var("argument of an unknown call")


def method_call(s: Solver, e: hir.MethodCall, want: Type | None) -> Type:
    receiver = s.check(e.receiver)
    found = _resolved(s, e, receiver, want, e.args, None)
    if found is not None:
        return found
    # The receiver is open: take the arguments as they are, and call when it is known.
    types = [s.check(arg, _UNASKED if isinstance(arg, hir.Closure) else None) for arg in e.args]
    # Whatever the receiver is, it converts into several types, and rustc asks the uses too.
    made = Var("" if e.name == "into" and not e.args else f"method {e.name} of an unknown value")
    s.waiting.extend(types)
    return s.awaited(lambda: _resolved(s, e, receiver, None, e.args, types), made)


def _resolved(
    s: Solver,
    e: hir.MethodCall,
    receiver: Type,
    want: Type | None,
    args: list[hir.Expr],
    types: list[Type] | None,
) -> Type | None:
    """The type of a method call; None while the receiver is open. `types`: the arguments were checked
    before."""
    core = s.peeled(receiver)
    looked_up = receiver
    number = isinstance(core, Var)
    if isinstance(core, Var):
        if not core.sort:
            return None
        # rustc refuses methods on a number that nothing decided, except those of traits: look it up on the
        # default.
        looked_up = atom("i32" if core.sort == "int" else "f64")
    if e.name in ("clone", "to_owned") and not e.args:
        return special.cloned(s, receiver, e.name)
    if e.name == "into_iter":
        known = special.into_iter(s, e, receiver)
        if known is not None:
            return known
    sigs, step, bound = s.lookup.method(looked_up, e.name, s)
    if number:
        step = core
    elif sigs and step is not core and s.resolver.is_iterator(s, core):
        # An iterator's own adaptors come before the methods of what it derefs to.
        adapted = special.iterator(s, e, receiver, want, types)
        if adapted is not None:
            return adapted
    if len(sigs) > 1:
        chosen = choose(sigs)
        if chosen is None:
            return None
        sigs = (chosen,)
    if not sigs:
        late = special.fallback(s, e, receiver, want, types)
        if late is not None:
            return late
        if isinstance(prune(step), Var):
            return None
        for at, arg in enumerate(args):
            s.undecided(
                types[at]
                if types is not None
                else s.check(arg, _UNASKED if isinstance(arg, hir.Closure) else None)
            )
        return Var(_why_not(s, e.name, step))
    sig = sigs[0]
    if e.name in _OF_ORD and step is core and core is not prune(receiver) and _is_integer(core):
        # `Ord` is there for references too, and comes before what they lead to; floats have methods of their own.
        step = prune(receiver)
    s.called[e.id] = Called(sig, step, True)
    return apply(s, e, sig, step, args, types, e.generics, want, bound=bound)


def _is_integer(type: Type) -> bool:
    return type.sort == "int" if isinstance(type, Var) else isinstance(type, Con) and type.head in INTEGERS


def _why_not(s: Solver, name: str, step: Type) -> str:
    if isinstance(step, Gen):
        return "method of a generic's bound"
    if isinstance(step, Con):
        head = step.head
        if isinstance(head, str):
            if head in ("impl", "dyn"):
                return "method of a trait object that is not known"
            if s.resolver.is_api_type(head):
                return "method of a burn type that is not in the facts"
            if s.lookup.std.types.get(head) is not None or head in ("[]", "str") or head.islower():
                return "method of std that is not in the table"
            return "method of a foreign type"
        return "method of a workspace type not found"
    return f"method {name} of an unknown value"


def call(s: Solver, e: hir.Call, want: Type | None) -> Type:
    from burnlint.burn.infer.callees import callee

    if isinstance(e.callee, hir.PathExpr):
        return callee(s, e, e.callee, want)
    target = s.check(e.callee)
    return call_value(s, e, target)


def call_value(s: Solver, e: hir.Call, target: Type) -> Type:
    """A call of a closure, a function pointer or a generic that a closure trait bounds."""
    fn = _function_of(s, target)
    if fn is None:
        got = [s.check(arg, _UNASKED if isinstance(arg, hir.Closure) else None) for arg in e.args]
        made = Var("call of an unknown value")
        s.waiting.extend(got)

        def reach() -> bool:
            late = _function_of(s, target)
            if late is None:
                return False
            for each, param in zip(got, late.args, strict=False):
                s.coerce(each, param)
            s.unify(made, late.args[-1])
            return True

        s.goals.append(reach)
        return made
    for arg, param in zip(e.args, fn.args[:-1], strict=False):
        s.coerce(s.check(arg, param), param)
    for arg in e.args[len(fn.args) - 1 :]:
        s.check(arg)
    return fn.args[-1]


def _function_of(s: Solver, target: Type) -> Con | None:
    known = s.peeled(target)
    for _ in range(4):
        if isinstance(known, Gen):
            return next((b for b in s.bounds(known.name) if b.head == "fn"), None)
        if not isinstance(known, Con):
            return None
        if known.head == "fn":
            return known
        if known.head not in ("Box", "Arc", "Rc", "dyn", "impl", "&", "&mut") or not known.args:
            return None
        known = prune(known.args[0])
    return None


def apply(
    s: Solver,
    e: hir.Expr,
    sig: Sig,
    receiver: Type | None,
    args: Sequence[hir.Expr],
    types: Sequence[Type] | None,
    turbofish: Sequence[rt.TypeExpr],
    want: Type | None,
    self_arg: bool = False,
    bound: Con | None = None,
) -> Type:
    """The result of calling `sig`.

    `receiver` is the type of the method's owner; with `self_arg` the first argument is the receiver. `bound`
    is the bound on a generic through which a trait's method is called: it says what the trait's own generics
    are.
    """
    known = prune(receiver) if receiver is not None else None
    if sig.given is not None and isinstance(known, Con) and known.head == sig.receiver.head:  # type: ignore[union-attr]
        env = s.variables(sig, sig.wanted)
        env.update(zip(sig.given, known.args, strict=False))
        modes = s.modes_of(sig)
        if known.mode is not None:
            _fit_mode(s, sig.receiver, known, modes)
    else:
        env = s.variables(sig, sig.names)
        modes = s.modes_of(sig)
        if receiver is not None and sig.receiver is not None:
            if isinstance(sig.receiver, Gen) and sig.receiver.name in env:
                env[sig.receiver.name] = receiver
            else:
                s.unify(substitute(sig.receiver, env, modes, s.unifier), receiver)
    if bound is not None and bound.args:
        _fit_bound(s, bound, env)
    if turbofish:
        _turbofish(s, sig, turbofish, env, modes)
    params = [substitute(p, env, modes, s.unifier) for p in sig.params]
    if self_arg and sig.self_mode:
        own = receiver if receiver is not None else Var()
        if sig.self_mode == "&self":
            own = Con("&", (own,))
        elif sig.self_mode == "&mut self":
            own = Con("&mut", (own,))
        params.insert(0, own)
    if not sig.computed:
        pass
    elif sig.either:
        # What it computes records if one of its operands does.
        made = s.unifier.mode()
        made.parts = [tuple(modes[m] for m in sig.either if m in modes)]
        modes["*"] = made
    elif sig.device:
        modes["*"] = s.unifier.mode()
    else:
        modes["*"] = s.unifier.mode(UNKNOWN)
    result = substitute(sig.result, env, modes, s.unifier)
    hints = _hint(s, sig, result, want, env) if want is not None else {}
    closures = _arguments(s, sig, params, args, types, hints)
    for subject, bound in sig.proofs:
        prove(s, sig, subject, bound, env, modes)
    if sig.bounds:
        only_numbers(s, sig, env)
    for at, arg in closures:
        _closure(s, sig, at - len(params) + len(sig.params), arg, params[at], env, modes)
    if sig.closures:
        _function_values(s, sig, env, modes)
    if sig.device and sig.computed:
        _device_mode(s, env[sig.device], modes["*"])
    return special.cast(s, args, result) if sig.name == "cast" else result


def _turbofish(
    s: Solver, sig: Sig, turbofish: Sequence[rt.TypeExpr], env: dict[str, Type], modes: dict[str, Mode]
) -> None:
    generics = list(sig.generics)
    if len(turbofish) < len(generics):
        # The style in which no backend is written.
        generics = [g for g in generics if g[1] != "backend"] if len(turbofish) <= len(generics) else generics
    for (name, sort), written in zip(generics, turbofish, strict=False):
        if sort == "backend":
            mode = mode_of(s.converter, written, s.scope)
            node = modes.get(name)
            if node is not None and mode:
                s.unifier.unify_modes(node, s.backend(mode))
        elif not isinstance(written, rt.InferType):
            type = s.written(written)
            if name in env:
                s.unify(env[name], type)


def _fit_bound(s: Solver, bound: Con, env: dict[str, Type]) -> None:
    names = [name for name, sort, _ in s.resolver.generics_of(bound.head) if sort != "backend"]
    given = [
        a
        for a in bound.args
        if not (isinstance(a, Con) and isinstance(a.head, str) and a.head.startswith("="))
    ]
    for name, arg in zip(names, given, strict=False):
        if name in env:
            env[name] = arg


def _fit_mode(s: Solver, pattern: Type | None, known: Con, modes: dict[str, Mode]) -> None:
    """Take the mode of the receiver for the signature's."""
    assert isinstance(pattern, Con)
    mine, theirs = pattern.mode, known.mode
    if isinstance(mine, str) and isinstance(theirs, Mode):
        node = modes.get(mine)
        if node is None:
            if mine:
                s.unifier.unify_modes(theirs, s.backend(mine))
        else:
            if node.value is not None:
                s.unifier.unify_modes(theirs, node)
            modes[mine] = theirs


def _hint(s: Solver, sig: Sig, result: Type, want: Type, env: dict[str, Type]) -> dict[str, Type]:
    """Let the place decide generics of the result. Those that a coercion could still change are hints for the
    arguments."""
    hints: dict[str, Type] = {}
    wanted, made = prune(want), prune(result)
    if (
        isinstance(wanted, Con)
        and isinstance(made, Con)
        and wanted.head == made.head
        and wanted.head not in REFS
    ):
        for mine, theirs in zip(made.args, wanted.args, strict=False):
            here, there = prune(mine), prune(theirs)
            if not isinstance(here, Var) or not isinstance(there, Con):
                continue
            if there.head not in COERCED:
                if made.head not in COERCED:
                    s.unify(here, there)
            elif there.head not in _UNSIZED:
                name = next((n for n, t in env.items() if t is here), "")
                hints[name] = there
    return hints


def _arguments(
    s: Solver,
    sig: Sig,
    params: list[Type],
    args: Sequence[hir.Expr],
    types: Sequence[Type] | None,
    hints: dict[str, Type],
) -> list[tuple[int, hir.Closure]]:
    """Coerce the arguments to the parameters; closures are left for later, as rustc does, and returned."""
    closures: list[tuple[int, hir.Closure]] = []
    shift = len(params) - len(sig.params)
    for at, arg in enumerate(args):
        param = params[at] if at < len(params) else None
        if types is None and isinstance(arg, hir.Closure) and param is not None:
            closures.append((at, arg))
            continue
        if hints and 0 <= at - shift < len(sig.params):
            template = sig.params[at - shift]
            hint = hints.get(template.name) if isinstance(template, Gen) else None
            if hint is not None and param is not None:
                got = types[at] if types is not None else s.check(arg, hint)
                s.coerce(got, hint)
                s.unify(param, hint)
                continue
        got = types[at] if types is not None else s.check(arg, param)
        if param is not None:
            s.unifier.place = arg.id
            s.coerce(got, param)
    return closures


def _closure(
    s: Solver, sig: Sig, at: int, arg: hir.Closure, param: Type, env: dict[str, Type], modes: dict[str, Mode]
) -> None:
    asked: Type = param
    template = sig.params[at] if 0 <= at < len(sig.params) else None
    if isinstance(template, Gen):
        bound = sig.closures.get(template.name)
        asked = substitute(bound, env, modes, s.unifier) if bound is not None else _UNASKED
    got = s.check(arg, asked)
    if isinstance(asked, Con) and asked.head == "fn" and isinstance(got, Con):
        s.unify(got, asked)
    s.coerce(got, param)


def _function_values(s: Solver, sig: Sig, env: dict[str, Type], modes: dict[str, Mode]) -> None:
    """Functions passed by name, and closures that were made before the call."""
    for name, bound in sig.closures.items():
        given = prune(env[name])
        if isinstance(given, Con) and given.head == "fn" and len(given.args) == len(bound.args):
            asked = substitute(bound, env, modes, s.unifier)
            assert isinstance(asked, Con)
            for mine, theirs in zip(given.args, asked.args, strict=True):
                s.unify(mine, theirs)


def _device_mode(s: Solver, type: Type, mode: Mode) -> None:
    """A tensor is created on a device: `&device`, or with options (`(&device, dtype)`)."""

    def reach() -> bool:
        stack = [prune(type)]
        while stack:
            top = stack.pop()
            if isinstance(top, Var):
                return False
            if isinstance(top, Con):
                if s.resolver.is_device(top.head) and isinstance(top.mode, Mode):
                    mode.parts = [(top.mode,)]
                    return True
                if top.head == "()" or top.head in REFS:
                    stack.extend(prune(a) for a in top.args)
        mode.value = UNKNOWN
        return True

    s.later(reach)


HANDLERS = {hir.MethodCall: method_call, hir.Call: call}
