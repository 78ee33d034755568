"""Weights are loaded with checks turned off and nobody looks at the report: what did not fit stays random.

## Why
With `allow_partial(true)` a tensor that the file lacks, or has under another name, is no error; with
`validate(false)` one of another shape or dtype is none either. The `ApplyResult` that `load_from` gives is then the
only place that says so. A `ModuleRecord` has no report: with `allow_partial(true)` and `allow_unused(true)` nothing
of it need match.

## PyTorch
`load_state_dict(strict=False)` returns the missing and unexpected keys, and ignoring them has the same effect.

## Fires
    # use burn::nn::Linear;
    # use burn::store::{ModuleSnapshot, SafetensorsStore};
    # fn load(model: &mut Linear) {
    let mut store = SafetensorsStore::from_file("old.safetensors").allow_partial(true);
    model.load_from(&mut store).expect("weights");
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::store::{ModuleSnapshot, SafetensorsStore};
    # fn load(model: &mut Linear) {
    let mut store = SafetensorsStore::from_file("old.safetensors").allow_partial(true);
    let report = model.load_from(&mut store).expect("weights");
    assert!(report.missing.is_empty(), "{report}");
    # }

## Known gaps
A store that a caller configures, or whose settings differ by path, is not judged. With `allow_partial(true)` alone,
or a filter on the store, the confidence is medium: files that each bring a part of the module may be what is meant.

## References
burn-store 0.22.1, src/safetensors/store.rs, src/burnpack.rs (`apply_to`); burn-core 0.22.1, src/store/mod.rs
(`apply`). Run on 0.21.0 and 0.22.1: fixtures/record/partial-load-unchecked/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule, StoreUse

RULE = Rule(
    "BL506",
    "partial-load-unchecked",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B18",),
    burn=">=0.19",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("allow_partial", "validate"),
    messages=(
        r"\bValidation(?: error: |(?:Error|Failed)?\(\"| failed: )(?:Missing|Unused) tensors: \[",
        r"validation error: (?:Missing|Unused) tensors: \[",
        r"Tensor not found:\s*┌─ Tensor Loading Summary",
    ),
)

_FILTERS = ("filter", "with_filter", "with_regex", "with_regexes", "with_full_path", "with_full_paths")
_FILTERS_TOO = ("with_predicate", "with_predicates")
_HELP = "check `missing` and `errors` of the `ApplyResult`, or rename with a key remapping instead"


def check(file: FileView) -> Iterator[Finding]:
    yield from _of_stores(file)
    yield from _of_records(file)


def _of_stores(file: FileView) -> Iterator[Finding]:
    loads = [use for use in file.store_uses(tests=False) if not use.saves]
    for use in loads:
        store = use.store if use.call.result_ignored else None
        if store is None:
            continue
        partial = store.flag("allow_partial", default=False) is True
        unchecked = store.flag("validate", default=True) is False
        if not (partial or unchecked) or (not unchecked and _is_one_of_several(use, loads)):
            continue
        what = " and ".join(
            text
            for text, holds in (("is missing", partial), ("has another shape or dtype", unchecked))
            if holds
        )
        finding = Finding(
            use.call.name_place,
            f"the report of this load is dropped: what {what} in the file keeps its random values, without a word",
            help=_HELP,
        )
        setting = store.setter("allow_partial" if partial else "validate")
        assert setting is not None, "set to what is not the default"
        finding = finding.with_because(setting.name_place, "the check is turned off here")
        filtered = store.setter(*_FILTERS, *_FILTERS_TOO) is not None
        yield finding if unchecked and not filtered else finding.lowered(confidence="medium")


def _is_one_of_several(use: StoreUse, loads: list[StoreUse]) -> bool:
    """Whether its function loads the same module before or afterwards as well: each file may hold a part."""
    others = (o for o in loads if o.call.expr is not use.call.expr and o.call.fn is use.call.fn)
    return any(other.module.owner.text == use.module.owner.text for other in others)


def _of_records(file: FileView) -> Iterator[Finding]:
    for call in file.calls("load_record", "try_load_record", tests=False):
        if not call.key.startswith("Module::") or len(call.operands) != 2:
            continue
        record = call.operands[1].record
        if record.flag("validate") is False:
            what = (
                "a tensor of another shape or dtype is left out, and the module keeps its random values there"
            )
        elif record.flag("allow_partial") and record.flag("allow_unused"):
            what = "nothing of the record need match, and what does not keeps its random values"
        else:
            continue
        yield Finding(
            call.name_place,
            f"the checks of this record are turned off: {what}, without a word",
            help="leave the checks on; to rename, load through a `BurnpackStore` with `with_remap_pattern`",
        )
