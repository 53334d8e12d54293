//! The bodies and queries of operations, by their types. A build without schemas keeps only that there is one.

#[cfg(feature = "schemas")]
pub use described::{Parameters, Schemas};
#[cfg(not(feature = "schemas"))]
use undescribed::{IntoParams, Parameters, ToSchema};
#[cfg(feature = "schemas")]
use utoipa::{IntoParams, ToSchema};

/// A body: the name of its schema and all schemas that it refers to.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    #[cfg(feature = "schemas")]
    pub name: fn() -> String,
    #[cfg(feature = "schemas")]
    pub schemas: fn() -> Schemas,
    /// An array of it.
    pub is_list: bool,
    /// A request without a body counts as `{}`.
    pub is_optional: bool,
}

impl Body {
    pub const fn of<T: ToSchema>() -> Body {
        Body {
            #[cfg(feature = "schemas")]
            name: described::name_of::<T>,
            #[cfg(feature = "schemas")]
            schemas: described::schemas_of::<T>,
            is_list: false,
            is_optional: false,
        }
    }

    pub const fn optional<T: ToSchema>() -> Body {
        Body { is_optional: true, ..Body::of::<T>() }
    }

    pub const fn list_of<T: ToSchema>() -> Body {
        Body { is_list: true, ..Body::of::<T>() }
    }
}

/// The parameters of a query.
pub type Query = fn() -> Parameters;

pub(crate) fn query_of<T: IntoParams>() -> Parameters {
    #[cfg(feature = "schemas")]
    T::into_params(|| Some(utoipa::openapi::path::ParameterIn::Query))
}

#[cfg(feature = "schemas")]
mod described {
    use utoipa::openapi::path::Parameter;
    use utoipa::openapi::schema::ArrayBuilder;
    use utoipa::openapi::{Ref, RefOr, Schema};
    use utoipa::{PartialSchema, ToSchema};

    use super::Body;

    /// Schemas by name.
    pub type Schemas = Vec<(String, RefOr<Schema>)>;
    pub type Parameters = Vec<Parameter>;

    impl Body {
        pub fn reference(&self) -> RefOr<Schema> {
            let one = Ref::from_schema_name((self.name)());
            if self.is_list { ArrayBuilder::new().items(one).into() } else { one.into() }
        }
    }

    pub(super) fn name_of<T: ToSchema>() -> String {
        T::name().into_owned()
    }

    pub(super) fn schemas_of<T: ToSchema>() -> Schemas {
        let mut schemas = vec![(T::name().into_owned(), <T as PartialSchema>::schema())];
        T::schemas(&mut schemas);
        schemas
    }
}

#[cfg(not(feature = "schemas"))]
mod undescribed {
    pub type Parameters = ();

    pub trait ToSchema {}
    impl<T> ToSchema for T {}

    pub trait IntoParams {}
    impl<T> IntoParams for T {}
}
