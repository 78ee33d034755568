"""Name resolution over the module tree: a fixpoint over imports, globs, renames and re-exported crates."""

from __future__ import annotations

from dataclasses import replace

from tools.api.derive import has_records
from tools.api.modules import Binding, Module, Sources, Use, conditions
from tools.api.source import attribute_text, cfg_of, derives, is_public, name_of

NAMESPACE = {
    "struct": "type",
    "enum": "type",
    "union": "type",
    "trait": "type",
    "alias": "type",
    "mod": "type",
    "fn": "value",
    "const": "value",
    "macro": "macro",
    "derive": "macro",
}
_ROUNDS = 40


def resolve_names(sources: Sources) -> None:
    """Fill the namespaces of every module, record types that `#[derive(Module)]` writes included."""
    records = has_records(sources)
    for module in sources.modules.values():
        _declare(module, records)
    for _ in range(_ROUNDS):
        changed = False
        for module in sources.modules.values():
            for use in module.uses:
                take = _import_glob if use.alias == "*" else _import
                changed |= take(sources, module, use)
        if not changed:
            return
    raise RuntimeError("imports do not come to rest")


def _declare(module: Module, records: bool) -> None:
    for item in module.items:
        derive = attribute_text(item.attrs, r"proc_macro\w*")
        if derive is not None:
            derived = "derive" in derive
            name = derive.partition("(")[2].split(",")[0].strip(" )") if derived else name_of(item.node)
            sort = "derive" if derived else "macro"
            _bind(module, "macro", name, Binding(sort, (*module.path, name), True, frozenset(), 0))
        elif item.sort != "impl":
            found = conditions(module.crate, cfg_of(item.attrs))
            binding = Binding(item.sort, item.path, is_public(item.node), found, 0)
            _bind(module, NAMESPACE[item.sort], name_of(item.node), binding)
            if records and "Module" in derives(item.attrs):
                record = replace(binding, path=(*module.path, f"{name_of(item.node)}Record"))
                _bind(module, "type", record.path[-1], record)
    for name, (child, public, cfg) in module.children.items():
        _bind(module, "type", name, Binding("mod", child.path, public, conditions(module.crate, cfg), 0))


def _bind(module: Module, namespace: str, name: str, new: Binding) -> bool:
    """Enter a binding; definitions beat imports, imports beat globs. Whether anything changed.

    Of two definitions under different cfgs the first one stays, under the conditions that both share.
    """
    names = module.names[namespace]
    known = names.get(name)
    if known is None or new.rank < known.rank:
        names[name] = new
        return True
    if known.path != new.path and (known.rank < new.rank or new.rank == 2):
        return False
    merged = replace(known, public=known.public or new.public, conditions=known.conditions & new.conditions)
    names[name] = merged
    return merged != known


def find_module(
    sources: Sources, module: Module, segments: tuple[str, ...]
) -> Module | tuple[str, ...] | None:
    """The module that segments name, seen from a module; its foreign path if it is not in the sources."""
    if not segments:
        return module
    first, rest = segments[0], segments[1:]
    here: Module | None
    if first == "crate":
        here = sources.modules[(module.crate,)]
    elif first == "self":
        here = module
    elif first == "super":
        up = module.path[:-1]
        while rest and rest[0] == "super":
            up, rest = up[:-1], rest[1:]
        here = sources.modules.get(up)
    else:
        local = module.names["type"].get(first)
        if local is not None:
            here, rest = module, segments
        elif (first,) in sources.modules:
            here = sources.modules[(first,)]
        else:
            return segments
    for at, name in enumerate(rest):
        if here is None:
            return None
        binding = here.names["type"].get(name)
        if binding is None:
            foreign = sorted(here.foreign_globs)
            return (*foreign[0], *rest[at:]) if foreign else None
        if binding.sort == "external":
            return (*binding.path, *rest[at + 1 :])
        here = sources.modules.get(binding.path) if binding.sort == "mod" else None
    return here


def _import(sources: Sources, module: Module, use: Use) -> bool:
    found = conditions(module.crate, use.cfg)
    *parents, last = use.segments
    if use.alias == "_":
        return False
    if not parents:
        return _import_root(sources, module, last, use, found)
    parent = find_module(sources, module, tuple(parents))
    if isinstance(parent, tuple):
        return _bind(module, "type", use.alias, Binding("external", (*parent, last), use.public, found, 1))
    if parent is None:
        return False
    changed = False
    for namespace, names in parent.names.items():
        target = names.get(last)
        if target is not None and not (parent is module and use.alias == last):
            new = Binding(target.sort, target.path, use.public, found | target.conditions, 1)
            changed |= _bind(module, namespace, use.alias, new)
    return changed


def _import_root(
    sources: Sources, module: Module, name: str, use: Use, found: frozenset[tuple[str, str]]
) -> bool:
    if name in ("self", "super"):
        return False
    if name == "crate":
        return _bind(module, "type", use.alias, Binding("mod", (module.crate,), use.public, found, 1))
    if (name,) in sources.modules and name not in module.children:
        return _bind(module, "type", use.alias, Binding("mod", (name,), use.public, found, 1))
    changed = False
    local = False
    for namespace, names in module.names.items():
        target = names.get(name)
        if target is not None and (target.rank == 0 or use.alias != name):
            local = True
            new = Binding(target.sort, target.path, use.public, found | target.conditions, 1)
            changed |= use.alias != name and _bind(module, namespace, use.alias, new)
    if not local:
        external = Binding("external", (name,), use.public, found, 1)
        changed |= _bind(module, "type", use.alias, external)
    return changed


def _import_glob(sources: Sources, module: Module, use: Use) -> bool:
    origin = find_module(sources, module, use.segments)
    if isinstance(origin, tuple):
        if not use.public or origin in module.foreign_globs:
            return False
        module.foreign_globs.add(origin)
        return True
    if origin is None or origin is module:
        return False
    found = conditions(module.crate, use.cfg)
    changed = use.public and not origin.foreign_globs <= module.foreign_globs
    if use.public:
        module.foreign_globs |= origin.foreign_globs
    for namespace, names in origin.names.items():
        for name, target in list(names.items()):
            if target.public or origin.crate == module.crate:
                public = use.public and target.public
                new = Binding(target.sort, target.path, public, found | target.conditions, 2)
                changed |= _bind(module, namespace, name, new)
    return changed
