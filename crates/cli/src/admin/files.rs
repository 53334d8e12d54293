//! Descriptions in files: JSON unchanged, TOML converted to JSON without losing digits.

use std::io::{self, Read};
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::desk::CommandError;

/// The JSON of a file; `-` is standard input, as JSON.
pub(super) fn description(path: &Path) -> Result<String, CommandError> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(path)
    };
    let text = text.map_err(|cause| CommandError::File { path: path.display().to_string(), cause })?;
    if path.extension().is_some_and(|extension| extension == "toml") {
        from_toml(&text).map_err(|fault| CommandError::input(format!("{}: {fault}", path.display())))
    } else {
        Ok(text)
    }
}

fn from_toml(text: &str) -> Result<String, String> {
    let table = DeTable::parse(text).map_err(|error| error.to_string())?;
    object(table.get_ref())
}

fn object(table: &DeTable<'_>) -> Result<String, String> {
    let fields: Result<Vec<String>, String> = table
        .iter()
        .map(|(name, value)| {
            Ok(format!(
                "{}:{}",
                quoted(name.get_ref()),
                value_text(value.get_ref()).map_err(|fault| format!("{}: {fault}", name.get_ref()))?
            ))
        })
        .collect();
    Ok(format!("{{{}}}", fields?.join(",")))
}

fn value_text(value: &DeValue<'_>) -> Result<String, String> {
    Ok(match value {
        DeValue::String(text) => quoted(text),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Integer(number) if number.radix() == 10 => plain_number(number.as_str())?,
        DeValue::Integer(_) => return Err("must be a decimal number".to_owned()),
        // From the text, not as a float: money is exact.
        DeValue::Float(number) => plain_number(number.as_str())?,
        DeValue::Datetime(time) => quoted(&time.to_string()),
        DeValue::Array(values) => {
            let values: Result<Vec<String>, String> =
                values.iter().map(|value| value_text(value.get_ref())).collect();
            format!("[{}]", values?.join(","))
        }
        DeValue::Table(table) => object(table)?,
    })
}

/// Rejects or converts numbers that TOML has and JSON has not: `+1`, `1_000`, `inf`.
fn plain_number(text: &str) -> Result<String, String> {
    let plain: String = text.trim_start_matches('+').chars().filter(|character| *character != '_').collect();
    match serde_json::from_str::<&serde_json::value::RawValue>(&plain) {
        Ok(number) if number.get().starts_with(|first: char| first == '-' || first.is_ascii_digit()) => {
            Ok(plain)
        }
        _ => Err(format!("{text} is no number")),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::from_toml;

    #[test]
    fn toml_becomes_json_with_every_digit() {
        let text = "slug = \"a\"\namount = 4611686018427.387903\ncount = 1_000\nopen = true\n\
            closingDate = 2031-01-01T00:00:00Z\n[[markets]]\ntitle = \"One\"\nminimumOrderAmount = { USD = 5 }\n";
        let json = from_toml(text).expect("JSON");
        for part in [
            "\"amount\":4611686018427.387903",
            "\"count\":1000",
            "\"open\":true",
            "\"closingDate\":\"2031-01-01T00:00:00Z\"",
            "\"markets\":[{",
            "\"minimumOrderAmount\":{\"USD\":5}",
        ] {
            assert!(json.contains(part), "{part} in {json}");
        }
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{json}");
    }

    #[test]
    fn numbers_that_json_lacks_are_refused_by_name() {
        for text in ["fee = inf", "fee = nan", "fee = 0x10"] {
            let fault = from_toml(text).expect_err("no JSON");
            assert!(fault.starts_with("fee: "), "{fault}");
        }
    }
}
