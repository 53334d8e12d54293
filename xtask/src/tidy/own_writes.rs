//! Rule: no endpoint of the server reads the state after its own write: by then it may be the work of another request.
//!
//! A reply, or `respond::Shown`, has what the response shows. The rule sees a read that follows a write in the text of one
//! function, and a call of a function of the same file that reads.

use super::Violation;
use super::length::{Function, functions};
use super::source::{Source, is_name_byte};
use super::tree::Tree;

const ENDPOINTS: &[&str] =
    &["crates/server/src/admin/", "crates/server/src/routes/", "crates/server/src/web/"];
const WRITES: &[&str] = &[
    ".operate(",
    ".operate_or_propose(",
    ".answer(",
    ".answer_or_propose(",
    ".submit(",
    ".write(",
    ".carry_out(",
];
const READS: &[&str] = &[".read_state(", ".state(", ".shared("];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let is_endpoint = |path: &str| ENDPOINTS.iter().any(|folder| path.starts_with(folder));
    tree.sources()
        .filter(|(path, _)| is_endpoint(path))
        .flat_map(|(path, source)| check_file(path, source))
        .collect()
}

fn check_file(path: &str, source: &Source) -> Vec<Violation> {
    let functions = functions(source);
    let readers: Vec<&str> = functions
        .iter()
        .filter(|function| !reads(source, function).is_empty())
        .map(|function| function.name)
        .collect();
    let mut violations = Vec::new();
    for function in &functions {
        let Some(write) = places(source, function, WRITES).into_iter().min() else { continue };
        let mut late = reads(source, function);
        late.extend(readers.iter().flat_map(|name| calls(source, function, name)));
        late.retain(|at| *at > write);
        violations.extend(late.into_iter().map(|at| {
            let what = format!(
                "own_writes: fn {} reads the state after its own write: use what the reply shows",
                function.name
            );
            Violation::new(path, source.line_of(at), what)
        }));
    }
    violations
}

fn reads(source: &Source, function: &Function<'_>) -> Vec<usize> {
    places(source, function, READS)
}

/// The offsets of these texts in a function.
fn places(source: &Source, function: &Function<'_>, texts: &[&str]) -> Vec<usize> {
    let (start, code) = (*function.body.start(), &source.code()[function.body.clone()]);
    texts.iter().flat_map(|text| code.match_indices(text).map(|(at, _)| start + at)).collect()
}

/// Calls of a function by its bare name.
fn calls(source: &Source, function: &Function<'_>, name: &str) -> Vec<usize> {
    let is_bare = |at: &usize| {
        let before = source.code().as_bytes()[at - 1];
        !is_name_byte(before) && before != b'.' && before != b':'
    };
    places(source, function, &[&format!("{name}(")]).into_iter().filter(is_bare).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&Tree::planted(&[(path, text)])).iter().map(|violation| violation.line).collect()
    }

    const HANDLER: &str = "crates/server/src/admin/a.rs";

    #[test]
    fn a_read_after_a_write_is_found_also_in_a_function_that_is_called() {
        let direct = "fn a() {\n    app.read_state();\n    app.submit(b);\n    app.state();\n}\n";
        assert_eq!(lines(HANDLER, direct), [4]);
        let called = "fn a() {\n    request.operate(b);\n    show(app)\n}\nfn show(app: App) {\n    app.read_state();\n}\n";
        assert_eq!(lines(HANDLER, called), [3]);
        assert!(
            lines("crates/server/src/streams/a.rs", direct).is_empty(),
            "a stream answers with the state of now"
        );
    }

    #[test]
    fn a_read_before_the_write_and_methods_of_the_same_name_are_free() {
        let before = "fn a() {\n    find(app);\n    app.write(b);\n    other.find(c);\n    finding::find(d);\n}\nfn find(app: App) {\n    app.state();\n}\n";
        assert!(lines(HANDLER, before).is_empty());
    }
}
