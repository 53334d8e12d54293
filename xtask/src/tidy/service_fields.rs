//! Rule: the service types of the server have no public field. Callers use their methods, so that a type can change
//! what it holds without changing its callers.

use super::Violation;
use super::source::Source;
use super::tree::Tree;

const SERVER: &str = "crates/server/src/";

/// The types that handlers and the node hold, with their files.
const SERVICE_TYPES: &[(&str, &str)] = &[
    ("app.rs", "App"),
    ("reading/mod.rs", "Reading"),
    ("writing/mod.rs", "Writing"),
    ("access/mod.rs", "Access"),
    ("feeds/mod.rs", "Feeds"),
    ("streams/mod.rs", "Streams"),
    ("web/settings.rs", "Web"),
    ("people/mod.rs", "People"),
    ("history/mod.rs", "History"),
    ("pipeline/sequencer/mod.rs", "Sequencer"),
    ("pipeline/state.rs", "Shared"),
    ("pipeline/proofs.rs", "Proofs"),
];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    if tree.source(&format!("{SERVER}lib.rs")).is_none() {
        return Vec::new();
    }
    SERVICE_TYPES.iter().flat_map(|(file, name)| check_type(tree, &format!("{SERVER}{file}"), name)).collect()
}

fn check_type(tree: &Tree, path: &str, name: &str) -> Vec<Violation> {
    let found = tree.source(path).and_then(|source| Some((source, body(source, name)?)));
    let Some((source, (start, end))) = found else {
        let what = format!("service fields: `{name}` is not here; correct the list in service_fields.rs");
        return vec![Violation::new(path, 1, what)];
    };
    let public = source.find("pub").into_iter().filter(|at| (start..end).contains(at));
    let violation = |at| {
        let what = format!("service fields: a field of the service type `{name}` must be private");
        Violation::new(path, source.line_of(at), what)
    };
    public.map(violation).collect()
}

/// Where the braces of a struct begin and end.
fn body(source: &Source, name: &str) -> Option<(usize, usize)> {
    let start = *source.find(&format!("struct {name}")).first()?;
    let open = source.find_outside_brackets(start, b"{;")?;
    let end = if source.code().as_bytes()[open] == b'{' { source.closing(open)? } else { open };
    Some((start, end))
}

#[cfg(test)]
mod tests {
    use super::{SERVER, SERVICE_TYPES, check};
    use crate::tidy::tree::Tree;

    fn found(app: &str) -> Vec<String> {
        let mut files = vec![(format!("{SERVER}lib.rs"), String::new())];
        for (file, name) in SERVICE_TYPES {
            let text = if *name == "App" {
                app.to_owned()
            } else {
                format!("pub struct {name} {{\n    a: u8,\n}}\n")
            };
            files.push((format!("{SERVER}{file}"), text));
        }
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        check(&Tree::planted(&files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_public_field_of_a_service_type_is_refused_on_its_line() {
        let expected = [
            "crates/server/src/app.rs:2: service fields: a field of the service type `App` must be private",
            "crates/server/src/app.rs:4: service fields: a field of the service type `App` must be private",
        ];
        assert_eq!(
            found("pub struct App {\n    pub a: u8,\n    b: u8,\n    pub(crate) c: u8,\n}\n"),
            expected
        );
    }

    #[test]
    fn private_fields_other_types_and_methods_pass() {
        let text = "pub struct Apple {\n    pub a: u8,\n}\npub struct App {\n    // pub b\n    a: u8,\n}\nimpl App {\n    pub fn a(&self) {}\n}\n";
        assert!(found(text).is_empty());
    }

    #[test]
    fn a_type_that_moved_must_move_in_the_list() {
        let expected = "crates/server/src/app.rs:1: service fields: `App` is not here; correct the list in service_fields.rs";
        assert_eq!(found("pub struct Other {}\n"), [expected]);
    }
}
