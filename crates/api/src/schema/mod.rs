//! The derives for the generated documents. Only tests generate them: the executable serves the reviewed text, and its
//! build leaves the schemas out.

#[cfg(feature = "schemas")]
mod scalars;

#[cfg(not(feature = "schemas"))]
pub(crate) use api_derives::{IntoParams, ToSchema};
#[cfg(feature = "schemas")]
pub(crate) use scalars::number;
#[cfg(feature = "schemas")]
pub(crate) use utoipa::{IntoParams, ToSchema};
