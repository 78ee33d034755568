"""What a rule sees of a Rust file: its calls, and of each expression where it comes from and what becomes of
it.

These are the questions that a rule may ask. Whatever they answer holds; what is not known is None, empty or
"unknown", as each question says, and no rule may fire on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

from burnlint.burn import autodiff, evaluation, laziness, numbers, roles, tape, terms, training
from burnlint.burn.analysis import Analysis
from burnlint.burn.calls import Target
from burnlint.burn.carriers import Carrier, carriers_of, may_keep
from burnlint.burn.config_files import LoadedFile, loaded_file
from burnlint.burn.declarations import Declaration, declarations
from burnlint.burn.module_types import Contents
from burnlint.burn.shapes import Sizes, Span
from burnlint.burn.tape import Backward, Tape
from burnlint.burn.training import Optimizers
from burnlint.burn.values import History, Origin, Origins, Reach, Reduction, Site, Tracking
from burnlint.burn.values_batch import may_be_one
from burnlint.burn.values_dtype import dtype
from burnlint.burn.values_sign import negative
from burnlint.cargo import files as paths
from burnlint.lint.finding import Edit, Place
from burnlint.rust import context, hir
from burnlint.rust.flow import Flow, Scope
from burnlint.rust.flow_defs import root_of
from burnlint.rust.items import Enum, Fn, Struct
from burnlint.rust.source import SourceFile
from burnlint.rust.types import PathType
from burnlint.rust.visit import locals_in

if TYPE_CHECKING:
    from burnlint.burn.project import Project
    from burnlint.burn.terms import Term


_ATTRIBUTES = re.compile(rb"#\[[^\n]*\]|\b(?:pub(?:\([^)]*\))?|async|const|unsafe)\b")
_SLICES = frozenset({"Tensor::slice", "Tensor::slice_assign", "Tensor::slice_fill"})
COLLECTS = frozenset({"push", "push_back", "push_front", "insert", "replace"})
"""Methods of std's collections, cells and options that keep an argument."""
_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
MAX_CHANGES = 8
"""Changes in place that `Expr.changes_before` goes back over."""
CHANGES = frozenset({"assign", "assign_op", "modified"})
"""Kinds of definitions that change a binding which is there already."""


