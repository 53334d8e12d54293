//! Feeds: sources of asset prices. A feed is one source for one asset; each sample is a `RecordPrice` command, so it is
//! in the journal before any series uses it.
//!
//! `settings` parses the configuration, `simulated` and `http` take samples, `running` is the loop around them, `status`
//! reports on it. Feeds do not decide which price counts: `exchange` does.

mod http;
mod metrics;
mod pointer;
mod running;
mod settings;
mod simulated;
mod status;

use std::sync::{Arc, OnceLock};

use exchange::Exchange;
use exchange::text::Text;
use exchange::time::Time;

pub use metrics::write_metrics;
pub use running::run;
pub use settings::{FeedFault, FeedSettings, FeedTable, HttpSettings, Source, TimeFormat, read_feeds};
pub use simulated::SimulatedSettings;
pub use status::{FeedKind, FeedStatus};

use crate::pipeline::clock::Clock;
use crate::pipeline::sequencer::Sequencer;
use crate::pipeline::state::Shared;
use status::FeedMemory;

/// One source of one asset's price.
#[derive(Debug)]
pub struct Feed {
    pub settings: FeedSettings,
    memory: FeedMemory,
}

/// All declared feeds. Empty until `declare`, which is called once, before the server accepts requests.
#[derive(Debug)]
pub struct Feeds {
    shared: Arc<Shared>,
    sequencer: Sequencer,
    clock: Arc<dyn Clock>,
    declared: OnceLock<Vec<Arc<Feed>>>,
}

impl Feeds {
    pub(crate) fn new(shared: Arc<Shared>, sequencer: Sequencer, clock: Arc<dyn Clock>) -> Feeds {
        Feeds { shared, sequencer, clock, declared: OnceLock::new() }
    }

    /// Sets the feeds, once. Returns false, and changes nothing, if they were set before.
    pub fn declare(&self, feeds: Vec<FeedSettings>) -> bool {
        let feed = |settings| Arc::new(Feed { settings, memory: FeedMemory::default() });
        self.declared.set(feeds.into_iter().map(feed).collect()).is_ok()
    }

    pub fn all(&self) -> &[Arc<Feed>] {
        self.declared.get().map_or(&[], Vec::as_slice)
    }

    /// The status of each feed, in declaration order.
    pub fn status(&self) -> Vec<FeedStatus> {
        let exchange = self.shared.read();
        self.all().iter().map(|feed| feed.status(&exchange)).collect()
    }

    /// Whether a feed or a series uses the symbol, or the exchange has a price for it.
    pub(crate) fn is_priced(&self, exchange: &Exchange, symbol: &Text) -> bool {
        let catalogue = exchange.catalogue();
        catalogue.assets().contains_key(symbol)
            || self.all().iter().any(|feed| *feed.settings.symbol == **symbol)
            || catalogue.series().any(|series| *series.terms.asset_symbol == **symbol)
    }

    fn now(&self) -> Time {
        Time::from_micros(self.clock.now())
    }
}

/// The tasks of all active feeds. They end when `stopping` becomes true.
pub fn tasks(
    feeds: &Arc<Feeds>,
    stopping: &tokio::sync::watch::Receiver<bool>,
) -> Vec<impl Future<Output = ()> + Send + 'static> {
    let task = |feed: &Arc<Feed>| run(feeds.clone(), feed.clone(), stopping.clone());
    feeds.all().iter().filter(|feed| feed.settings.source.is_active()).map(task).collect()
}
