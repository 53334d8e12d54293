//! The page: `trader` for its session in a cookie, `assets` for its files, `guide` for the documents, `security_txt` for
//! vulnerability reports, `sharing` for what other sites show. `access` checks that no route accepts a cookie on a
//! cross-site request; the operators' page is in `admin/page.rs`.

mod assets;
mod guide;
mod security_txt;
mod sharing;
mod trader;
