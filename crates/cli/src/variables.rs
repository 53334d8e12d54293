//! Environment variables that begin with `BELLWETHER_`. A variable that no command reads ends every command, because it is a
//! misspelt setting.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fmt;

use clap::Command;

use crate::nearest::nearest;

const PREFIX: &str = "BELLWETHER_";
/// The password of an account: no flag has it, because other users of the machine can read flags.
pub(crate) const PASSWORD: &str = "BELLWETHER_PASSWORD";
/// The secret key of an account, without a flag for the same reason.
pub(crate) const SECRET_KEY: &str = "BELLWETHER_SECRET_KEY";
/// Variables that are not those of a flag. Tests set the last ones, and an executable that they start inherits them.
const OTHERS: [&str; 13] = [
    PASSWORD,
    SECRET_KEY,
    "BELLWETHER_COMMIT",
    "BELLWETHER_FAIL_POINT",
    "BELLWETHER_NEXT",
    "BELLWETHER_ROW_SECONDS",
    "BELLWETHER_FUZZ_COVERAGE",
    "BELLWETHER_FUZZ_SEEDS",
    "BELLWETHER_FUZZ_TARGET",
    "BELLWETHER_SOAK_COUNT",
    "BELLWETHER_SOAK_MINUTES",
    "BELLWETHER_SOAK_SEED",
    "BELLWETHER_TEST_LANES",
];

/// The unknown variables, each with the nearest known name. Their values may be secrets and are left out.
#[derive(Debug, PartialEq, Eq)]
pub struct UnknownVariables(Vec<(String, Option<String>)>);

impl fmt::Display for UnknownVariables {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("no command reads ")?;
        for (place, (name, meant)) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            match meant {
                Some(meant) => write!(formatter, "{comma}{name} (did you mean {meant}?)")?,
                None => write!(formatter, "{comma}{name}")?,
            }
        }
        Ok(())
    }
}

impl std::error::Error for UnknownVariables {}

/// Refuses variables of this process that no flag below `command` has and no command reads otherwise.
pub(crate) fn check(command: &Command) -> Result<(), UnknownVariables> {
    check_names(&known(command), env::vars_os().map(|(name, _)| name))
}

fn check_names(
    known: &BTreeSet<String>,
    given: impl Iterator<Item = OsString>,
) -> Result<(), UnknownVariables> {
    let names: BTreeSet<String> = given.map(|name| name.to_string_lossy().into_owned()).collect();
    let unknown = names.into_iter().filter(|name| name.starts_with(PREFIX) && !known.contains(name));
    // Without the prefix, which would make all of them alike.
    let meant = |name: &str| {
        let known = known.iter().map(|known| &known[PREFIX.len()..]);
        nearest(&name[PREFIX.len()..], known).map(|meant| format!("{PREFIX}{meant}"))
    };
    let unknown: Vec<_> = unknown.map(|name| (name.clone(), meant(&name))).collect();
    if unknown.is_empty() { Ok(()) } else { Err(UnknownVariables(unknown)) }
}

/// The variables of all flags below a command, and the others.
fn known(command: &Command) -> BTreeSet<String> {
    let own = command.get_arguments().filter_map(|argument| argument.get_env());
    let own = own.map(|name| name.to_string_lossy().into_owned());
    let below = command.get_subcommands().flat_map(known);
    own.chain(below).chain(OTHERS.map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use clap::CommandFactory;

    use super::{PREFIX, check_names, known};
    use crate::Arguments;

    const REFERENCE: &str = include_str!("../../../docs/operating/reference.md");
    /// Folders without our text: downloads, builds, recorded bytes.
    const SKIPPED: [&str; 4] = ["corpus", "node_modules", "recorded", "target"];

    fn refused(names: &[&str]) -> Option<String> {
        let names = names.iter().map(|name| format!("{PREFIX}{name}").into());
        check_names(&known(&Arguments::command()), names).err().map(|unknown| unknown.to_string())
    }

    #[test]
    fn a_misspelt_variable_is_refused_with_the_nearest_name() {
        assert_eq!(refused(&["DATA", "TEST_LANES", "SECRET_KEY", "ADMIN_URL", "BACKUPS"]), None);
        let two = refused(&["TRUSTED_PROXY", "DATA", "REQUIRE_REPLICA"]).expect("a refusal");
        assert_eq!(
            two,
            format!(
                "no command reads {PREFIX}REQUIRE_REPLICA (did you mean {PREFIX}REQUIRE_REPLICAS?), \
                 {PREFIX}TRUSTED_PROXY (did you mean {PREFIX}TRUSTED_PROXIES?)"
            )
        );
        assert!(refused(&[""]).is_some(), "the prefix alone");
        let foreign = check_names(&BTreeSet::new(), ["PATH".into(), "bellwether_data".into()].into_iter());
        assert_eq!(foreign, Ok(()));
    }

    #[test]
    fn the_reference_has_every_variable() {
        let is_missing = |name: &String| !REFERENCE.contains(&format!("`{name}`"));
        let missing: Vec<_> = known(&Arguments::command()).into_iter().filter(is_missing).collect();
        assert!(missing.is_empty(), "docs/operating/reference.md lacks {missing:?}");
    }

    /// The names in a text, without those that a program completes, such as `BELLWETHER_…`.
    fn names_in(text: &str) -> impl Iterator<Item = String> {
        text.split(PREFIX).skip(1).filter_map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(rest.len());
            let name = &rest[..end];
            (!name.is_empty() && !name.ends_with('_')).then(|| format!("{PREFIX}{name}"))
        })
    }

    fn walk(folder: &Path, seen: &mut impl FnMut(&Path, String)) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let (path, kind) = (entry.path(), entry.file_type().expect("a kind"));
            if kind.is_dir() && !SKIPPED.contains(&entry.file_name().to_string_lossy().as_ref()) {
                walk(&path, seen);
            } else if kind.is_file()
                && let Ok(text) = fs::read_to_string(&path)
            {
                names_in(&text).for_each(|name| seen(&path, name));
            }
        }
    }

    #[test]
    fn every_variable_that_a_document_or_a_file_names_is_known() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let known = known(&Arguments::command());
        let (mut named, mut unknown) = (BTreeSet::new(), Vec::new());
        for folder in ["crates", "deploy", "docs", "examples", "scripts", "sdk", "web", "xtask"] {
            walk(&root.join(folder), &mut |path, name| {
                if !known.contains(&name) {
                    unknown.push(format!("{}: {name}", path.display()));
                }
                // The two places that list them all.
                if !path.ends_with("variables.rs") && !path.ends_with("reference.md") {
                    named.insert(name);
                }
            });
        }
        assert!(unknown.is_empty(), "{unknown:#?}");
        assert_eq!(named, known, "each known variable is used somewhere");
    }
}
