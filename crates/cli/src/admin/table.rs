//! A response as tables: its own fields, then each list in it. Numbers keep their original text.

use std::collections::BTreeMap;

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, Table};
use serde_json::value::RawValue;

type Object = BTreeMap<String, Box<RawValue>>;

/// Anything but a JSON object is printed as it is. Of lists only `columns` are shown, in their order; none means all.
pub(super) fn show(body: &str, columns: &[&str]) -> String {
    let Ok(object) = serde_json::from_str::<Object>(body) else { return body.to_owned() };
    tables(&object, "", columns).join("\n\n")
}

fn tables(object: &Object, prefix: &str, columns: &[&str]) -> Vec<String> {
    let own = fields(object);
    let mut tables = if own.is_empty() { Vec::new() } else { vec![own.to_string()] };
    let mut last = None;
    for (name, value) in object {
        let name = format!("{prefix}{name}");
        if let Ok(rows) = serde_json::from_str::<Vec<Object>>(value.get()) {
            let shown = if rows.is_empty() { "none".to_owned() } else { list(&rows, columns).to_string() };
            tables.push(format!("{name}\n{shown}"));
        } else if let Ok(inner) = serde_json::from_str::<Object>(value.get()) {
            if name == "pagination" {
                last = Some(page(&inner));
            } else {
                let inner = self::tables(&inner, &format!("{name}."), columns).join("\n\n");
                tables.push(format!("{name}\n{inner}"));
            }
        }
    }
    tables.extend(last);
    tables
}

fn page(pagination: &Object) -> String {
    let part = |name: &str| pagination.get(name).map_or_else(String::new, |value| plain(value));
    format!("page {} of {}, {} in all", part("page"), part("lastPage"), part("totalCount"))
}

/// Scalars, and lists of scalars on one line.
fn fields(object: &Object) -> Table {
    let mut table = table();
    for (name, value) in object {
        let words = serde_json::from_str::<Vec<Box<RawValue>>>(value.get()).ok();
        let is_plain = |word: &RawValue| !word.get().starts_with(['[', '{']);
        match words {
            Some(words) if !words.is_empty() && words.iter().all(|word| is_plain(word)) => {
                let words: Vec<String> = words.iter().map(|word| plain(word)).collect();
                table.add_row([Cell::new(name), Cell::new(words.join(", "))]);
            }
            None if is_plain(value) => {
                table.add_row([Cell::new(name), Cell::new(plain(value))]);
            }
            _ => {}
        }
    }
    table
}

/// Keys may be missing in some rows, so the columns are the union of all rows' keys.
fn list(rows: &[Object], columns: &[&str]) -> Table {
    let mut names: Vec<&str> =
        columns.iter().copied().filter(|name| rows.iter().any(|row| row.contains_key(*name))).collect();
    if names.is_empty() {
        let all = rows.iter().flat_map(Object::keys).map(String::as_str);
        names = all.collect::<std::collections::BTreeSet<_>>().into_iter().collect();
    }
    let mut table = table();
    table.set_header(&names);
    for row in rows {
        table.add_row(names.iter().map(|name| row.get(*name).map_or_else(String::new, |value| cell(value))));
    }
    table
}

/// A list or an object in a cell is printed on one line.
fn cell(value: &RawValue) -> String {
    if let Ok(words) = serde_json::from_str::<Vec<Box<RawValue>>>(value.get()) {
        let is_object = words.iter().any(|word| word.get().starts_with('{'));
        let between = if is_object { "; " } else { ", " };
        return words.iter().map(|word| cell(word)).collect::<Vec<_>>().join(between);
    }
    if let Ok(object) = serde_json::from_str::<Object>(value.get()) {
        let parts = object.iter().map(|(name, value)| format!("{name} {}", cell(value)));
        return parts.collect::<Vec<_>>().join(", ");
    }
    plain(value)
}

fn table() -> Table {
    let mut table = Table::new();
    table.load_preset(NOTHING);
    table
}

fn plain(value: &RawValue) -> String {
    serde_json::from_str::<String>(value.get()).unwrap_or_else(|_| value.get().to_owned())
}

#[cfg(test)]
mod tests {
    use super::show;

    #[test]
    fn numbers_keep_every_digit_and_lists_become_tables() {
        let body = r#"{"sequence":12,"deposited":[{"amount":4611686018427.387904,"currency":"USD"}]}"#;
        let shown = show(body, &[]);
        assert!(shown.contains("sequence"), "{shown}");
        assert!(shown.contains("4611686018427.387904"), "{shown}");
    }

    #[test]
    fn a_key_that_only_some_rows_have_keeps_its_column() {
        let shown = show(r#"{"rows":[{"a":1,"b":2},{"a":3,"z":4}]}"#, &[]);
        let lines: Vec<Vec<&str>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines, [vec!["rows"], vec!["a", "b", "z"], vec!["1", "2"], vec!["3", "4"]]);
        let chosen = show(r#"{"rows":[{"a":1,"b":2,"c":[1,2]}]}"#, &["c", "a", "none"]);
        let lines: Vec<Vec<&str>> = chosen.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1..], [vec!["c", "a"], vec!["1,", "2", "1"]]);
    }

    #[test]
    fn a_value_that_is_no_object_is_shown_unchanged() {
        assert_eq!(show("gateway broken", &[]), "gateway broken");
    }
}