class FileView:
    """A Rust file. `versions` are those of burn that its package may be built with, ascending."""

    def __init__(self, project: Project, source: SourceFile) -> None:
        self._project = project
        self.source = source
        self.path = source.path
        self.versions = project.versions(source.path)
        self._calls: dict[Fn, list[Expr]] = {}

    @cached_property
    def analysis(self) -> Analysis:
        """The code around the file."""
        found = self._project.analysis(self.path)
        assert found is not None, "no rule runs on a file without burn"
        return found

    def calls(self, *names: str) -> Iterator[Expr]:
        """The calls of methods and functions with these names, as methods or as paths, in source order. What
        a name resolves to is to be asked of each."""
        wanted = frozenset(names)
        places = [match.start() for match in _spelled_call(*names).finditer(self.source.content)]
        for fn in self.source.items.functions_around(places) if places else ():
            for expr in self._calls_in(fn):
                if called_name(expr.expr) in wanted:
                    yield expr

    def _calls_in(self, fn: Fn) -> list[Expr]:
        """All calls in the body of a function."""
        found = self._calls.get(fn)
        if found is None:
            body = self.analysis.body(fn)
            if body is None:
                found = []
            else:
                frame = self.analysis.values.frame(body)
                found = [Expr(self, Site(e, frame)) for e in body.exprs if called_name(e)]
            self._calls[fn] = found
        return found

    def operators(self, *ops: str, near: re.Pattern[bytes] | None = None) -> Iterator[Expr]:
        """The binary operators of these kinds (`*` stands for `*=` too) of which an operand is a tensor, in
        source order; with `near` only those in functions whose text it matches, which spares the types of all
        others."""
        content = self.source.content
        if near is not None and near.search(content) is None:
            return
        for fn in self.source.items.functions:
            if near is not None and near.search(content, *fn.span) is None:
                continue
            body = self.analysis.body(fn)
            for e in body.exprs if body is not None else ():
                if isinstance(e, hir.Binary | hir.AssignOp) and e.op in ops:
                    found = Expr(self, Site(e, self.analysis.values.frame(body)))
                    if any(isinstance(each.term, terms.Tensor) for each in found.operands):
                        yield found

    def deriving(self, name: str) -> Iterator[Declaration]:
        """The structs and enums that derive burn's `Module`, `Config` or whatever the name is, in source
        order."""
        return (each for each in declarations(self) if each.derives_of_burn(name) is not None)

    def never_on(self, crate: str, feature: str) -> bool:
        """Whether no build of the file's package can turn a feature of a crate of burn's on, whatever
        features are asked for."""
        return self._project.ever_on(self.path, crate, feature) is False

    @property
    def generic_calls(self) -> Iterator[Expr]:
        """The calls of functions with a turbofish that is written out (`infer::<B>(..)`)."""
        names = sorted(set(re.findall(r"\b(\w+)::<", self.source.content.decode(errors="replace"))))
        return self.calls(*names) if names else iter(())

    def passes(self) -> Iterator[Expr]:
        """The passes through a module, outside of tests."""
        return evaluation.passes(self)

    def backwards(self) -> Iterator[Backward]:
        """Each `backward` of the file, and each call of a function of the package that runs one of them on
        what it is given."""
        return tape.backwards(self.calls("backward"))

    @cached_property
    def trains(self) -> bool:
        """Whether the code around the file runs `backward` outside of tests."""
        return training.runs_backward(self)

    @property
    def roots(self) -> list[str]:
        """The folders that a relative path may be meant from when the program runs: that of the package, that
        of its workspace."""
        package = self._project.package(self.path)
        return list(dict.fromkeys([package.root, package.workspace.root])) if package is not None else []

    def read(self, path: str) -> bytes | None:
        """The content of another file of the project; None if it is not there or lies outside of it."""
        if not any(paths.inside(path, root) for root in self.roots):
            return None
        text = self._project.text(path)
        return text.content if text is not None else None

    def burn_at_least(self, version: str) -> bool:
        """Whether every version of burn that may be meant is at least that one (its pre-releases count)."""
        least = tuple(map(int, version.split(".")))
        return all(tuple(map(int, re.findall(r"\d+", each)[: len(least)])) >= least for each in self.versions)

    @cached_property
    def remarks(self) -> list[context.Remark]:
        """The comments of the file, those right below each other as one."""
        return context.remarks(self.source)

    def panic_tests(self) -> Iterator[tuple[Fn, Place]]:
        """The tests that pass on any panic (`#[should_panic]` without a text) and compute with tensors, each
        with the attribute's place."""
        for fn in self.source.items.functions:
            attribute = fn.attribute("should_panic") if fn.attribute_spans else None
            if attribute is None or attribute.arguments:
                continue
            body = self.analysis.body(fn)
            if body is None:
                continue
            types = self.analysis.types(body)
            if any(isinstance(types.expr(e), terms.Tensor) for e in body.exprs):
                yield fn, Place(self.path, *attribute.span)

    def around(self) -> Iterator[FileView]:
        """The files of the crates around this file, itself among them."""
        unit = self.analysis.unit
        for source in dict.fromkeys(file for crate in (*unit.own, *unit.used) for file in crate.files()):
            yield self if source is self.source else self._project.file_view(source)

    def callers(self, fn: Fn) -> Iterator[Expr]:
        """The calls of a function of the workspace in the crates around this file."""
        for view in self.around():
            for call in view.calls(fn.name):
                if call.target is not None and call.target.fn is fn:
                    yield call


def _spelled_call(*names: str) -> re.Pattern[bytes]:
    """Matches wherever a call of one of these names may start: half of the places of a name are no calls but
    declarations, imports and prose."""
    # What stands before is looked at last, as `re` finds a pattern that starts with letters ten times faster.
    spelled = (b"%b(?<!\\w%b)(?<!\\bfn %b)" % ((re.escape(name.encode()),) * 3) for name in names)
    return re.compile(rb"(?:%b)\b(?=\s*(?:\(|::\s*[</]|/|\)[\s)]*\())" % b"|".join(spelled))


def called_name(e: hir.Expr) -> str:
    """The last name of what a call spells; empty for other expressions."""
    if isinstance(e, hir.MethodCall):
        return e.name
    if isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr):
        return e.callee.path.name
    return ""


