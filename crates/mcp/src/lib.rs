//! Tools for agents over the Model Context Protocol: they read questions, and trade for one account under a cap.
//!
//! `tools` has one function per tool, `listing` describes them. `budget` is the cap that no tool can pass, `cost` the
//! most that an order can cost, `previews` the tokens between a quote and its order. `names` finds events, markets and
//! outcomes by title, slug and label. `venue` is the seam to the exchange, `exchange` its implementation over HTTP.
//!
//! Text of the venue appears only in named fields of structured answers: descriptions, prompts and errors are constants of
//! this crate. Without the feature `serving` only the settings exist.

#[cfg(feature = "serving")]
mod agent;
#[cfg(feature = "serving")]
mod arguments;
#[cfg(feature = "serving")]
mod budget;
#[cfg(feature = "serving")]
mod cost;
#[cfg(feature = "serving")]
mod exchange;
#[cfg(feature = "serving")]
mod guard;
#[cfg(feature = "serving")]
mod handler;
#[cfg(feature = "serving")]
mod listing;
#[cfg(feature = "serving")]
mod names;
#[cfg(feature = "serving")]
mod previews;
#[cfg(feature = "serving")]
mod prompts;
#[cfg(feature = "serving")]
mod resources;
#[cfg(feature = "serving")]
mod serving;
mod settings;
#[cfg(feature = "serving")]
mod spent_file;
#[cfg(feature = "serving")]
mod stop;
#[cfg(all(test, feature = "serving"))]
mod tests;
#[cfg(feature = "serving")]
mod text;
#[cfg(feature = "serving")]
mod tools;
#[cfg(feature = "serving")]
mod venue;
#[cfg(feature = "serving")]
mod wire;

pub use settings::{Caps, Key, McpError, Settings, Transport};

/// Whether this build has the protocol and the tools.
pub const IS_BUILT: bool = cfg!(feature = "serving");

/// Serves one account until the client closes standard input, or until the process is told to stop.
#[cfg(feature = "serving")]
pub fn run(settings: &Settings, announce: &dyn Fn(&str)) -> Result<(), McpError> {
    serving::run(settings, announce)
}

/// Refuses: this build has no tools.
#[cfg(not(feature = "serving"))]
pub fn run(_: &Settings, _: &dyn Fn(&str)) -> Result<(), McpError> {
    Err(McpError::NotBuilt)
}
