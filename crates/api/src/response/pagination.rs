//! The position of a page in its list.

use crate::schema::ToSchema;
use serde::Deserialize;

use crate::json::WriteJson;
use crate::query::PageQuery;

/// Where a page stands in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"page": 1, "size": 50, "lastPage": 3, "totalCount": 121}))]
pub struct Pagination {
    /// Counts from 1.
    pub page: u32,
    pub size: u32,
    /// At least 1, also when there are no rows.
    pub last_page: u64,
    pub total_count: u64,
}

impl Pagination {
    pub const fn new(pages: PageQuery, total_count: u64) -> Pagination {
        // The size in a query is at least 1.
        let last_page = total_count.div_ceil(pages.size as u64);
        let last_page = if last_page == 0 { 1 } else { last_page };
        Pagination { page: pages.page, size: pages.size, last_page, total_count }
    }
}

#[cfg(test)]
mod tests {
    use super::{PageQuery, Pagination};

    #[test]
    fn the_last_page_holds_the_last_row() {
        for (total, size, last) in [(0, 50, 1), (1, 50, 1), (50, 50, 1), (51, 50, 2), (100, 1, 100)] {
            assert_eq!(Pagination::new(PageQuery { page: 1, size }, total).last_page, last, "{total}");
        }
    }
}
