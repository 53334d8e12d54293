//! Rule: `crates/exchange/src` uses hash maps for lookup only and never iterates them, because their iteration order is not
//! part of the state.
//!
//! Clippy refuses the methods (`iter`, `keys`, `retain`, …) but cannot see iteration through a trait: `for x in &map`
//! and `map.into_iter()`. This rule finds those by name: a name counts as a hash map if this file declares it as one; a
//! field also if every declaration of it in the crate does. A map returned by a call is not found.

use std::collections::{BTreeMap, BTreeSet};

use super::Violation;
use super::source::{Source, is_name_byte, leading_name, trailing_name};
use super::tree::Tree;

const PLACE: &str = "crates/exchange/src/";
const HASHED: &[&str] = &["HashMap", "HashSet", "HashTable"];
const WHY: &str =
    "is a hash map: its order is not part of the state; look up by key, or keep the order beside it";

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let files: Vec<_> = tree.sources().filter(|(path, _)| path.starts_with(PLACE)).collect();
    let types = hashed_types(&files);
    let declared: Vec<_> = files.iter().map(|(_, source)| declarations(source, &types)).collect();
    let everywhere = always_hashed(&declared);
    let mut violations = Vec::new();
    for ((path, source), here) in files.iter().zip(&declared) {
        let is_hashed = |name: &str, is_field: bool| match here.get(name) {
            Some(kinds) => kinds.contains(&true),
            None => is_field && everywhere.contains(name),
        };
        for Walk { at, name, is_field } in for_loops(source).into_iter().chain(into_iter_calls(source)) {
            if is_hashed(name, is_field) {
                violations.push(Violation::new(path, source.line_of(at), format!("`{name}` {WHY}")));
            }
        }
    }
    violations
}

/// A place where something is iterated.
struct Walk<'a> {
    at: usize,
    name: &'a str,
    is_field: bool,
}

impl<'a> Walk<'a> {
    fn new(at: usize, walked: &'a str) -> Self {
        let name = trailing_name(walked);
        Self { at, name, is_field: walked[..walked.len() - name.len()].ends_with('.') }
    }
}

/// The hash types and their aliases.
fn hashed_types(files: &[(&str, &Source)]) -> BTreeSet<String> {
    let mut types: BTreeSet<String> = HASHED.iter().map(|name| (*name).to_owned()).collect();
    for (_, source) in files {
        for at in source.find("type") {
            let item = source.code()[at + 4..].split(';').next().unwrap_or("");
            if let Some((name, target)) = item.split_once('=')
                && type_name(target).is_some_and(|target| types.contains(target))
            {
                types.insert(leading_name(name.trim()).to_owned());
            }
        }
    }
    types
}

/// `HashMap` for ` &'a mut hashbrown::HashMap<K, V>` and for ` HashMap::new()`; empty for an array, a tuple and the
/// like; none if the text does not show the type.
fn type_name(code: &str) -> Option<&str> {
    let code = skip_reference(code);
    let first = leading_name(code);
    if first.is_empty() || first == "impl" || first == "dyn" {
        return Some("");
    }
    let mut last = None;
    let mut rest = code;
    loop {
        let name = leading_name(rest);
        if name.starts_with(char::is_uppercase) && name != "Self" && name != "Default" {
            last = Some(name);
        }
        match rest[name.len()..].strip_prefix("::") {
            Some(after) if !name.is_empty() => rest = after,
            _ => return last,
        }
    }
}

/// Strips `&`, lifetime and `mut`.
fn skip_reference(code: &str) -> &str {
    let mut code = code.trim_start();
    loop {
        code = match code.strip_prefix('&').or_else(|| code.strip_prefix("mut ")) {
            Some(rest) => rest.trim_start(),
            None if code.starts_with('\'') => code[1 + leading_name(&code[1..]).len()..].trim_start(),
            None => return code,
        };
    }
}

/// Names of fields, arguments and variables, each with whether its declarations have a hash type.
fn declarations<'a>(source: &'a Source, types: &BTreeSet<String>) -> BTreeMap<&'a str, BTreeSet<bool>> {
    let code = source.code();
    let mut found: BTreeMap<_, BTreeSet<bool>> = BTreeMap::new();
    let colons = code
        .match_indices(':')
        .filter(|(at, _)| !code[*at + 1..].starts_with(':') && !code[..*at].ends_with(':'));
    let values = source.find("let").into_iter().filter_map(|at| {
        let equals = at + code[at..].find(['=', ';', ':'])?;
        code[equals..].starts_with('=').then_some(equals)
    });
    for at in colons.map(|(at, _)| at).chain(values) {
        let name = trailing_name(code[..at].trim_end());
        if let (false, Some(kind)) = (name.is_empty(), type_name(&code[at + 1..])) {
            found.entry(name).or_default().insert(types.contains(kind));
        }
    }
    found
}

