//! `cargo xtask lighthouse`: Lighthouse on the landing page and an event's page. Accessibility, best practices and SEO must
//! reach 95; performance is printed, because it depends on the machine. Lighthouse has its own folder of npm packages and
//! needs a newer Node than the pages do.

use crate::process::{root, run as execute};
use crate::{demo, install, node, web};

/// Relative to the root.
pub(crate) const FOLDER: &str = "web/lighthouse";
/// Equal to `engines` in `package.json` of the folder.
pub(crate) const NODE: node::Version = (22, 19);

pub(crate) fn run() -> Result<(), String> {
    install::chromium()?;
    install::npm_packages_with(FOLDER, |folder| node::npm_with(NODE, folder))?;
    web::build_executable()?;
    let mut command = node::npm_with(NODE, &root().join(FOLDER))?;
    execute(command.args(["start"]).env(web::EXECUTABLE, demo::executable()?))
}
