//! The page: `trader` for its session in a cookie, `assets` for its files, `guide` for the documents, `security_txt` for
//! vulnerability reports, `sharing` for what other sites show. `access` checks that no route accepts a cookie on a
//! cross-site request; the operators' page is in `admin/page.rs`.

mod assets;
mod guide;
mod security_txt;
mod sharing;
mod trader;

/// The traders' page as the build has it.
const PAGE: &str = include_str!("../../../../../web/dist/index.html");

/// A page without the folder that names the build.
pub(crate) fn as_built(page: &str) -> String {
    let mut parts = page.split("\"/assets/");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |whole, part| {
        let (build, file) = part.split_once('/').expect("a file in a folder");
        assert!(build.len() == 12 && build.bytes().all(|digit| digit.is_ascii_hexdigit()), "{build}");
        whole + "\"/assets/" + file
    })
}
