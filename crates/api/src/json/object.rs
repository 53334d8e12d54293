//! The macro that writes an object from a list of its fields.

/// `Type { field: "key", … }` implements `WriteJson` for a struct. The list has every field, in the order of the answer:
/// a forgotten field does not compile. The first field is always written.
///
/// A mode may follow the key. `[if some]` omits a key whose value is `None`, `[if not empty]` omits an empty text, and
/// `[or empty]` writes `None` as the empty text.
macro_rules! json_object {
    ($($name:ident $(<$lifetime:lifetime>)? {
        $first:ident: $first_key:literal,
        $($field:ident: $key:literal $([$($mode:tt)+])?,)*
    })+) => {$(
        impl $crate::json::WriteJson for $name $(<$lifetime>)? {
            fn write_json(&self, out: &mut Vec<u8>) {
                let $name { $first, $($field),* } = self;
                out.extend_from_slice(concat!("{\"", $first_key, "\":").as_bytes());
                $crate::json::WriteJson::write_json($first, out);
                $($crate::json::object::member!(
                    out, concat!(",\"", $key, "\":").as_bytes(), $field $(, $($mode)+)?
                );)*
                out.push(b'}');
            }
        }
    )+};
}

/// One key with its value.
macro_rules! member {
    ($out:ident, $key:expr, $field:ident) => {
        $out.extend_from_slice($key);
        $crate::json::WriteJson::write_json($field, $out);
    };
    ($out:ident, $key:expr, $field:ident, if some) => {
        if let Some(value) = $field {
            $crate::json::object::member!($out, $key, value);
        }
    };
    ($out:ident, $key:expr, $field:ident, if not empty) => {
        if !$field.is_empty() {
            $crate::json::object::member!($out, $key, $field);
        }
    };
    ($out:ident, $key:expr, $field:ident, or empty) => {
        $out.extend_from_slice($key);
        match $field {
            Some(value) => $crate::json::WriteJson::write_json(value, $out),
            None => $out.extend_from_slice(b"\"\""),
        }
    };
}

pub(crate) use {json_object, member};
