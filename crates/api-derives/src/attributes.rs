//! The attributes of serde that the writer follows. An unknown one is an error: ignoring it would write other JSON than
//! the schema says.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, LitStr, Path, Result, Token};

/// Attributes of serde that concern reading only.
const OF_READERS: [&str; 4] = ["alias", "default", "deserialize_with", "expecting"];

const UNKNOWN: &str = "WriteJson does not know this attribute";

/// Attributes of a type.
#[derive(Default)]
pub(crate) struct TypeAttributes {
    /// Keys are in camel case instead of snake case.
    pub(crate) is_camel_case: bool,
    /// An enum is written as the value of its variant.
    pub(crate) is_untagged: bool,
    /// The key of a first member, whose value is the type's name.
    pub(crate) tag: Option<String>,
    pub(crate) name: Option<String>,
}

/// Attributes of a field.
#[derive(Default)]
pub(crate) struct FieldAttributes {
    pub(crate) key: Option<String>,
    /// The field's members are members of the object around it.
    pub(crate) is_flat: bool,
    /// The function that says whether the key is left out.
    pub(crate) skip_if: Option<Path>,
}

impl TypeAttributes {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<TypeAttributes> {
        let mut found = TypeAttributes::default();
        each(attributes, |name, meta| {
            match name {
                "rename" => found.name = Some(text(meta)?.value()),
                "rename_all" if text(meta)?.value() == "camelCase" => found.is_camel_case = true,
                "tag" => found.tag = Some(text(meta)?.value()),
                "untagged" => found.is_untagged = true,
                _ => return Err(meta.error(UNKNOWN)),
            }
            Ok(())
        })?;
        Ok(found)
    }
}

impl FieldAttributes {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<FieldAttributes> {
        let mut found = FieldAttributes::default();
        each(attributes, |name, meta| {
            match name {
                "flatten" => found.is_flat = true,
                "rename" => found.key = Some(text(meta)?.value()),
                "skip_serializing_if" => found.skip_if = Some(text(meta)?.parse()?),
                _ => return Err(meta.error(UNKNOWN)),
            }
            Ok(())
        })?;
        Ok(found)
    }
}

/// Calls `take` for each attribute of serde that concerns writing.
fn each(
    attributes: &[Attribute],
    mut take: impl FnMut(&str, &ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            if !OF_READERS.contains(&name.as_str()) {
                return take(&name, &meta);
            }
            // The value, if it has one.
            if meta.input.peek(Token![=]) { text(&meta).map(drop) } else { Ok(()) }
        })?;
    }
    Ok(())
}

fn text(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    meta.value()?.parse()
}
