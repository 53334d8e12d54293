//! Rule: the top-level modules of the server do not import each other in a circle, so each can be read, tested and moved
//! to a crate of its own without the others. `layers.rs` refuses circles between layers; this rule those inside one.

use std::collections::{BTreeMap, BTreeSet};

use super::Violation;
use super::layers::{SERVER, module_of, used_modules};
use super::tree::Tree;

/// The circles that are left. The list only shrinks: a module that leaves its circle must leave the list too.
const ALLOWED: &[&[&str]] = &[
    &["admin", "app", "edge", "http", "openapi", "routes", "streams", "web"],
    &["audit", "node"],
    &["audit_trail", "respond", "view"],
];
const HERE: &str = "xtask/src/tidy/circles.rs";

/// The modules that each module imports.
type Imports<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    check_except(tree, ALLOWED)
}

fn check_except(tree: &Tree, allowed: &[&[&str]]) -> Vec<Violation> {
    let files = tree.sources().filter_map(|(path, source)| {
        let module = path.strip_prefix(SERVER).and_then(module_of)?;
        Some((path, module, used_modules(path, source)))
    });
    let files: Vec<_> = files.collect();
    let mut imports = Imports::new();
    for (_, module, used) in &files {
        let used = used.iter().map(|(_, used)| *used).filter(|used| used != module);
        imports.entry(module).or_default().extend(used);
    }
    let reached: Imports<'_> =
        imports.keys().map(|module| (*module, reached_from(&imports, module))).collect();
    let leads = |from: &str, to: &str| reached.get(from).is_some_and(|reached| reached.contains(to));
    let is_allowed = |one: &str, other: &str| {
        allowed.iter().any(|circle| circle.contains(&one) && circle.contains(&other))
    };
    let mut violations = Vec::new();
    for (path, module, used) in &files {
        for (line, used) in used.iter().filter(|(_, used)| used != module) {
            if leads(used, module) && !is_allowed(module, used) {
                let what =
                    format!("circles: `crate::{used}` imports `{module}` too, itself or through others");
                violations.push(Violation::new(path, *line, what));
            }
        }
    }
    for circle in allowed {
        for module in *circle {
            let is_in = |other: &&&str| *other != module && leads(module, other) && leads(other, module);
            if !circle.iter().any(|other| is_in(&other)) {
                let what = format!("circles: `{module}` is in no circle any more: remove it from the list");
                violations.push(Violation::new(HERE, 1, what));
            }
        }
    }
    violations
}

/// All modules that a module imports, itself or through others.
fn reached_from<'a>(imports: &Imports<'a>, module: &str) -> BTreeSet<&'a str> {
    let (mut reached, mut waiting) = (BTreeSet::new(), vec![module]);
    while let Some(module) = waiting.pop() {
        for used in imports.get(module).into_iter().flatten() {
            if reached.insert(*used) {
                waiting.push(used);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::check_except;
    use crate::tidy::tree::Tree;

    fn found(allowed: &[&[&str]], files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> =
            files.iter().map(|(path, text)| (format!("crates/server/src/{path}"), *text)).collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        check_except(&Tree::planted(&files), allowed).iter().map(ToString::to_string).collect()
    }

    const CIRCLE: [(&str, &str); 4] = [
        ("http/mod.rs", "use crate::routes::Routes;\nuse crate::http::json;\n"),
        ("routes/orders.rs", "\nfn a(b: &crate::web::Page) {}\n"),
        ("web.rs", "use crate::http::Failure;\nuse crate::view::order;\n"),
        ("view/order.rs", "// crate::http\n"),
    ];

    #[test]
    fn each_import_of_a_circle_is_named() {
        let expected = [
            "crates/server/src/http/mod.rs:1: circles: `crate::routes` imports `http` too, itself or through others",
            "crates/server/src/routes/orders.rs:2: circles: `crate::web` imports `routes` too, itself or through others",
            "crates/server/src/web.rs:1: circles: `crate::http` imports `web` too, itself or through others",
        ];
        assert_eq!(found(&[], &CIRCLE), expected);
    }

    #[test]
    fn an_allowed_circle_passes_and_does_not_grow() {
        let allowed: &[&[&str]] = &[&["http", "routes", "web"]];
        assert!(found(allowed, &CIRCLE).is_empty());
        let grown = [&CIRCLE[..3], &[("view/order.rs", "use crate::web::Page;\n")]].concat();
        let expected = [
            "crates/server/src/view/order.rs:1: circles: `crate::web` imports `view` too, itself or through others",
            "crates/server/src/web.rs:2: circles: `crate::view` imports `web` too, itself or through others",
        ];
        assert_eq!(found(allowed, &grown), expected);
        let two: &[&[&str]] = &[&["http", "routes"], &["view", "web"]];
        assert!(!found(two, &grown).is_empty(), "two circles may not become one");
    }

    #[test]
    fn a_module_that_has_left_its_circle_leaves_the_list() {
        let left = [CIRCLE[0], CIRCLE[1], ("web.rs", ""), ("view/order.rs", "")];
        let expected = ["http", "routes", "web"].map(|module| {
            format!("xtask/src/tidy/circles.rs:1: circles: `{module}` is in no circle any more: remove it from the list")
        });
        assert_eq!(found(&[&["http", "routes", "web"]], &left), expected);
    }
}
