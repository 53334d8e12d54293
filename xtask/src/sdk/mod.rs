//! `cargo xtask sdk python`, `typescript` or `rust`, each with `[--cuts N] [--seed S]`: checks, packages and tests of the
//! client libraries in `sdk` and `crates/client`.
//!
//! The tests run the executable of this workspace. `--cuts` sets how often a test cuts a maker's connections; the same
//! seed makes the same cuts.

mod python;
mod rust;
mod typescript;

/// What a caller chose for the test that cuts connections.
#[derive(Debug, Default, PartialEq, Eq)]
struct Cuts {
    cuts: Option<String>,
    seed: Option<String>,
}

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let Some((language, options)) = arguments.split_first() else {
        return Err("takes `python`, `typescript` or `rust`".to_owned());
    };
    match language.as_str() {
        "python" => python::test(&read(options)?),
        "typescript" => typescript::test(&read(options)?),
        "rust" => rust::test(&read(options)?),
        other => Err(format!("takes `python`, `typescript` or `rust`, but got `{other}`")),
    }
}

fn read(arguments: &[String]) -> Result<Cuts, String> {
    let mut chosen = Cuts::default();
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--cuts" => chosen.cuts = Some(value.clone()),
            [name, value] if name == "--seed" => chosen.seed = Some(value.clone()),
            _ => return Err(format!("takes --cuts N and --seed S, but got `{}`", pair.join(" "))),
        }
    }
    Ok(chosen)
}

/// The variables that the tests in TypeScript and Rust read.
fn variables(chosen: &Cuts) -> Vec<(&'static str, &str)> {
    let given = [("CUTS", &chosen.cuts), ("SEED", &chosen.seed)];
    given.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::{Cuts, read, run, variables};

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn cuts_and_seed_can_be_chosen() {
        let chosen = Cuts { cuts: Some("1000".to_owned()), seed: Some("7".to_owned()) };
        assert_eq!(read(&words("--cuts 1000 --seed 7")), Ok(chosen));
        assert_eq!(read(&[]), Ok(Cuts::default()));
    }

    #[test]
    fn only_chosen_values_reach_the_tests() {
        assert!(variables(&Cuts::default()).is_empty());
        let chosen = Cuts { cuts: Some("1000".to_owned()), seed: None };
        assert_eq!(variables(&chosen), [("CUTS", "1000")]);
    }

    #[test]
    fn an_unknown_option_or_language_is_refused_by_name() {
        assert!(read(&words("--cuts")).unwrap_err().contains("`--cuts`"));
        assert!(read(&words("--cut 7")).unwrap_err().contains("`--cut 7`"));
        assert!(run(&words("cobol")).unwrap_err().contains("`cobol`"));
        assert!(run(&words("typescript --cut 7")).unwrap_err().contains("`--cut 7`"));
        assert!(run(&[]).is_err());
    }
}
