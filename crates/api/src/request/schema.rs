//! A request's schema is that of its body: what may be sent, not what was made of it.

/// `Request, Body, "Name";` for each request that is read through another type.
macro_rules! schema_of {
    ($($request:ty, $body:ty, $name:literal;)*) => {$(
        impl utoipa::PartialSchema for $request {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                <$body as utoipa::PartialSchema>::schema()
            }
        }

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
