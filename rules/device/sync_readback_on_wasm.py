"""A tensor is read with a blocking method in code for the browser: on a GPU back end it panics.

## Why
The browser gives no thread a way to wait for the GPU. `into_data`, `to_data` and `into_scalar` need the result at once and panic
with `Failed to read tensor data synchronously`, their `try_` twins as well. The methods that end in `_async` work everywhere.

## Fires
    # use burn::tensor::Tensor;
    #[cfg(target_family = "wasm")]
    pub fn scores(output: Tensor<1>) -> Vec<f32> {
        output.into_data().try_into_vec::<f32>().unwrap()
    }

## Clean
    # use burn::tensor::Tensor;
    #[cfg(target_family = "wasm")]
    pub async fn scores(output: Tensor<1>) -> Vec<f32> {
        let data = output.into_data_async().await.unwrap();
        data.try_into_vec::<f32>().unwrap()
    }

## Known gaps
Code for the browser is what is compiled for WebAssembly only, what `#[wasm_bindgen]` exports, and functions of the same file
that these call. On NdArray and Flex the read works: packages that can be built with nothing else are left alone, and confidence is
medium for all others.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs (`try_into_data_sync_impl`), and 0.21.0 (`try_into_data`, the same text).
It takes a browser with WebGPU to run: not run where burnlint is tested.
"""

import re
from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL624",
    "sync-readback-on-wasm",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B24",),
    burn=">=0.14",
    proven=(),
    listens=(
        "into_data",
        "to_data",
        "into_scalar",
        "try_into_data",
        "try_to_data",
        "try_into_scalar",
        "into_data_as",
        "to_data_as",
    ),
    messages=(r"Failed to read tensor data synchronously",),
)


_BROWSER = re.compile(rb"wasm(?<!\wwasm)")


def check(file: FileView) -> Iterator[Finding]:
    if _BROWSER.search(file.source.content) is None or file.only_eager:
        return
    for read in file.calls(*RULE.listens, tests=False):
        where = _browser_code(file, read)
        if where is None or read.key != f"Tensor::{read.name}":
            continue
        asynchronous = (
            read.name.removeprefix("try_").replace("into_scalar", "into_data").partition("_as")[0] + "_async"
        )
        finding = Finding(
            read.name_place,
            f"`{read.name}` blocks, which a browser does not allow: it panics on a GPU back end",
            help=f"read with `{asynchronous}().await`",
        )
        yield (
            finding if where is read else finding.with_because(where.place, "called by code for the browser")
        )


def _browser_code(file: FileView, read: Expr) -> Expr | None:
    """The read itself, or a call of the function around it, that stands in code for the browser."""
    if read.asks_for_browser:
        return None
    if read.in_browser_code:
        return read
    callers = (
        call for call in file.calls(read.fn.name) if call.in_browser_code and not call.asks_for_browser
    )
    return next((call for call in callers if call.target is not None and call.target.fn is read.fn), None)
