//! Feeds: where prices of assets come from. A feed is one source of one asset's price; each sample that it takes is a
//! `RecordPrice` command, so the journal has it before any series looks at it.
//!
//! `settings` says what can be configured, `simulated` and `http` take samples, `running` is the loop around them,
//! `status` what is told of it. Nothing here decides which price counts: `exchange` does.

mod http;
mod metrics;
mod pointer;
mod running;
mod settings;
mod simulated;
mod status;

use std::sync::{Arc, OnceLock};

pub use metrics::write_metrics;
pub use running::run;
pub use settings::{FeedFault, FeedSettings, FeedTable, HttpSettings, Source, TimeFormat, read_feeds};
pub use simulated::SimulatedSettings;
pub use status::{FeedKind, FeedStatus};

use crate::app::App;
use crate::state::Shared;
use status::Memory;

/// One source of one asset's price.
#[derive(Debug)]
pub struct Feed {
    pub settings: FeedSettings,
    memory: Memory,
}

/// All that were declared. Empty until `declare`, which happens once, before anything is served.
#[derive(Debug)]
pub struct Feeds {
    shared: Arc<Shared>,
    declared: OnceLock<Vec<Arc<Feed>>>,
}

impl Feeds {
    pub(crate) fn new(shared: Arc<Shared>) -> Feeds {
        Feeds { shared, declared: OnceLock::new() }
    }

    /// Says once which feeds there are. False: it was said before, and that stands.
    pub fn declare(&self, feeds: Vec<FeedSettings>) -> bool {
        let feed = |settings| Arc::new(Feed { settings, memory: Memory::default() });
        self.declared.set(feeds.into_iter().map(feed).collect()).is_ok()
    }

    pub fn all(&self) -> &[Arc<Feed>] {
        self.declared.get().map_or(&[], Vec::as_slice)
    }

    /// How each one is, in the order in which they were declared.
    pub fn status(&self) -> Vec<FeedStatus> {
        let exchange = self.shared.read();
        self.all().iter().map(|feed| feed.status(&exchange)).collect()
    }
}

/// The tasks of all feeds that take samples by themselves. They end when they are told to.
pub fn tasks(
    app: &Arc<App>,
    stopping: &tokio::sync::watch::Receiver<bool>,
) -> Vec<impl Future<Output = ()> + Send + 'static> {
    let task = |feed: &Arc<Feed>| run(app.clone(), feed.clone(), stopping.clone());
    app.feeds.all().iter().filter(|feed| feed.settings.source.is_active()).map(task).collect()
}
