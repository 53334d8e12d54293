//! What a run reached: how many commands, and how often each rare state that must not be missed.

use core::fmt;

macro_rules! rare {
    ($($name:ident => $words:literal),* $(,)?) => {
        /// States that random runs reach seldom, and where mistakes like to sit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rare { $($name),* }

        impl Rare {
            pub const ALL: &[(Rare, &str)] = &[$((Rare::$name, $words)),*];
        }
    };
}

rare! {
    FokMeetsOwn => "FOK against own orders",
    CancelBoth => "CANCEL_BOTH ends both sides",
    CancelNewestAfterFills => "CANCEL_NEWEST after fills",
    CancelOldest => "CANCEL_OLDEST cancels a maker",
    PostOnlyCancelsOwn => "postOnly cancels own crossers",
    AmendTakes => "amend that takes",
    AmendFillsFully => "amend that fills fully",
    AmendCancelsOwn => "amend that cancels own orders",
    AmendCrossesInBatch => "amend crossing within its batch",
    AmendNotFunded => "amend refused for funds",
    DustRefused => "sale by quantity refused as too small to rest",
    AmendLeavesDust => "amend to a new price refused for what it leaves",
    CancelledWithPool => "cancellation with a pool and holders",
    CancelledWithOrders => "cancellation with resting orders",
    ExpiryAtClose => "GTD expiry at the instant of a close",
    Mint => "MINT fills",
    Merge => "MERGE fills",
    SlippageCut => "MARKET cut by its slippage",
    PoolSlippage => "pool order refused for slippage or limit",
    AutoNoWithOpenSiblings => "combined auto-NO with open siblings",
    SeriesResolution => "series resolution",
    SeriesStale => "stale series",
    PriceAtBoundary => "price at the instant of its boundary",
    Replayed => "idempotent replay",
    IdempotencyMismatch => "idempotency key with another body",
    OverMaxLiability => "over the maximum liability",
    ExactFunds => "order that spends the last unit",
    QuoteEqualsFill => "quote compared with its fill",
    RefusalCompared => "refusal compared state by state",
    Restored => "snapshot restored and followed",
    NeedsAnother => "proposer refused to finalise alone",
    NeedsProposal => "payout at once refused",
    TooYoung => "verdict refused before its time",
    OverCap => "credit or debit over a cap",
    CancelOnly => "order refused in cancel-only",
    FinalisedPays => "finalised verdict that pays",
    ResultPays => "result of a game that pays",
    SwitchFired => "switch that cancelled orders",
    Disconnected => "connection whose end cancelled orders",
}

#[derive(Clone, Debug)]
pub struct Counts {
    pub seeds: u64,
    pub commands: u64,
    pub accepted: u64,
    pub refused: u64,
    pub trades: u64,
    pub settlements: u64,
    rare: [u64; Rare::ALL.len()],
}

impl Default for Counts {
    fn default() -> Counts {
        Counts {
            seeds: 0,
            commands: 0,
            accepted: 0,
            refused: 0,
            trades: 0,
            settlements: 0,
            rare: [0; Rare::ALL.len()],
        }
    }
}

impl Counts {
    pub fn note(&mut self, rare: Rare) {
        self.rare[rare as usize] += 1;
    }

    pub fn note_if(&mut self, holds: bool, rare: Rare) {
        self.rare[rare as usize] += u64::from(holds);
    }

    pub fn of(&self, rare: Rare) -> u64 {
        self.rare[rare as usize]
    }

    pub fn add(&mut self, other: &Counts) {
        self.seeds += other.seeds;
        self.commands += other.commands;
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.trades += other.trades;
        self.settlements += other.settlements;
        for (sum, more) in self.rare.iter_mut().zip(other.rare) {
            *sum += more;
        }
    }

    /// Rare states that were never reached.
    pub fn missed(&self) -> Vec<&'static str> {
        Rare::ALL.iter().filter(|(rare, _)| self.of(*rare) == 0).map(|(_, words)| *words).collect()
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { seeds, commands, accepted, refused, trades, settlements, .. } = self;
        writeln!(f, "{seeds} seeds, {commands} commands: {accepted} accepted, {refused} refused")?;
        writeln!(f, "{trades} trades, {settlements} positions settled")?;
        for (rare, words) in Rare::ALL {
            writeln!(f, "{:>9}  {words}", self.of(*rare))?;
        }
        Ok(())
    }
}
