"""What an operation runs and on what: one view of method calls, path calls and operators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from burnlint.burn.ops import OPERATORS
from burnlint.burn.signature import Signature
from burnlint.burn.terms import Array, Const, Declared, Named, Ref, Slice, Tensor, Term, Tuple
from burnlint.rust import hir
from burnlint.rust.items import FieldDef, Fn, Struct
from burnlint.rust.types import PathType

if TYPE_CHECKING:
    from burnlint.rust.source import SourceFile


@dataclass(slots=True, frozen=True)
class Target:
    """What a call runs: a function of the workspace, one of burn by its signature, or neither (std, a
    constructor).

    `made` is the struct of the workspace that a constructor makes.
    """

    fn: Fn | None = None
    signature: Signature | None = None
    made: Struct | None = None
    default: bool = False
    """Whether it certainly runs the body that a trait gives its method."""

    @property
    def key(self) -> str:
        """`Tensor::mean`, `relu`: owner and name of a function of burn; empty for others."""
        if self.signature is None:
            return ""
        owner = self.signature.owner
        return f"{owner}::{self.signature.name}" if owner else self.signature.name

    @property
    def self_mode(self) -> str | None:
        """ "self", "&self", "&mut self", "" for none; None where it is not known."""
        mode = self.fn.self_mode if self.fn else self.signature.self_mode if self.signature else None
        if mode is not None and (mode == "typed" or mode.startswith("self:")):
            return "&mut self" if "&mut" in mode else "self"
        return mode


class TypeFacts(Protocol):
    """What values need to know of the types of one body."""

    def target(self, e: hir.Expr) -> Target | None:
        """What a call, method call or operator runs; None where that is not known."""

    def operands(self, e: hir.Expr) -> list[hir.Expr]:
        """Receiver and arguments of a call in one list, whichever way it is written; operands of an
        operator."""

    def term(self, e: hir.Expr) -> Term | None:
        """The type of an expression, None where it is not known."""


def field_order(target: Target, name: str) -> list[str]:
    """The fields that the arguments of a constructor fill, in order; empty for other calls.

    Source: crate derive-new: `new` takes the fields without `#[new(..)]` and `PhantomData`. What burn's own
    `new` calls like a field fills it (the outputs of burn-train derive `new` too).
    """
    if target.made is not None:
        fields = target.made.fields
        if name != "new":
            return [field.name for field in fields] if target.made.shape == "tuple" else []
        return [f.name for f in fields if f.attribute("new") is None and not _is_phantom(f)]
    if target.signature is not None and target.signature.name == "new" and not target.signature.self_mode:
        return [param.name for param in target.signature.params]
    return []


def _is_phantom(field: FieldDef) -> bool:
    return isinstance(field.type, PathType) and field.type.path.name == "PhantomData"


def called_name(e: hir.Expr) -> str:
    """The last name of what a call spells; empty for other expressions."""
    if isinstance(e, hir.MethodCall):
        return e.name
    if isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr):
        return e.callee.path.name
    return ""


def name_of_called(e: hir.Expr, source: SourceFile) -> str:
    """The last name of what a call spells; of what an import of the file gave another name, its own."""
    spelled = called_name(e)
    alone = (
        isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr) and len(e.callee.path.segments) == 1
    )
    return source.own_name(spelled) if alone else spelled


def may_be_method(e: hir.Expr) -> bool:
    """Whether what a call spells may be a method: `x.train()`, `Module::train(x)`, but no `train(x)` or
    `training::train(x)`."""
    if not isinstance(e, hir.Call) or not isinstance(e.callee, hir.PathExpr):
        return isinstance(e, hir.MethodCall)
    segments = e.callee.path.segments
    return e.callee.path.qself is not None or (len(segments) > 1 and segments[-2].name[:1].isupper())


def operands_as_written(e: hir.Expr) -> list[hir.Expr]:
    """The operands of an operation in order of the signature: receiver first."""
    match e:
        case hir.MethodCall():
            return [e.receiver, *e.args]
        case hir.Call():
            return list(e.args)
        case hir.Binary():
            return [e.left, e.right]
        case hir.AssignOp():
            return [e.target, e.value]
        case hir.Unary():
            return [e.operand]
    return []


def operator_method(e: hir.Expr) -> str:
    """The method that an operator stands for (`add`), empty for none."""
    match e:
        case hir.Binary() | hir.AssignOp():
            return OPERATORS.get(e.op, "")
        case hir.Unary():
            return "neg" if e.op == "-" else "bool_not"
    return ""


def holds_mut(term: Term) -> bool | None:
    """Whether a value of a type may hold a `&mut` reference to something else; None where the type leaves it
    open.

    Lifetimes are not among what is known of types: a struct counts as holding none. Whatever it was built
    from has been borrowed where it was built.
    """
    pending: list[Term] = [term]
    unknown = False
    while pending:
        at = pending.pop()
        match at:
            case Ref(mutable=True):
                return True
            case Ref(target=inner):
                pending.append(inner)
            case Named(args=args) | Declared(args=args):
                pending.extend(args)
            case Tuple(items=items):
                pending.extend(items)
            case Array(element=element) | Slice(element=element):
                pending.append(element)
            case Tensor() | Const():
                pass
            case _:
                unknown = True
    return None if unknown else False
