//! The page: `trader` for its session in a cookie, `assets` for its files, `security_txt` for reports of holes. That no route
//! believes a cookie which another site made a browser send is in `access`, beside the matrix; the operators' page is in
//! `admin/page.rs`.

mod assets;
mod security_txt;
mod trader;
