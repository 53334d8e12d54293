//! The schema of a request is that of its body: what may be sent, not the parsed value.

/// `Request, Body, "Name";` for each request that is deserialized through another type. `with rule` adds a rule over
/// several fields.
macro_rules! schema_of {
    ($($request:ty, $body:ty, $name:literal $(, with $rule:ident)?;)*) => {$(
        #[cfg(feature = "schemas")]
        impl utoipa::PartialSchema for $request {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                let schema = <$body as utoipa::PartialSchema>::schema();
                $(let schema = $crate::request::schema::$rule(schema);)?
                schema
            }
        }

        #[cfg(feature = "schemas")]
        impl utoipa::ToSchema for $request {
            fn name() -> std::borrow::Cow<'static, str> {
                std::borrow::Cow::Borrowed($name)
            }

            fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)>) {
                <$body as utoipa::ToSchema>::schemas(schemas);
            }
        }
    )*};
}

pub(super) use schema_of;
