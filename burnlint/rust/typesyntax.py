"""From syntax nodes to paths, types and generics (`burnlint.rust.types`)."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from burnlint.rust.parser import COMMENTS
from burnlint.rust.types import (
    ArrayType,
    BoundType,
    ConstArg,
    FnType,
    GenericParam,
    Generics,
    InferType,
    Path,
    PathType,
    RefType,
    Segment,
    SliceType,
    TupleType,
    TypeExpr,
    UnknownType,
)

MAX_DEPTH = 64
"""Types nested deeper than this are unknown: nobody writes them, and reading them recurses."""

NO_GENERICS = Generics()

_NAMES = frozenset(
    {
        "identifier",
        "type_identifier",
        "primitive_type",
        "self",
        "super",
        "crate",
        "metavariable",
        "field_identifier",
    }
)
_SCOPED = frozenset({"scoped_identifier", "scoped_type_identifier"})
_GENERIC = frozenset({"generic_type", "generic_function", "generic_type_with_turbofish", "generic_pattern"})
_CONST_ARGS = frozenset(
    {
        "integer_literal",
        "float_literal",
        "boolean_literal",
        "char_literal",
        "string_literal",
        "negative_literal",
        "block",
    }
)
_SPELLED: dict[bytes, str] = {}
# The names seen so far. A program has few names and uses them often: this saves time and memory.
_NOT_TYPES = COMMENTS | {
    "lifetime",
    "for_lifetimes",
    "removed_trait_bound",
    "use_bounds",
    "attribute_item",
    "ERROR",
}


def text_of(content: bytes, node: Node) -> str:
    """The source text of a node."""
    return content[node.start_byte : node.end_byte].decode("utf-8", "replace")


def name_of(content: bytes, node: Node) -> str:
    """The name that an identifier node spells, without `r#`."""
    return spelled(content[node.start_byte : node.end_byte])


def spelled(raw: bytes) -> str:
    """The name that the bytes of an identifier spell."""
    name = _SPELLED.get(raw)
    if name is None:
        name = _SPELLED[raw] = raw.decode("utf-8", "replace").removeprefix("r#")
    return name


def read_path(content: bytes, node: Node, depth: int = 0) -> Path | None:
    """The path that a node spells; None if it is none."""
    kind = node.type
    span = (node.start_byte, node.end_byte)
    if kind in _NAMES:
        return Path((Segment(name_of(content, node)),), span)
    segments: list[Segment] = []
    args: tuple[TypeExpr, ...] = ()
    bindings: tuple[tuple[str, TypeExpr], ...] = ()
    leading = False
    qself: TypeExpr | None = None
    step: Node | None = node
    while step is not None:
        kind = step.type
        if kind in _SCOPED:
            name = step.child_by_field_name("name")
            if name is None or (not args and name.start_byte == name.end_byte):
                return None
            segments.append(Segment(name_of(content, name), args, bindings))
            args = bindings = ()
            path = step.child_by_field_name("path")
            leading = path is None
            step = path
        elif kind in _NAMES:
            segments.append(Segment(name_of(content, step), args, bindings))
            break
        elif kind in _GENERIC:
            inner = step.child_by_field_name("type") or step.child_by_field_name("function") or step.child(0)
            arguments = step.child_by_field_name("type_arguments")
            if arguments is not None:
                args, bindings = _arguments(content, arguments, depth)
            step = inner
        elif kind == "bracketed_type":
            inner = step.child(1)
            if inner is None:
                return None
            if inner.type == "qualified_type":
                of, trait = inner.child_by_field_name("type"), inner.child_by_field_name("alias")
                trait_path = read_path(content, trait, depth) if trait is not None else None
                if of is None or trait_path is None:
                    return None
                qself = read_type(content, of, depth + 1)
                segments.extend(reversed(trait_path.segments))
            else:
                qself = read_type(content, inner, depth + 1)
            break
        else:
            return None
    segments.reverse()
    return Path(tuple(segments), span, leading, qself)


def _arguments(
    content: bytes, node: Node, depth: int
) -> tuple[tuple[TypeExpr, ...], tuple[tuple[str, TypeExpr], ...]]:
    args: list[TypeExpr] = []
    bindings: list[tuple[str, TypeExpr]] = []
    negative = False
    for child in node.named_children:
        kind = child.type
        if kind == "type_binding":
            name, value = child.child_by_field_name("name"), child.child_by_field_name("type")
            if name is not None and value is not None:
                bindings.append((name_of(content, name), read_type(content, value, depth + 1)))
        elif kind == "trait_bounds":  # `Iterator<Item: Clone>`: says nothing about the arguments' number
            continue
        elif kind == "ERROR":  # the grammar does not know `-1` as a generic argument
            negative = text_of(content, child) == "-"
            if not negative and args:
                args[-1] = UnknownType(args[-1].span, "syntax")
        elif kind not in _NOT_TYPES:
            arg = read_type(content, child, depth + 1)
            if negative and isinstance(arg, ConstArg):
                arg = ConstArg(arg.span, "-" + arg.text)
            negative = False
            args.append(arg)
    return tuple(args), tuple(bindings)


def read_type(content: bytes, node: Node, depth: int = 0) -> TypeExpr:
    """The type that a node spells; what is no type, or nested deeper than `MAX_DEPTH`, is an
    `UnknownType`."""
    span = (node.start_byte, node.end_byte)
    if depth > MAX_DEPTH:
        return UnknownType(span, "too deep")
    kind = node.type
    if kind in _NAMES:
        name = name_of(content, node)
        return InferType(span) if name == "_" else PathType(span, Path((Segment(name),), span))
    if kind in _SCOPED or kind in _GENERIC:
        path = read_path(content, node, depth)
        return PathType(span, path) if path is not None else UnknownType(span, "syntax")
    if kind in _CONST_ARGS:
        return ConstArg(span, text_of(content, node))
    read = _READERS.get(kind)
    if read is not None:
        return read(content, node, depth)
    if kind == "_":
        return InferType(span)
    return UnknownType(span, _UNKNOWN.get(kind, "syntax"))


_UNKNOWN = {"never_type": "never", "pointer_type": "pointer", "macro_invocation": "macro"}


def _inner(content: bytes, node: Node | None, outer: Node, depth: int) -> TypeExpr:
    if node is None:
        return UnknownType((outer.start_byte, outer.end_byte), "syntax")
    return read_type(content, node, depth + 1)


def _reference(content: bytes, node: Node, depth: int) -> TypeExpr:
    mutable = any(child.type == "mutable_specifier" for child in node.children)
    inner = _inner(content, node.child_by_field_name("type"), node, depth)
    return RefType((node.start_byte, node.end_byte), mutable, inner)


def _tuple(content: bytes, node: Node, depth: int) -> TypeExpr:
    items = types_in(content, node, depth)
    if len(items) == 1 and b"," not in content[items[0].span[1] : node.end_byte]:
        return items[0]  # parentheses
    return TupleType((node.start_byte, node.end_byte), items)


def _array(content: bytes, node: Node, depth: int) -> TypeExpr:
    span = (node.start_byte, node.end_byte)
    item = _inner(content, node.child_by_field_name("element"), node, depth)
    length = node.child_by_field_name("length")
    return SliceType(span, item) if length is None else ArrayType(span, item, text_of(content, length))


def _function(content: bytes, node: Node, depth: int) -> TypeExpr:
    params: list[TypeExpr] = []
    parameters = node.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        if child.type == "parameter":
            params.append(_inner(content, child.child_by_field_name("type"), child, depth))
        elif child.type not in _NOT_TYPES:
            params.append(read_type(content, child, depth + 1))
    result = node.child_by_field_name("return_type")
    trait = node.child_by_field_name("trait")
    return FnType(
        (node.start_byte, node.end_byte),
        tuple(params),
        read_type(content, result, depth + 1) if result is not None else None,
        name_of(content, trait).rpartition("::")[2] if trait is not None else "fn",
    )


def _bound(content: bytes, node: Node, depth: int) -> TypeExpr:
    """`impl A` and `dyn A`: one bound; further ones make it a `bounded_type` around this node."""
    keyword = "impl" if node.type == "abstract_type" else "dyn"
    trait = node.child_by_field_name("trait")
    if trait is None or trait.type in _NOT_TYPES:
        return BoundType((node.start_byte, node.end_byte), keyword, ())
    inner = read_type(content, trait, depth + 1)
    if trait.type == "bounded_type" and isinstance(inner, BoundType):
        return BoundType((node.start_byte, node.end_byte), keyword, inner.bounds)
    return BoundType((node.start_byte, node.end_byte), keyword, (inner,))


def _bounded(content: bytes, node: Node, depth: int) -> TypeExpr:
    bounds: list[TypeExpr] = []
    keyword = ""
    for child in node.named_children:
        if child.type in _NOT_TYPES:
            continue
        bound = read_type(content, child, depth + 1)
        if isinstance(bound, BoundType):
            keyword = keyword or bound.keyword
            bounds.extend(bound.bounds)
        else:
            bounds.append(bound)
    return BoundType((node.start_byte, node.end_byte), keyword or "dyn", tuple(bounds))


def _higher_ranked(content: bytes, node: Node, depth: int) -> TypeExpr:
    return _inner(content, node.child_by_field_name("type"), node, depth)


def _bracketed(content: bytes, node: Node, depth: int) -> TypeExpr:
    return _inner(content, next(iter(node.named_children), None), node, depth)


_READERS: dict[str, Callable[[bytes, Node, int], TypeExpr]] = {
    "reference_type": _reference,
    "tuple_type": _tuple,
    "unit_type": _tuple,
    "array_type": _array,
    "function_type": _function,
    "abstract_type": _bound,
    "dynamic_type": _bound,
    "bounded_type": _bounded,
    "higher_ranked_trait_bound": _higher_ranked,
    "bracketed_type": _bracketed,
}


def types_in(content: bytes, node: Node, depth: int = 0) -> tuple[TypeExpr, ...]:
    """The types among a node's children; lifetimes, comments and `?Sized` are left out."""
    return tuple(
        read_type(content, child, depth + 1) for child in node.named_children if child.type not in _NOT_TYPES
    )


