"""What burn's derive macros write: constructors and setters of configs, `new`, and what `Module` implies.

Sources: burn-derive `config/analyzer_struct.rs` (required fields go to `new`, options and defaults get
`with_` setters), `module/codegen_struct.rs` and `module/record_struct.rs` (up to 0.21 a `XxxRecord` with one
field per field); the crate derive-new.
"""

from __future__ import annotations

import re

from burnlint.burn.signature import Param, Signature
from burnlint.burn.terms import Assoc, Inner, Named, Term
from tools.api.facts import FieldFact, ImplFact, TypeFact
from tools.api.modules import Sources
from tools.api.source import attribute_text

Fields = dict[str, tuple[FieldFact, tuple[str, ...]]]


def default_of(attrs: tuple[str, ...]) -> str | None:
    """The text of `#[config(default = TEXT)]`, without the quotes around it; None without one."""
    found = re.match(r"config\(\s*default\s*=\s*(.*?)\s*\)$", attribute_text(attrs, "config") or "")
    if not found:
        return None
    quoted = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', found.group(1))
    return quoted.group(1).replace('\\"', '"') if quoted else found.group(1)


def add_methods(fact: TypeFact, fields: Fields) -> None:
    """Enter the functions that `#[derive(Config)]` and `#[derive(new)]` write for a struct."""
    if fact.sort != "struct":
        return
    if "Config" in fact.derives:
        settable = {n for n, (one, _) in fields.items() if one.default is not None or _is_option(one.term)}
        _add(fact, "new", "", [(n, one.term) for n, (one, _) in fields.items() if n not in settable])
        for name in fields:
            if name in settable:
                _add(fact, f"with_{name}", "self", [(name, fields[name][0].term)])
    if "new" in fact.derives:
        asked = [
            (name, one.term)
            for name, (one, attrs) in fields.items()
            if attribute_text(attrs, "new") is None and not _is_named(one.term, "PhantomData")
        ]
        _add(fact, "new", "", asked)


def _add(fact: TypeFact, name: str, self_mode: str, params: list[tuple[str, Term]]) -> None:
    signature = Signature(
        "",
        name,
        fact.crate,
        self_mode,
        (),
        tuple(Param(n, t) for n, t in params),
        fact.term,
        fact.term,
        fact.generics,
        frozenset({"derived"}),
    )
    fact.methods.setdefault(name, []).append(signature)


def _is_named(term: Term, name: str) -> bool:
    return isinstance(term, Named) and term.name == name


def _is_option(term: Term) -> bool:
    return _is_named(term, "Option")


def has_records(sources: Sources) -> bool:
    """Whether this version's `#[derive(Module)]` writes record types."""
    folder = sources.crates.get("burn_derive")
    return folder is not None and (folder / "src" / "module" / "record_struct.rs").is_file()


def module_record(fact: TypeFact, sources: Sources) -> TypeFact | None:
    """The record type that `#[derive(Module)]` writes beside a type; None if this version writes none."""
    if "Module" not in fact.derives or not has_records(sources):
        return None
    path = f"{fact.path}Record"
    args = fact.term.args if isinstance(fact.term, Named) else ()
    empty = _empty_record(sources)
    fields = {
        name: FieldFact(empty if empty and not one.generic else Assoc(one.term, "Module", "Record"))
        for name, one in fact.fields.items()
    }
    variants: dict[str, dict[str, Term]] = {
        name: {n: Assoc(t, "Module", "Record") for n, t in payload.items()}
        for name, payload in fact.variants.items()
    }
    return TypeFact(
        path, fact.sort, fact.crate, fact.generics, Named(path, args), fields, variants, ("Record",), False,
        None, fact.cfgs,
    )  # fmt: skip


def _empty_record(sources: Sources) -> Term | None:
    """The record of fields without generics, where the derive tells modules by their generics (burn 0.21)."""
    code = sources.crates["burn_derive"] / "src" / "module" / "record_struct.rs"
    home = sources.modules.get(("burn_core", "module"))
    found = home.names["type"].get("EmptyRecord") if home is not None else None
    if found is None or "EmptyRecord" not in code.read_text("utf-8"):
        return None
    return Named("::".join(found.path))


def impls(fact: TypeFact, sources: Sources) -> list[ImplFact]:
    """The impls that `#[derive(Module)]` and `#[derive(Config)]` write."""
    clone = ImplFact(Named("Clone"), fact.term, fact.generics, {}, fact.crate, fact.cfgs)
    if "Module" not in fact.derives:
        return [clone] if "Config" in fact.derives else []
    assoc: dict[str, Term] = {}
    if has_records(sources):
        args = fact.term.args if isinstance(fact.term, Named) else ()
        assoc = {"Record": Named(f"{fact.path}Record", args)}
    inner: dict[str, Term] = {"InnerModule": Inner(fact.term)} if assoc else {}
    written: list[tuple[str, dict[str, Term]]] = [
        ("Module", assoc),
        ("AutodiffModule", inner),
        ("HasAutodiffModule", {}),
    ]
    out = [clone]
    for trait, bound in written:
        path = _trait_path(sources, trait)
        if path:
            out.append(ImplFact(Named(path), fact.term, fact.generics, bound, fact.crate, fact.cfgs))
    return out


def _trait_path(sources: Sources, name: str) -> str:
    home = sources.modules.get(("burn_core", "module"))
    found = home.names["type"].get(name) if home is not None else None
    return "::".join(found.path) if found is not None else ""
