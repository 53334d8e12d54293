//! Page and size, and the lists that have no other parameters.

use crate::schema::IntoParams;

use super::raw::RawQuery;
use crate::error::BadRequest;

pub(super) const SIZE_MAX: u32 = 100;

/// One page of a list: `page` counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageQuery {
    pub page: u32,
    pub size: u32,
}

impl PageQuery {
    pub(super) fn read(query: &RawQuery, size_default: u32) -> Result<PageQuery, BadRequest> {
        Ok(PageQuery {
            page: query.integer("page", 1, u32::MAX)?.unwrap_or(1),
            size: query.integer("size", 1, SIZE_MAX)?.unwrap_or(size_default),
        })
    }

    /// Rows before this page.
    pub const fn offset(self) -> u64 {
        (self.page as u64 - 1) * self.size as u64
    }
}

/// A list with pages and no filters.
macro_rules! page_only {
    ($($(#[doc = $description:literal])+ $name:ident, $default:literal;)*) => {$(
        $(#[doc = $description])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
        #[into_params(parameter_in = Query)]
        pub struct $name {
            /// Counts from 1.
            #[param(minimum = 1, maximum = 4294967295_u32, default = 1, required = false)]
            pub page: u32,
            #[param(minimum = 1, maximum = 100, default = $default, required = false)]
            pub size: u32,
        }

        impl $name {
            pub fn parse(raw: &str) -> Result<$name, BadRequest> {
                let PageQuery { page, size } = PageQuery::read(&RawQuery::parse(raw)?, $default)?;
                Ok($name { page, size })
            }

            pub const fn pages(&self) -> PageQuery {
                PageQuery { page: self.page, size: self.size }
            }
        }
    )*};
}

page_only! {
    /// `GET /v1/pm/events/series`.
    SeriesQuery, 50;
    /// `GET /v1/pm/liquidity-rewards` and `GET /v1/pm/maker-rebates`.
    RewardsQuery, 20;
}