fn always_hashed<'a>(declared: &[BTreeMap<&'a str, BTreeSet<bool>>]) -> BTreeSet<&'a str> {
    let mut kinds: BTreeMap<&str, BTreeSet<bool>> = BTreeMap::new();
    for (name, here) in declared.iter().flatten() {
        kinds.entry(name).or_default().extend(here);
    }
    kinds.into_iter().filter(|(_, kinds)| !kinds.contains(&false)).map(|(name, _)| name).collect()
}

/// `for … in &mut a.b.name {`
fn for_loops(source: &Source) -> Vec<Walk<'_>> {
    let code = source.code();
    let loops = source.find("for").into_iter().filter_map(|at| {
        let open = source.find_outside_brackets(at, b"{;")?;
        let (_, walked) = code[at..open].split_once(" in ")?;
        let walked = walked.trim().trim_start_matches(['&', '*', '(']).trim_start_matches("mut ");
        let walked = walked.trim_end_matches(')').trim();
        let is_plain = walked.bytes().all(|byte| byte == b'.' || is_name_byte(byte));
        is_plain.then(|| Walk::new(at, walked))
    });
    loops.collect()
}

fn into_iter_calls(source: &Source) -> Vec<Walk<'_>> {
    let calls = source.find(".into_iter()").into_iter();
    calls.map(|at| Walk::new(at, source.code()[..at].trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use super::{check, type_name};
    use crate::tidy::tree::Tree;

    const FIELD: &str = "struct S { orders: HashMap<u8, u8>, levels: Vec<u8> }\n";

    fn lines_broken(text: &str) -> Vec<usize> {
        let tree = Tree::planted(&[("crates/exchange/src/a.rs", text)]);
        check(&tree).iter().map(|violation| violation.line).collect()
    }

    #[test]
    fn a_loop_over_a_hash_map_is_found() {
        for walk in ["&self.orders", "self.orders", "&mut state.orders", "(&self.orders)"] {
            assert_eq!(
                lines_broken(&format!("{FIELD}fn a() {{ for (k, v) in {walk} {{}} }}")),
                [2],
                "{walk}"
            );
        }
        assert_eq!(lines_broken("fn a(seen: &hashbrown::HashSet<u8>) { for x in seen {} }"), [1]);
        assert_eq!(lines_broken("fn a() { let mut seen = HashSet::new(); for x in seen {} }"), [1]);
    }

    #[test]
    fn taking_a_hash_map_apart_is_found() {
        assert_eq!(lines_broken(&format!("{FIELD}fn a() {{ self.orders.into_iter().count(); }}")), [2]);
    }

    #[test]
    fn an_alias_of_a_hash_map_is_one() {
        let text =
            "type Map<K, V> = hashbrown::HashMap<K, V, Fixed>;\nfn a(m: &Map<u8, u8>) {\n for x in m {} }";
        assert_eq!(lines_broken(text), [3]);
    }

    #[test]
    fn other_walks_are_free() {
        assert!(lines_broken(&format!("{FIELD}fn a() {{ for x in &self.levels {{}} }}")).is_empty());
        assert!(lines_broken(&format!("{FIELD}fn a() {{ for x in self.orders.get(1) {{}} }}")).is_empty());
        assert!(lines_broken(&format!("{FIELD}impl T for S {{}}")).is_empty());
    }

    #[test]
    fn a_field_declared_in_another_file_is_known_if_its_name_is_unambiguous() {
        let walk = ("crates/exchange/src/b.rs", "fn a() { for x in &state.orders {} }");
        let field = ("crates/exchange/src/a.rs", FIELD);
        assert_eq!(check(&Tree::planted(&[walk, field])).len(), 1);
        let other = ("crates/exchange/src/c.rs", "struct T { orders: Vec<u8> }");
        assert!(check(&Tree::planted(&[walk, field, other])).is_empty());
    }

    #[test]
    fn a_variable_is_not_taken_for_a_field_of_the_same_name() {
        let walk = ("crates/exchange/src/b.rs", "fn a() { let orders = sorted(); for x in orders {} }");
        assert!(check(&Tree::planted(&[walk, ("crates/exchange/src/a.rs", FIELD)])).is_empty());
    }

    #[test]
    fn filling_a_field_does_not_make_its_name_ambiguous() {
        let walk = ("crates/exchange/src/b.rs", "fn a() { for x in &state.orders {} }");
        let filled = format!("{FIELD}fn new(map: M) -> S {{ S {{ orders: map, levels: Vec::new() }} }}");
        assert_eq!(check(&Tree::planted(&[walk, ("crates/exchange/src/a.rs", &filled)])).len(), 1);
    }

    #[test]
    fn a_type_is_known_by_the_last_part_of_its_path() {
        assert_eq!(type_name(" &'a mut hashbrown::HashMap<K, V>"), Some("HashMap"));
        assert_eq!(type_name(" HashMap::new()"), Some("HashMap"));
        assert_eq!(type_name(" HashMap::<u8, u8>::new()"), Some("HashMap"));
        assert_eq!(type_name(" Vec<HashMap<K, V>>"), Some("Vec"));
        assert_eq!(type_name(" &[u8]"), Some(""));
        assert_eq!(type_name(" Default::default()"), None);
        assert_eq!(type_name(" make_map()"), None);
    }
}
