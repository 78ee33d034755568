"""Reading of items: structs, enums, traits, impls, functions and aliases of a module tree into facts."""

from __future__ import annotations

import re

from tree_sitter import Node

from burnlint.burn.signature import Param, Signature
from burnlint.burn.terms import UNIT, Generic, Named, Tensor, Term, show
from tools.api import derive
from tools.api.facts import AliasFact, Facts, FieldFact, ImplFact, TraitFact, TypeFact, conjunction
from tools.api.modules import SourceItem, Sources
from tools.api.normalise import Normaliser
from tools.api.scopes import RawGeneric, Scope, raw_generics
from tools.api.source import (
    attribute_text,
    attributes,
    cfg_of,
    deprecation,
    derives,
    flat,
    is_public,
    is_test,
    name_of,
    text,
)


class ItemReader:
    """Reads all items of a set of sources; types first, since impls attach methods to them."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.normaliser = Normaliser(sources)
        self.facts = Facts()

    def read(self) -> Facts:
        """All facts."""
        for item in self.sources.items("alias"):
            self._alias(item)
        for item in self.sources.items("struct", "enum", "union"):
            self._type(item)
        for item in self.sources.items("trait"):
            self._trait(item)
        for item in self.sources.items("impl"):
            self._impl(item)
        for item in self.sources.items("fn"):
            if is_public(item.node) and attribute_text(item.attrs, r"proc_macro\w*") is None:
                scope = self.normaliser.scopes.scope(item.module)
                signature = self._signature(item.node, item.attrs, item.module.cfgs, scope, item.module.crate)
                self.facts.functions.setdefault("::".join(item.path), []).append(signature)
        return self.facts

    def _alias(self, item: SourceItem) -> None:
        raws = raw_generics(item.node)
        scope = self.normaliser.scopes.scope(item.module, raws)
        target = item.node.child_by_field_name("type")
        path = "::".join(item.path)
        if target is not None and is_public(item.node):
            generics = self.normaliser.params(raws, scope)
            term = self.normaliser.term(target, scope)
            self.facts.aliases.setdefault(path, AliasFact(path, item.module.crate, generics, term))

    def _type(self, item: SourceItem) -> None:
        path = "::".join(item.path)
        if not is_public(item.node) or path in self.facts.types:
            return
        raws = raw_generics(item.node)
        scope = self.normaliser.scopes.scope(item.module, raws)
        own = tuple(Generic(r.name) for r in raws if r.name not in scope.backends)
        scope.self_term = Named(path, own)
        if item.module.crate == "burn_tensor" and item.path[-1] == "Tensor":
            scope.self_term = Tensor(own[0], own[1])
            self.facts.tensor = path
        fact = TypeFact(
            path,
            item.sort,
            item.module.crate,
            self.normaliser.params(raws, scope),
            scope.self_term,
            {},
            {},
            derives(item.attrs),
            attribute_text(item.attrs, "must_use") is not None,
            deprecation(item.attrs),
            (*item.module.cfgs, *filter(None, (cfg_of(item.attrs),))),
        )
        body = item.node.child_by_field_name("body")
        if item.sort == "enum" and body is not None:
            for variant in body.named_children:
                if variant.type == "enum_variant":
                    inside = variant.child_by_field_name("body")
                    fact.variants[name_of(variant)] = {
                        name: one.term for name, (one, _) in self._fields(inside, scope).items()
                    }
            found: dict[str, tuple[FieldFact, tuple[str, ...]]] = {}
        else:
            found = self._fields(body, scope)
        fact.fields = {name: one for name, (one, _) in found.items()}
        self.facts.types[path] = fact
        derive.add_methods(fact, found)
        self.facts.impls.extend(derive.impls(fact, self.sources))
        record = derive.module_record(fact, self.sources)
        if record is not None:
            self.facts.types[record.path] = record

    def _fields(self, body: Node | None, scope: Scope) -> dict[str, tuple[FieldFact, tuple[str, ...]]]:
        """Name to field and attributes; tuple fields are numbered."""
        found: dict[str, tuple[FieldFact, tuple[str, ...]]] = {}
        if body is None:
            return found
        if body.type == "field_declaration_list":
            for at, child in enumerate(body.children):
                if child.type == "field_declaration":
                    attrs = attributes(body.children, at)
                    written = set(re.findall(r"\w+", flat(child.child_by_field_name("type"))))
                    one = FieldFact(
                        self._term_of(child, scope),
                        derive.default_of(attrs),
                        is_public(child),
                        bool(written & (scope.types | scope.consts | set(scope.backends)))
                        and not re.match(r"module\(\s*skip", attribute_text(attrs, "module") or ""),
                    )
                    found[name_of(child)] = (one, attrs)
            return found
        public = False
        for at, child in enumerate(body.children):
            if child.type == "visibility_modifier":
                public = flat(child) == "pub"
            elif body.field_name_for_child(at) == "type":
                found[str(len(found))] = (FieldFact(self.normaliser.term(child, scope), None, public), ())
                public = False
        return found

    def _term_of(self, node: Node, scope: Scope) -> Term:
        inside = node.child_by_field_name("type")
        assert inside is not None
        return self.normaliser.term(inside, scope)

    def _trait(self, item: SourceItem) -> None:
        path = "::".join(item.path)
        if not is_public(item.node) or path in self.facts.traits:
            return
        raws = raw_generics(item.node)
        scope = self.normaliser.scopes.scope(item.module, raws)
        bounds = item.node.child_by_field_name("bounds")
        above = self.normaliser.bounds(bounds.named_children, scope) if bounds is not None else ()
        members = list(self.sources.members(item))
        fact = TraitFact(
            path,
            item.module.crate,
            self.normaliser.params(raws, scope),
            above,
            tuple(name_of(node) for node, _ in members if node.type == "associated_type"),
            (*item.module.cfgs, *filter(None, (cfg_of(item.attrs),))),
        )
        for node, attrs in members:
            if node.type in ("function_item", "function_signature_item"):
                extra = ("default",) if node.type == "function_item" else ()
                signature = self._signature(
                    node, attrs, (), scope, item.module.crate, extra, Generic("Self"), raws
                )
                fact.methods.setdefault(name_of(node), []).append(signature)
        self.facts.traits[path] = fact

    def _impl(self, item: SourceItem) -> None:
        node = item.node
        receiver = node.child_by_field_name("type")
        trait = node.child_by_field_name("trait")
        if receiver is None or is_test(item.attrs):
            return
        raws = raw_generics(node)
        scope = self.normaliser.scopes.scope(item.module, raws)
        scope.self_term = self.normaliser.term(receiver, scope)
        cfgs = (*item.module.cfgs, *filter(None, (cfg_of(item.attrs),)))
        if trait is not None:
            if not any(c.type == "!" for c in node.children):
                self._trait_impl(item, trait, raws, scope, cfgs)
            return
        owner = self.facts.types.get(self.facts.head(scope.self_term))
        if owner is None:
            return
        for member, attrs in self.sources.members(item):
            if member.type == "function_item" and is_public(member) and not is_test(attrs):
                extra_cfgs = tuple(c for c in cfgs if c not in owner.cfgs)
                signature = self._signature(
                    member, attrs, extra_cfgs, scope, item.module.crate, (), scope.self_term, raws
                )
                owner.methods.setdefault(signature.name, []).append(signature)

    def _trait_impl(
        self, item: SourceItem, trait: Node, raws: list[RawGeneric], scope: Scope, cfgs: tuple[str, ...]
    ) -> None:
        named = self.normaliser.bound(trait, scope)
        if not isinstance(named, Named):
            return
        for member, _ in self.sources.members(item):
            target = member.child_by_field_name("type")
            if member.type == "type_item" and target is not None:
                scope.assoc[name_of(member)] = self.normaliser.term(target, scope)
        assert scope.self_term is not None
        self.facts.impls.append(
            ImplFact(
                named,
                scope.self_term,
                self.normaliser.params(raws, scope),
                dict(scope.assoc),
                item.module.crate,
                cfgs,
            )
        )

    def _signature(
        self,
        node: Node,
        attrs: tuple[str, ...],
        cfgs: tuple[str, ...],
        outer: Scope,
        crate: str,
        extra: tuple[str, ...] = (),
        receiver: Term | None = None,
        receiver_raws: list[RawGeneric] | None = None,
    ) -> Signature:
        raws = raw_generics(node)
        scope = self.normaliser.scopes.scope(outer.module, raws, outer)
        parameters = node.child_by_field_name("parameters")
        self_mode, params = "", []
        for child in parameters.named_children if parameters is not None else ():
            if child.type == "self_parameter":
                self_mode = _self_mode(child)
            elif child.type == "parameter":
                pattern = child.child_by_field_name("pattern")
                if pattern is not None and pattern.type == "self":
                    self_mode = "self: " + re.sub(r"\w+::", "", show(self._term_of(child, scope)))
                else:
                    params.append(Param(_parameter_name(pattern), self._term_of(child, scope)))
        result = node.child_by_field_name("return_type")
        modifiers = next((text(c) for c in node.children if c.type == "function_modifiers"), "")
        flags = {*extra, *(w for w in ("async", "unsafe", "const") if w in modifiers.split())}
        flags |= {name for name in ("must_use", "track_caller") if attribute_text(attrs, name) is not None}
        if any(re.match(r"doc\s*\(\s*hidden", a) for a in attrs):
            flags.add("hidden")
        return Signature(
            "",
            name_of(node),
            crate,
            self_mode,
            self.normaliser.params(raws, scope),
            tuple(params),
            self.normaliser.term(result, scope) if result is not None else UNIT,
            receiver,
            self.normaliser.params(receiver_raws or [], outer),
            frozenset(flags),
            deprecation(attrs),
            conjunction((*cfgs, *filter(None, (cfg_of(attrs),)))),
        )


def _self_mode(node: Node) -> str:
    source = flat(node)
    if not source.startswith("&"):
        return "self"
    return "&mut self" if re.search(r"\bmut\b", source) else "&self"


def _parameter_name(pattern: Node | None) -> str:
    if pattern is not None and pattern.type == "mut_pattern":
        pattern = pattern.named_children[-1]
    return text(pattern).removeprefix("r#") if pattern is not None and pattern.type == "identifier" else "_"
