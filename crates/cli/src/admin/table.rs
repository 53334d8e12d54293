//! An answer as tables: its own fields, then each list in it. Numbers stay the text they came as.

use std::collections::BTreeMap;

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, Table};
use serde_json::value::RawValue;

type Object = BTreeMap<String, Box<RawValue>>;

/// What is no JSON object is shown as it is.
pub(super) fn show(body: &str) -> String {
    let Ok(object) = serde_json::from_str::<Object>(body) else { return body.to_owned() };
    let mut tables = vec![fields(&object).to_string()];
    for (name, value) in &object {
        if let Ok(rows) = serde_json::from_str::<Vec<Object>>(value.get()) {
            tables.push(format!("{name}\n{}", list(&rows)));
        }
    }
    tables.join("\n\n")
}

fn fields(object: &Object) -> Table {
    let mut table = table();
    for (name, value) in object.iter().filter(|(_, value)| !value.get().starts_with(['[', '{'])) {
        table.add_row([Cell::new(name), Cell::new(plain(value))]);
    }
    table
}

fn list(rows: &[Object]) -> Table {
    let mut table = table();
    if let Some(first) = rows.first() {
        table.set_header(first.keys());
    }
    for row in rows {
        table.add_row(row.values().map(|value| plain(value)));
    }
    table
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
        let shown = show(r#"{"sequence":12,"deposited":[{"amount":4611686018427.387904,"currency":"USD"}]}"#);
        assert!(shown.contains("sequence"), "{shown}");
        assert!(shown.contains("4611686018427.387904"), "{shown}");
    }

    #[test]
    fn what_is_no_object_is_shown_as_it_is() {
        assert_eq!(show("gateway broken"), "gateway broken");
    }
}
