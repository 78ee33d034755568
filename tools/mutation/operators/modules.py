"""Faults in module and config declarations: P15, B14, B17."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tools.mutation import syntax
from tools.mutation.base import Source
from tools.mutation.fault import Fault, Operator
from tools.mutation.syntax import text

_LAYER = re.compile(
    r"(?:Vec<|Option<|\[)*(?:\w+::)*(Linear|Conv\w+|Embedding|LayerNorm|BatchNorm|GroupNorm|RmsNorm|Lstm|Gru|"
    r"TransformerEncoder|MultiHeadAttention|PositionWiseFeedForward|BiLstm|GateController|InstanceNorm|"
    r"ConvTranspose\w+|LayerBlock|ConvBlock|SwiGlu|\w+Layer|\w+Block)\b(?!Config)"
)


def _structs(source: Source, derived: str) -> Iterator[Node]:
    for node in syntax.walk(source.root):
        derives = rf"derive\([^)]*\b{derived}\b"
        if (
            node.type == "struct_item"
            and not syntax.tested(node)
            and re.search(derives, syntax.attributes(node))
        ):
            yield node


def _fields(struct: Node) -> Iterator[tuple[Node, str, str]]:
    """Each field with a name, its name and type."""
    body = struct.child_by_field_name("body")
    for each in body.named_children if body is not None else ():
        name, type = each.child_by_field_name("name"), each.child_by_field_name("type")
        if each.type == "field_declaration" and name is not None and type is not None:
            yield each, text(name), text(type)


def _behind_alias(source: Source, field: Node, wrong: str, right: str, number: int) -> Iterator[Fault]:
    """A field as it is, and with its type behind an alias. `{}` stands for the type."""
    type = field.child_by_field_name("type")
    assert type is not None
    spelled = text(type)
    yield Fault(source.path, syntax.span(field), wrong.format(spelled), right.format(spelled))
    if "<B>" not in spelled and "<'" not in spelled:
        alias = f"PlantedAlias{number}"
        public = "pub " if text(field).startswith("pub") else ""
        yield Fault(
            source.path,
            syntax.span(field),
            wrong.format(alias),
            right.format(alias),
            items=f"\n\n{public}type {alias} = {spelled};\n",
            shape="alias",
        )


def _text_with_hole(field: Node) -> str:
    """The source of a field with `{}` for its type."""
    type = field.child_by_field_name("type")
    assert type is not None
    whole = text(field).encode()
    at = type.start_byte - field.start_byte
    hole = whole[:at].decode().replace("{", "{{").replace("}", "}}")
    return hole + "{}" + whole[at + type.end_byte - type.start_byte :].decode()


def skipped_layer(source: Source) -> Iterator[Fault]:
    """P15: a layer that the Module derive no longer sees."""
    for struct in _structs(source, "Module"):
        for field, _, type in _fields(struct):
            if _LAYER.match(type) and "skip" not in syntax.attributes(field):
                hole = _text_with_hole(field)
                yield from _behind_alias(
                    source, field, "#[module(skip)]\n    " + hole, hole, field.start_byte
                )


def second_clone(source: Source) -> Iterator[Fault]:
    """B14: the Module derive of 0.22 brings Clone (E0119)."""
    for node in _structs(source, "Module"):
        before = node.prev_named_sibling
        while before is not None and before.type == "attribute_item":
            found = re.search(r"derive\(([^)]*\bModule\b[^)]*)\)", text(before))
            if found is not None and "Clone" not in found[1]:
                wrong = text(before).replace(found[1], f"{found[1].rstrip().rstrip(',')}, Clone")
                yield Fault(source.path, syntax.span(before), wrong, text(before))
                other = text(before) + "\n#[derive(Clone)]"
                yield Fault(source.path, syntax.span(before), other, text(before), shape="second derive")
            before = before.prev_named_sibling


def map_field(source: Source) -> Iterator[Fault]:
    """P15, B14: a map of layers is no Module (E0277)."""
    for struct in _structs(source, "Module"):
        for field, _, type in _fields(struct):
            if _LAYER.fullmatch(type) and "<" not in type:
                hole = _text_with_hole(field)
                map = f"std::collections::HashMap<String, {type}>"
                right = text(field)
                yield Fault(source.path, syntax.span(field), hole.format(map), right)
                public = "pub " if right.startswith("pub") else ""
                alias = f"PlantedMap{field.start_byte}"
                yield Fault(
                    source.path,
                    syntax.span(field),
                    hole.format(alias),
                    right,
                    items=f"\n\n{public}type {alias} = {map};\n",
                    shape="alias",
                )


def config_field(source: Source) -> Iterator[Fault]:
    """B14: a field that holds settings is no Module (E0277)."""
    for struct in _structs(source, "Module"):
        for field, _, type in _fields(struct):
            attribute = field.prev_named_sibling
            if attribute is not None and text(attribute) == "#[module(skip)]":
                span = attribute.start_byte, attribute.end_byte
                hole = type
                if re.fullmatch(r"\w+", hole) and hole[0].isupper() and hole not in ("String", "Activation"):
                    yield Fault(source.path, span, "", text(attribute))


def _default(value: str) -> str:
    return f"{value}.max({value})" if re.fullmatch(r"[\d_.e-]+", value) else f"Some({value})"


def default_not_literal(source: Source) -> Iterator[Fault]:
    """B17: `#[config(default = ..)]` takes a literal."""
    for struct in _structs(source, "Config"):
        for node in syntax.walk(struct):
            found = (
                re.fullmatch(r"#\[config\(default = ([^\"]+)\)\]", text(node))
                if node.type == ("attribute_item")
                else None
            )
            if found is not None:
                wrong = f"#[config(default = {_default(found[1].strip())})]"
                yield Fault(source.path, syntax.span(node), wrong, text(node))
                constant = f"PLANTED_{node.start_byte}"
                kind = re.sub(r".*", "", "")
                field = node.next_named_sibling
                type = field.child_by_field_name("type") if field is not None else None
                if type is not None:
                    yield Fault(
                        source.path,
                        syntax.span(node),
                        f"#[config(default = {constant}{kind})]",
                        text(node),
                        items=f"\n\nconst {constant}: {text(type)} = {found[1]};\n",
                        shape="constant",
                    )


def serde_attribute(source: Source) -> Iterator[Fault]:
    """B17: the Config derive takes no serde attributes."""
    for struct in _structs(source, "Config"):
        for number, (field, _, _) in enumerate(_fields(struct)):
            hole = _text_with_hole(field)
            yield from _behind_alias(source, field, "#[serde(default)]\n    " + hole, hole, field.start_byte)
            if number == 2:
                break


_VALUES = {
    "usize": "4",
    "u64": "4",
    "u32": "4",
    "i64": "4",
    "i32": "4",
    "f64": "0.5",
    "f32": "0.5",
    "bool": "true",
    "String": '"a"',
}


def missing_in_file(source: Source) -> Iterator[Fault]:
    """B17: a committed file lacks a field that `load` asks for, default or not."""
    package = re.split(r"(?:^|/)(?:src|examples(?!/[^/]+/))(?=/)", source.path)[0]
    for struct in _structs(source, "Config"):
        name = struct.child_by_field_name("name")
        values = {field: _VALUES.get(type) for _, field, type in _fields(struct)}
        plain = {field: value for field, value in values.items() if value is not None}
        if name is None or len(plain) != len(values) or len(plain) < 2:
            continue
        for number, lost in enumerate(plain):
            file = f"planted-{struct.start_byte}-{number}.json"
            whole, short = (
                "{" + ", ".join(f'"{k}": {v}' for k, v in plain.items() if k != gone) + "}"
                for gone in ("", lost)
            )
            files = {f"{package}/{file}" if package else file: (short, whole)}
            end = source.root.end_byte
            for shape, path, extra in (
                ("direct", f'"{file}"', ""),
                (
                    "constant",
                    f"PLANTED_{struct.start_byte}_{number}",
                    f'const PLANTED_{struct.start_byte}_{number}: &str = "{file}";\n',
                ),
            ):
                function = f"planted_{struct.start_byte}_{number}_{shape}"
                item = (
                    f"\n\n{extra}pub fn {function}() -> {text(name)} {{\n    "
                    f"<{text(name)} as {source.crates.tensor.removesuffix('::tensor')}::config::Config>::load({path})"
                    f'.expect("a config")\n}}\n'
                )
                yield Fault(
                    source.path, (end, end), "", "", items=item, files=files, shape=shape, transplanted=True
                )


OPERATORS = [
    Operator("layer-skipped", 6, ("P15", "B14"), skipped_layer),
    Operator("second-clone", 6, ("B14",), second_clone, error="E0119"),
    Operator("map-field", 6, ("P15", "B14"), map_field, error="E0277"),
    Operator("skip-dropped", 6, ("B14",), config_field, error="E0277"),
    Operator("default-not-literal", 6, ("B17",), default_not_literal, error="macro"),
    Operator("field-missing-in-file", 6, ("B17",), missing_in_file),
    Operator("serde-attribute", 6, ("B17",), serde_attribute, error="macro"),
]
