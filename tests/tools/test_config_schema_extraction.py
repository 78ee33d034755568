"""Schemas from Rust sources with serde's derives."""

from __future__ import annotations

from pathlib import Path

from tools.config_schema.serde import Definitions

SOURCE = """
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Root {
    /// Words.
    #[serde(default)]
    pub logger: Logger<Level>,
    #[serde(default, rename = "environments")]
    path: Option<Cache>,
    #[serde(alias = "old")]
    pub names: Vec<String>,
    #[serde(skip)]
    hidden: u8,
    #[cfg(std_io)]
    limit: u8,
    other: Foreign,
}

#[derive(Deserialize)]
#[serde(bound = "")]
pub struct Logger<L: LogLevel> {
    file: Option<std::path::PathBuf>,
    level: L,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Level { PerThread, #[serde(rename = "off")] Disabled }

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Cache { Local, File(String) }

struct Foreign;
"""


def test_a_type_as_serde_reads_it(tmp_path: Path) -> None:
    (tmp_path / "x.rs").write_text(SOURCE)
    definitions = Definitions([tmp_path])
    assert definitions.has("Root")
    assert not definitions.has("Foreign")
    assert definitions.schema("crate::Root") == {
        "fields": {
            "environments": {"words": ["local"], "keyed": {"file": "string"}},
            "limit": "u8",
            "logger": {"fields": {"file": "string", "level": {"words": ["per-thread", "off"]}}},
            "names": "any",
            "old": "any",
            "other": "any",
        },
        "deny": True,
    }
    assert definitions.unknown == {"Foreign"}