@dataclass(frozen=True)
class Expr:
    """An expression, in the body that holds it."""

    file: FileView
    site: Site

    @property
    def expr(self) -> hir.Expr:
        return self.site.expr

    def _at(self, site: Site) -> Expr:
        return Expr(self.file, site)

    @property
    def source(self) -> SourceFile:
        """The file that the expression stands in, which may be another one."""
        return self.fn.file

    @property
    def fn(self) -> Fn:
        """The function around it."""
        owner = self.site.frame.body.owner
        assert isinstance(owner, Fn)
        return owner

    @property
    def place(self) -> Place:
        """Its place."""
        return Place(self.source.path, *self.expr.span)

    @property
    def name_place(self) -> Place:
        """Of a method call from the method's name to the end; else all of it. What stands before may be many
        lines.
        """
        start, end = self.expr.span
        if isinstance(self.expr, hir.MethodCall):
            start = self.expr.name_span[0]
        return Place(self.source.path, start, end)

    @property
    def call_place(self) -> Place | None:
        """Of a method call from its dot to its end, so that it can be taken out of the chain; None for
        others."""
        if not isinstance(self.expr, hir.MethodCall):
            return None
        return Place(self.source.path, self.expr.receiver.span[1], self.expr.span[1])

    @property
    def end_place(self) -> Place:
        """Where it ends, to insert something."""
        return Place(self.source.path, self.expr.span[1], self.expr.span[1])

    @property
    def method_name(self) -> Place:
        """The name of what is called."""
        e = self.expr
        if isinstance(e, hir.MethodCall):
            return Place(self.source.path, *e.name_span)
        end = e.callee.span[1] if isinstance(e, hir.Call) else e.span[1]
        return Place(self.source.path, end - len(called_name(e).encode()), end)

    @property
    def text(self) -> str:
        """As written."""
        return self.source.text.decode(*self.expr.span)

    @property
    def spelling(self) -> str:
        """As written, on one line and without comments."""
        text = _SPACE.sub(" ", self.text)
        return re.sub(r" ?\. ?", ".", text).strip()

    @property
    def owner(self) -> Expr:
        """Without what only borrows or copies: `model` of `&model` and of `model.clone()`."""
        e = self.expr
        while True:
            if isinstance(e, hir.Ref | hir.Deref):
                e = e.operand
            elif isinstance(e, hir.MethodCall) and e.name == "clone" and not e.args:
                e = e.receiver
            else:
                return self._at(Site(e, self.site.frame))

    def remarks(self) -> Iterator[context.Remark]:
        """The comments that may be about it: before it in its function with no call of the same name
        between, behind it on its line, and above the function."""
        content = self.source.content
        start, end = self.expr.span
        line_end = content.find(b"\n", end)
        head = self.fn.span[0]
        for remark in self.file.remarks:
            if head <= remark.span[0] and remark.span[1] <= start:
                near = self.name.encode() not in content[remark.span[1] : start]
            elif end <= remark.span[0]:
                near = line_end < 0 or remark.span[0] < line_end
            else:
                between = content[remark.span[1] : head]
                near = remark.span[1] <= head and not _ATTRIBUTES.sub(b"", between).strip()
            if near:
                yield remark

    @property
    def in_test(self) -> bool:
        """Whether it stands in test code."""
        return self.fn.in_test

    # Types

    @property
    def term(self) -> Term | None:
        """Its type behind references (`burnlint.burn.terms`); None where it is not known."""
        term = self.file.analysis.types(self.site.frame.body).expr(self.expr)
        while isinstance(term, terms.Ref):
            term = term.target
        return None if isinstance(term, terms.Unknown) else term

    @property
    def mode(self) -> str:
        """Of a tensor or module "autodiff", "plain", or "" where it is not known."""
        return getattr(self.term, "mode", "")

    @property
    def was_moved(self) -> bool:
        """Of a module whether it may have been moved to a device before, on any way that it came by."""
        return any(
            self.at(origin).key in training.KEEPS_MODULE
            or origin.kind in ("param", "closure_param", "changed")
            for origin in self.origins().items
        )

    @property
    def contents(self) -> Contents:
        """What a module of its type consists of."""
        analysis = self.file.analysis
        return Contents(self.term, analysis.api, analysis.world.declared)

    @property
    def copied(self) -> Expr | None:
        """Of `x.clone()` the `x`; None for anything else."""
        e = self.expr
        return (
            self.inside(e.receiver)
            if isinstance(e, hir.MethodCall) and e.name == "clone" and not e.args
            else None
        )

    @property
    def is_module(self) -> bool:
        """Whether its type is known to be a module: of burn, or derived in the workspace."""
        return roles.is_module(self.term, self.file.analysis.api)

    @property
    def may_be_moved_module(self) -> bool:
        """Whether it may be a module by value: of such a type, of a generic one, or of one that is not
        known."""
        term = self.file.analysis.types(self.site.frame.body).expr(self.expr)
        return isinstance(term, terms.Unknown | terms.Generic) or (
            not isinstance(term, terms.Ref) and self.is_module
        )

    @property
    def is_parameter(self) -> bool:
        """Whether its type is known to be a `Param`."""
        return roles.is_parameter(self.term)

    # Calls

    def loaded_file(self) -> LoadedFile | None:
        """Of a call `Training::load("config.json")` the file and the fields that it lacks; None if it is not
        known."""
        return loaded_file(self)

    @property
    def lacks_method(self) -> bool:
        """Of a method call whether its receiver is a module that is known to have no method of that name."""
        e = self.expr
        if not isinstance(e, hir.MethodCall) or self.target is not None:
            return False
        receiver = self.inside(e.receiver)
        term = receiver.term
        if not receiver.is_module or not isinstance(term, terms.Named | terms.Declared):
            return False
        head = term.name if isinstance(term, terms.Named) else term.item
        assert isinstance(head, str | Struct | Enum)
        return self.file.analysis.world.declared.has_method(head, e.name) is False

    @property
    def target(self) -> Target | None:
        """What a call runs; None where that is not known."""
        return self.file.analysis.values.target(self.site)

    @property
    def operands(self) -> list[Expr]:
        """Receiver and arguments of a call in one list, whichever way it is written."""
        return [self._at(site) for site in self.file.analysis.values.operands(self.site)]

    @property
    def name(self) -> str:
        """The last name of what a call spells."""
        return called_name(self.expr)

    @property
    def module_operand(self) -> Expr | None:
        """The first operand that is a module of the type that the call gives, alone or first in a tuple."""
        result = self.term
        if isinstance(result, terms.Tuple) and result.items:
            result = result.items[0]
        return next((each for each in self.operands if each.is_module and each.term == result), None)

    @property
    def key(self) -> str:
        """`Tensor::mean`, `relu`: owner and name of the function of burn that a call runs; empty for any
        other.
        """
        target = self.target
        return target.key if target is not None else ""

    @property
    def stepped_module(self) -> Expr | None:
        """Of an optimizer's step the module that it takes by value and returns updated; None for any other
        call.
        """
        operands = self.operands
        at = roles.stepped_module(self.target, [each.term for each in operands])
        if at is None or (self.target is None and not operands[at].may_be_moved_module):
            return None
        return operands[at]

    # Values

    def origins(self) -> Origins:
        """Where the value comes from."""
        return self.file.analysis.values.origins(self.site)

    def reaches(self, through: Callable[[Site, int], bool] | None = None) -> list[Reach]:
        """What becomes of the value."""
        return self.file.analysis.values.reaches(self.site, through)

    def reaches_of(self, origin: Origin) -> list[Reach]:
        """What becomes of the value of an origin, of a parameter from where it is bound."""
        return self.file.analysis.values.reaches_of(origin)

    def carriers(self) -> Iterator[Carrier]:
        """The expressions that have this value as their result: itself, and where the function around it
        returns it, the calls of that function in the package, and so on outwards."""
        return carriers_of(self)

    def reduction(self) -> Reduction:
        """How far a tensor has been reduced on its way."""
        return self.file.analysis.values.reduction(self.site)

    def shape(self) -> Sizes | None:
        """The shape of a tensor as far as it is visible: for each dimension an int, a `Symbol` (a size
        without a number in sight; the same symbol is the same size), or None. None for all of it if the rank
        is not known."""
        return self.file.analysis.values.shape(self.site)

    def number(self) -> int | None:
        """The integer that a host expression is on every path; None if it is not in sight."""
        found = self.file.analysis.values.number(self.site)
        return found if isinstance(found, int) else None

    def spans(self) -> list[Span | None] | None:
        """The entries of what a `slice` is given, one for each dimension (None: not understood); None if it
        is not written out."""
        return self.file.analysis.values.spans(self.site)

    @property
    def may_be_one_row(self) -> bool:
        """Whether the first dimension of a tensor has visibly been made one on some path. False is no claim
        that there are more."""
        return may_be_one(self.file.analysis.values, self.site)

    def slice_entries(self) -> Iterator[tuple[int, Span]]:
        """Of a `slice`, `slice_dim`, `slice_fill` or `slice_assign` the dimensions and what is taken of them,
        as far as it is written out."""
        one = self.key == "Tensor::slice_dim"
        operands = self.operands if one or self.key in _SLICES else []
        found = operands[-1 if one else 1].spans() if len(operands) > 1 else None
        first = operands[1].number() if one else 0
        for n, span in enumerate(found or ()):
            rank = operands[0].rank
            if span is not None and first is not None and (first >= 0 or rank is not None):
                yield first + n if first >= 0 else first + (rank or 0), span

    @property
    def squeeze_may_take_more(self) -> bool:
        """Of a `squeeze()` whether the dimensions that are known to be 1 are those that its result is short
        of, and another one may be 1 as well."""
        shape, rank = self.operands[0].shape(), self.rank
        if shape is None or rank is None or len(shape) - rank != shape.count(1):
            return False
        return any(not isinstance(size, int) for size in shape)

    def named_squeeze(self, dims: list[int]) -> str:
        """A call that drops these dimensions only, with the rank that it gives as far as it is known."""
        turbofish = f"::<{self.rank}>" if self.rank is not None else ""
        if len(dims) == 1:
            return f"squeeze_dim{turbofish}({dims[0]})"
        return f"squeeze_dims{turbofish}(&[{', '.join(map(str, dims))}])"

    @property
    def element_rank(self) -> int | None:
        """Of a `Vec` or array of tensors their rank; None where it is not known."""
        term = self.term
        element = term.element if isinstance(term, terms.Array | terms.Slice) else None
        if isinstance(term, terms.Named) and term.name == "Vec" and term.args:
            element = term.args[0]
        rank = element.rank if isinstance(element, terms.Tensor) else None
        return rank.value if isinstance(rank, terms.Const) and isinstance(rank.value, int) else None

    def dtype(self) -> str:
        """The dtype of a tensor where it is spelt out on every path (`F64`), "default" for that of the device, or ""."""
        return dtype(self.file.analysis.values, self.site)

    def negative(self) -> str:
        """Whether elements of a tensor can be negative: "never", "unknown", "difference" (of what nothing
        orders in sight), or "shown" (a negative number is written down, or a sign is turned)."""
        return negative(self.file.analysis.values, self.site)

    def same_number(self, other: Expr) -> bool:
        """Whether two host expressions are known to be the same number."""
        values = self.file.analysis.values
        one = values.number(self.site)
        return self.same_as(other) is True or (one is not None and one == values.number(other.site))

    def same_as(self, other: Expr) -> bool | None:
        """Whether both stand for the same value; None: not known."""
        return self.file.analysis.values.same(self.site, other.site)

    @property
    def results(self) -> list[Expr]:
        """Of a closure that is written here what it may give; empty for anything else."""
        if not isinstance(self.expr, hir.Closure):
            return []
        return [self.inside(each) for each in self.flow.returned_by(self.expr)]

    def derived_by(self) -> list[Expr]:
        """The operations that it went through, the last one first, each on the first operand of the one
        before."""
        chain = self.file.analysis.values.chain(self.site)
        return [self.at(origin) for origin in chain if origin.kind == "operation"]

    @property
    def changes_before(self) -> list[Expr]:
        """The calls that changed the value in place before, on every path, the last one first."""
        found: list[Expr] = []
        value = self
        while len(found) < MAX_CHANGES:
            origin = value.origins().must
            if origin is None or origin.kind != "changed" or origin.before is None or origin.carried:
                break
            found.append(self.at(origin))
            value = self.at(origin.before)
        return found

    @property
    def host_use(self) -> evaluation.Use | None:
        """What an output is used for, if only for what the host reads (`burnlint.burn.evaluation`); else
        None."""
        return evaluation.host_use(self)

    @property
    def backends_given(self) -> list[tuple[str, str]]:
        """Of a call of a function of the workspace the bound of each generic that a turbofish fills, with
        what that backend is ("autodiff", "plain", "")."""
        target = self.target
        if target is None or target.fn is None or not isinstance(self.expr, hir.Call):
            return []
        types = self.file.analysis.types(self.site.frame.body)
        callee = self.expr.callee
        written = callee.path.segments[-1].args if isinstance(callee, hir.PathExpr) else ()
        generics = target.fn.generics.params
        return [
            (param.bounds[0].path.name, types.backend_mode(each))
            for param, each in zip(generics, written, strict=False)
            if len(param.bounds) == 1 and isinstance(param.bounds[0], PathType)
        ]

    @property
    def only_predicts(self) -> bool:
        """Whether a call of a function of the workspace runs a model and trains nothing, as far as is seen,
        and takes and gives no tensor or module."""
        return evaluation.only_predicts(self)

    @property
    def predictions(self) -> list[Expr]:
        """Of a device the passes of this function through a model on it, if nothing here trains and nothing
        of it leaves the function; else empty."""
        return evaluation.predictions(self)

    @property
    def loop_without_training(self) -> Scope | None:
        """The innermost loop around it if nothing that is seen in it trains."""
        return evaluation.loop_without_training(self)

    @property
    def is_trained(self) -> bool:
        """Of a module whether it is visibly trained somewhere; False: not known."""
        return training.is_trained(self)

    @property
    def runs_in_sight(self) -> bool:
        """Whether a call runs a function of the workspace whose body is followed."""
        return self.file.analysis.values.callee_body(self.target) is not None

    @property
    def is_false(self) -> bool:
        """Whether it is the literal `false`."""
        return isinstance(self.expr, hir.Literal) and self.expr.text == "false"

    def given_to(self, index: int) -> Iterator[tuple[Expr, Expr]]:
        """The calls of the function around it with what they pass for a parameter (-1 for self)."""
        for call in self.file.callers(self.fn):
            at = index + 1 if self.fn.self_mode else index
            if at < len(call.operands):
                yield call, call.operands[at]

    @property
    def parameter(self) -> int | None:
        """The index of the parameter that it is (-1 for self) on some path, or a part of it; None if it is
        none."""
        own = [o for o in self.origins().items if o.kind == "param" and o.site.frame is self.site.frame]
        return own[0].index if own else None

    @property
    def detached(self) -> Expr | None:
        """The last `detach` among the operations that it went through; None if there is none in sight."""
        return next((each for each in self.derived_by() if each.key == "Tensor::detach"), None)

    @property
    def requires_grad(self) -> bool:
        """Whether it is a call that makes a tensor require a gradient."""
        if self.key == "Tensor::require_grad":
            return True
        args = self.operands[1:]
        flag = args[0].expr if self.key == "Tensor::set_require_grad" and args else None
        return isinstance(flag, hir.Literal) and flag.text == "true"

    @property
    def parameters_read(self) -> list[Expr]:
        """The parameters whose values a tensor is computed from (`p` of `p.val()`), as far as it is
        recorded."""
        causes = {
            cause for key in self.tape.leaves for cause in self.at(key.site).tracking().causes("parameter")
        }
        reads = [self.at(cause) for cause in sorted(causes, key=lambda site: site.order)]
        return [read.operands[0] for read in reads if read.key in tape.PARAMETER]

    @property
    def tape(self) -> Tape:
        """The recorded operations that a tensor is computed by."""
        return tape.tape_of(self)

    @property
    def operation(self) -> Expr | None:
        """The one call or operator that gives the value on every path; None if there may be several or it is
        something else."""
        origin = self.origins().must
        if origin is None or origin.kind != "operation" or origin.steps or origin.carried:
            return None
        return self._at(origin.site)

    def autodiff(self) -> autodiff.State:
        """Of a device, tensor or module whether it is on autodiff: "autodiff", "plain", "perhaps",
        "unknown"."""
        return autodiff.state_of(self)

    def tracking(self) -> Tracking:
        """What autodiff knows of a tensor."""
        return self.file.analysis.values.tracking(self.site)

    def optimizers(self) -> Optimizers | None:
        """Of a `backward` the optimizers that its gradients reach; None if they are collected for no module
        in sight.
        """
        return training.optimizers_of(self)

    @property
    def comes_from_step(self) -> bool:
        """Whether it is on some path what an optimizer's step gave, as it came from there."""
        return any(
            origin.kind == "operation" and not origin.steps and self.at(origin).stepped_module is not None
            for origin in self.origins().items
        )

    def later_trainings(self) -> Iterator[Expr]:
        """Of a place with a module the calls of the same function that train what it holds, or held before,
        after it is read here."""
        return training.later_trainings(self)

    def trainings(self) -> Iterator[Expr]:
        """Of a module the calls that train it afterwards."""
        return training.trainings_of(self)

    def laziness(self) -> tuple[laziness.State, Expr | None]:
        """Of a module whether its parameters exist already: "initialised" with the place that shows it,
        "lazy", "perhaps" (it came from outside of the function), "unknown"."""
        return laziness.state_of(self)

    def outlives(self, other: Expr) -> bool:
        """Whether the value may still be read, or is handed on, after another expression of the function has
        run; of a value that a loop makes anew in each round, whether it leaves its round."""
        loop = self.loop
        if loop is None:
            return self.lives_beyond(other)
        order = self.flow.order
        for reach in self.reaches():
            if reach.kind in ("returned", "stored", "captured"):
                return True
            kept = reach.kind == "operand" and reach.index > 0 and self.at(reach.site).name in COLLECTS
            same = reach.use.frame is self.site.frame
            if kept or (same and all(scope is not loop for scope in order.loops_of(reach.use.expr))):
                return True
        return False

    def lives_beyond(self, other: Expr) -> bool:
        """Whether the value may still be read, or is handed on, after another expression of the function."""
        order = self.flow.order
        for reach in self.reaches():
            if reach.kind in ("returned", "stored", "captured", "unknown"):
                return True
            same = reach.use.frame is other.site.frame
            if reach.kind not in ("dropped", "ignored") and (
                not same or order.may_follow(other.expr, reach.use.expr)
            ):
                return True
        return False

    def inside(self, e: hir.Expr) -> Expr:
        """An expression of the same body."""
        return self._at(Site(e, self.site.frame))

    @property
    def written_number(self) -> Decimal | None:
        """The number that is spelt out here, without a sign; None where it is something else."""
        e = self.expr
        if not isinstance(e, hir.Literal) or e.kind not in ("int", "float"):
            return None
        text = e.text.removesuffix(e.suffix).replace("_", "")
        return Decimal(text) if re.fullmatch(r"\d+\.?\d*(?:[eE][+-]?\d+)?", text) else None

    @property
    def is_place(self) -> bool:
        """Whether it is a binding or a field of one."""
        return root_of(self.expr) is not None

    @property
    def is_shared(self) -> bool:
        """Whether it is a reference to a value that somebody else owns."""
        return isinstance(self.file.analysis.types(self.site.frame.body).expr(self.expr), terms.Ref)

    @property
    def is_reference(self) -> bool:
        """Whether its type is known to be a reference."""
        return isinstance(self.file.analysis.types(self.site.frame.body).expr(self.expr), terms.Ref)

    def owned_copy(self) -> Edit:
        """An edit that clones what a reference refers to."""
        behind = self.inside(self.expr.operand) if isinstance(self.expr, hir.Ref) else self
        return Edit(self.place, behind.wrapped("", ".clone()").text)

    @property
    def is_borrowed(self) -> bool:
        """Whether it is written with `&`."""
        return isinstance(self.expr, hir.Ref)

    @property
    def rank(self) -> int | None:
        """The rank of a tensor; None if it is no tensor or its rank is not known."""
        term = self.term
        rank = term.rank if isinstance(term, terms.Tensor) else None
        return rank.value if isinstance(rank, terms.Const) and isinstance(rank.value, int) else None

    @property
    def kind(self) -> str | None:
        """ "Float", "Int" or "Bool" of a tensor; None if it is no tensor or its kind is not known."""
        term = self.term
        kind = term.kind if isinstance(term, terms.Tensor) else None
        return kind.name if isinstance(kind, terms.Named) else None

    @property
    def type_name(self) -> str:
        """The name of its type (`i64`, `Linear`); empty where it is not known or has none."""
        term = self.term
        return term.name if isinstance(term, terms.Named) else ""

    @property
    def spelt_number(self) -> float | None:
        """The number that a host expression is on every path, spelt out here or where it is bound. None: not
        known, or converted to another type on the way."""
        return numbers.spelt(self.site, self.file.analysis.values)

    def replaced(self, text: str) -> Edit:
        """An edit that puts an operator expression in its place, with parentheses where something binds to
        it."""
        parents = self.site.frame.body.parents
        around = parents[self.expr.id]
        outer = self.site.frame.body.exprs[around] if around >= 0 else None
        if isinstance(outer, hir.Binary | hir.Unary | hir.MethodCall | hir.Cast | hir.Field | hir.Try):
            text = f"({text})"
        return Edit(self.place, text)

    def written_numbers(self) -> list[float]:
        """Numbers that are spelt out and are elements of a tensor: as its data, its filling, or under a mask."""
        return numbers.written(self.site, self.file.analysis.values)

    def renamed(self, call: str) -> Edit:
        """An edit that calls another method of the receiver instead, arguments included."""
        if isinstance(self.expr, hir.MethodCall):
            return Edit(self.name_place, call)
        return Edit(self.place, self.operands[0].wrapped("", f".{call}").text)

    def rank_at_least(self, rank: int) -> bool:
        """Whether it is known to be a tensor of that rank or a higher one."""
        term = self.term
        return (
            isinstance(term, terms.Tensor)
            and isinstance(term.rank, terms.Const)
            and isinstance(term.rank.value, int)
            and term.rank.value >= rank
        )

    def history(self) -> History:
        """What happened to the value before."""
        return self.file.analysis.values.history(self.site)

    @property
    def read_later(self) -> bool:
        """Whether the place that it spells may be read again: its value cannot be moved away here."""
        root = root_of(self.expr)
        if root is None:
            return False
        if root is not self.expr:
            return True
        order = self.flow.order
        return any(
            use is not self.expr and order.may_follow(self.expr, use) for use in self.flow.uses_of(root.local)
        )

    def at(self, origin: Origin | Site) -> Expr:
        """The expression of an origin or a site."""
        return self._at(origin.site if isinstance(origin, Origin) else origin)

    @property
    def dropped(self) -> str | None:
        """How the value is thrown away: "dropped" by a statement, "ignored" by `let _ =`, `_ =` or
        `drop(..)`; None if it is not."""
        sink = self.flow.dropped(self.expr)
        if sink is not None:
            return sink.kind
        around = self.flow.sink(self.expr).role.holder
        if isinstance(around, hir.Call) and called_name(around) == "drop" and len(around.args) == 1:
            return "ignored"
        return None

    @property
    def flow(self) -> Flow:
        """What flows where in the body around it."""
        return self.file.analysis.values.flow(self.site.frame.body)

    @property
    def loop(self) -> Scope | None:
        """The innermost loop around it, or closure that an iterator runs, within its function."""
        for scope in self.flow.order.loops_of(self.expr):
            if scope.repeats:
                return scope
        return None

    def fixed_in(self, loop: Scope) -> bool | None:
        """Whether the place that it spells (behind `&` and `clone()`) holds the same value in every round of
        a loop around it: nothing in the loop sets it, and nothing in the loop may change it. None: it spells
        no place."""
        reaching = self.flow.reaching(self.owner.expr)
        if reaching.place is None or not reaching.definitions:
            return None
        inside = (
            self.flow.scope(each) for each in (*reaching.definitions, *reaching.partial, *reaching.carried)
        )
        return not any(scope is not None and scope.within(loop) for scope in inside)

    def declared_in(self, loop: Scope) -> bool:
        """Whether the binding that it names, or whose field it is, is made anew in each round of a loop
        around it.
        """
        root = root_of(self.owner.expr)
        if root is None:
            return True
        makers = (d for d in self.flow.definitions if d.place.local is root.local and d.kind not in CHANGES)
        return any((scope := self.flow.scope(each)) is not None and scope.within(loop) for each in makers)

    @property
    def names(self) -> list[str]:
        """The names that the value is bound to, in order: by `let`s and assignments, also on from one name to
        another, or as the part of a tuple that has the type of a module."""
        found = self.file.analysis.values.bindings(self.site)
        names = [each.place.local.name for each in found if not each.place.fields]
        part = self._bound_part
        return [*dict.fromkeys([*([part] if part is not None else []), *names])]

    @property
    def _bound_part(self) -> str | None:
        sink = self.flow.sink(self.expr)
        if sink.kind != "bound" or sink.role.statement is None:
            return None
        pattern = sink.role.statement.pattern
        if isinstance(pattern, hir.Bind):
            return pattern.local.name
        types = self.file.analysis.types(self.site.frame.body)
        api = self.file.analysis.api
        found = [each.name for each in locals_in(pattern) if roles.is_module(types.local(each), api)]
        return found[0] if len(found) == 1 else None

    @property
    def used(self) -> bool:
        """Whether anything reads the value at all."""
        return any(reach.kind not in ("dropped", "ignored") for reach in self.reaches())

    @property
    def kept(self) -> bool:
        """Whether something may keep the value: it is moved into a call, stored, returned, or not known to
        be only borrowed.
        """
        return any(reach.kind == "returned" or may_keep(self, reach) for reach in self.reaches())

    def borrows(self, operand: int) -> bool:
        """Whether a call certainly takes an operand (receiver first) by reference."""
        e = self.operands[operand].expr if operand < len(self.operands) else None
        if e is None:
            return False
        if operand == 0 and isinstance(self.expr, hir.MethodCall) and self.target is not None:
            return (self.target.self_mode or "").startswith("&")
        return isinstance(self.file.analysis.types(self.site.frame.body).expr(e), terms.Ref)

    @property
    def is_division(self) -> bool:
        """Whether it is `x / y`."""
        return isinstance(self.expr, hir.Binary | hir.AssignOp) and self.expr.op == "/"

    @property
    def is_remainder(self) -> bool:
        """Whether it is the remainder of a division of tensors."""
        operator = isinstance(self.expr, hir.Binary | hir.AssignOp) and self.expr.op == "%"
        return operator or self.key in ("Tensor::remainder", "Tensor::remainder_scalar")

    @property
    def divides(self) -> bool:
        """Whether it is `x / y` or `x % y`."""
        return isinstance(self.expr, hir.Binary | hir.AssignOp) and self.expr.op in ("/", "%")

    @property
    def is_not(self) -> bool:
        """Whether it is `!x`."""
        return isinstance(self.expr, hir.Unary) and self.expr.op == "!"

    @property
    def is_constant(self) -> bool:
        """Whether the value depends on no data: a number that is spelt out, a constant, a tensor filled with
        one (`zeros_like`, `full`)."""
        return all(case.state in ("constant", "literal") for case in self.reduction().cases)

    def wrapped(self, before: str, after: str) -> Edit:
        """An edit that puts something around it, with parentheses where a method would bind to a part of
        it.
        """
        loose = isinstance(
            self.expr, hir.Unary | hir.Binary | hir.Ref | hir.Deref | hir.Cast | hir.Range | hir.Closure
        )
        text = f"({self.text})" if loose and after.startswith(".") else self.text
        return Edit(self.place, f"{before}{text}{after}")
