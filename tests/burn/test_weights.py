"""Names of tensors in the heads of files."""

from __future__ import annotations

import json
import struct

import pytest

from burnlint.burn.weights import tensor_names

# The head of a file that `save_file` of burn 0.22.1 wrote for a module of a Linear and a LayerNorm.
BURNPACK = bytes.fromhex(
    "4e525542010017010000a16774656e736f7273a4696e6f726d2e62657461a46564747970656346333265736861706581"
    "046c646174615f6f6666736574738219030019031068706172616d5f69641b0ba561ca0b18c5206a6e6f726d2e67616d"
    "6d61a46564747970656346333265736861706581046c646174615f6f6666736574738219020019021068706172616d5f"
    "69641bc1dfb7f92a4752db6970726f6a2e62696173a46564747970656346333265736861706581046c646174615f6f66"
    "66736574738219010019011068706172616d5f69641b5c0615804d8403a26b70726f6a2e776569676874a46564747970"
    "65634633326573686170658206046c646174615f6f6666736574738200186068706172616d5f69641b2cab323dc8eb39"
    "0d"
)


def safetensors(content: object) -> bytes:
    head = json.dumps(content).encode()
    return struct.pack("<Q", len(head)) + head


def test_safetensors() -> None:
    content = {
        "fc.weight": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]},
        "__metadata__": {"by": "burn"},
    }
    assert tensor_names(safetensors(content)) == {"fc.weight"}
    assert tensor_names(safetensors({})) == frozenset()


def test_burnpack() -> None:
    assert tensor_names(BURNPACK + b"\0" * 64) == {"norm.beta", "norm.gamma", "proj.bias", "proj.weight"}


@pytest.mark.parametrize("cut", range(0, len(BURNPACK), 7))
def test_a_head_that_is_not_all_there(cut: int) -> None:
    assert tensor_names(BURNPACK[:cut]) is None


@pytest.mark.parametrize(
    "head",
    [
        b"version https://git-lfs.github.com/spec/v1\n",
        b"PK\x03\x04" + b"\0" * 60,
        safetensors([1, 2]),
        safetensors({"a": 1})[:-1],
        struct.pack("<Q", 1 << 60) + b"{}",
        b"NRUB\x02\x00" + BURNPACK[6:],
        b"NRUB\x01\x00" + struct.pack("<I", 40) + b"\x81" * 40,
        b"NRUB\x01\x00" + struct.pack("<I", 2) + b"\xbf\xff",
        struct.pack("<Q", 3) + b"\xff\xfe\xfd",
    ],
)
def test_other_formats(head: bytes) -> None:
    assert tensor_names(head) is None