def read_generics(content: bytes, item: Node) -> Generics:
    """The generics of an item with its where-clause; bounds on a bare parameter go to the parameter."""
    parameters = item.child_by_field_name("type_parameters")
    where = next((child for child in item.named_children if child.type == "where_clause"), None)
    if parameters is None and where is None:
        return NO_GENERICS
    bounds: dict[str, list[TypeExpr]] = {}
    consts: dict[str, bool] = {}
    defaults: dict[str, TypeExpr | None] = {}
    for child in parameters.named_children if parameters is not None else ():
        kind = child.type
        if kind not in ("type_parameter", "const_parameter"):
            continue
        name = child.child_by_field_name("name")
        if name is None:
            continue
        spelled = name_of(content, name)
        default = child.child_by_field_name("default_type") or child.child_by_field_name("value")
        bound = child.child_by_field_name("bounds")
        bounds[spelled] = list(types_in(content, bound)) if bound is not None else []
        consts[spelled] = kind == "const_parameter"
        defaults[spelled] = read_type(content, default) if default is not None else None
    predicates: list[tuple[TypeExpr, tuple[TypeExpr, ...]]] = []
    for child in where.named_children if where is not None else ():
        if child.type != "where_predicate":
            continue
        left, bound = child.child_by_field_name("left"), child.child_by_field_name("bounds")
        if left is None or bound is None or left.type == "lifetime":
            continue
        bare = name_of(content, left) if left.type == "type_identifier" else ""
        if bare in bounds:
            bounds[bare].extend(types_in(content, bound))
        else:
            predicates.append((read_type(content, left), types_in(content, bound)))
    params = tuple(GenericParam(name, consts[name], tuple(bounds[name]), defaults[name]) for name in bounds)
    return Generics(params, tuple(predicates))
