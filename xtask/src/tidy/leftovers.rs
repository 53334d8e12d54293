//! Rule: nothing unfinished is merged, and no test is switched off. A test that takes long says that `--long` runs it.

use super::Violation;
use super::tree::Tree;

const LEFTOVERS: &[(&str, &str)] = &[
    ("todo!", "finish it or leave the whole path out"),
    ("unimplemented!", "finish it or leave the whole path out"),
    ("dbg!", "left over from debugging"),
    ("#[ignore", "a test that does not run holds nothing: mend it, delete it, or let `--long` run it"),
];

/// Such a test runs in `cargo xtask test --long`.
const LONG: &str = "#[ignore = \"--long\"]";

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, source) in tree.sources() {
        for (leftover, why) in LEFTOVERS {
            let places = source.find(leftover).into_iter();
            let places = places.filter(|at| !source.text()[*at..].starts_with(LONG));
            violations.extend(
                places.map(|at| Violation::new(path, source.line_of(at), format!("`{leftover}`: {why}"))),
            );
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    #[test]
    fn each_leftover_is_found_on_its_line() {
        let text = "fn a() { todo!() }\nfn b() { unimplemented!(\"x\") }\nfn c() { dbg!(1); }\n#[ignore = \"slow\"]\n";
        let found = check(&Tree::planted(&[("crates/a/src/lib.rs", text)]));
        assert_eq!(found.iter().map(|violation| violation.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
    }

    #[test]
    fn a_test_that_only_the_long_run_runs_is_allowed() {
        let text = "#[ignore = \"--long\"]\nfn a() {}\n";
        assert!(check(&Tree::planted(&[("crates/a/src/lib.rs", text)])).is_empty());
    }

    #[test]
    fn talking_about_them_is_allowed() {
        let text = "// todo!() is refused\nconst A: &str = \"dbg!(\";\nmy_todo!();\n";
        assert!(check(&Tree::planted(&[("crates/a/src/lib.rs", text)])).is_empty());
    }
}
