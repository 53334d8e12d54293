//! Coverage of a run: how often each command was accepted, and how often each rare state was reached.

use core::fmt;

use exchange::command::Command;

macro_rules! rare {
    ($($name:ident => $words:literal),* $(,)?) => {
        /// States that random runs rarely reach and that are error-prone.
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
    QuoteEqualsOrder => "quote with all terms compared with its order",
    QuoteEqualsRefusal => "quote with all terms compared with the refusal of its order",
    RefusalCompared => "refusal compared state by state",
    Restored => "snapshot restored and followed",
    NeedsAnother => "proposer refused to finalise alone",
    NeedsProposal => "payout at once refused",
    TooYoung => "verdict refused before its time",
    OverEntryCap => "credit or debit over the cap of an entry",
    OverDayCap => "credit or debit over the cap of a day",
    CancelOnly => "order refused in cancel-only",
    FinalisedPays => "finalised verdict that pays",
    ResultPays => "result of a game that pays",
    SwitchFired => "switch that cancelled orders",
    Disconnected => "connection whose end cancelled orders",
    PuppetRefused => "second operator of the proposer refused to finalise",
    AgreedOperatorFinalises => "operator made by a proposal finalises",
    ConfirmedFinalises => "operator made alone and confirmed finalises",
    GlassAlone => "break-glass operator finalises its own proposal",
    GlassRefused => "break-glass operator refused to finalise",
    GlassOverFinalises => "former break-glass operator finalises",
    GlassPersonsPay => "payout by persons whom a break-glass operator vouched for",
    TooFewApprovers => "last two approvers kept",
    LastApprover => "last approver kept",
    OperatorSuspended => "suspended operator refused",
    PushedResultWaits => "result out of pushed prices proposed",
    PushedBySeveral => "result out of prices that several pushed",
    PushedResultPays => "result out of pushed prices finalised",
    BulkPays => "results of a series finalised in bulk",
    Overtaken => "proposal that ended by itself",
    MoneyAgreed => "credit or debit over a cap finalised",
    SeedAgreed => "seed over a cap finalised",
    FeesToHouse => "fees moved to the house",
    FeesOut => "fees moved out",
    ResetUnapproved => "password reset refused before its approval",
    ResetRedeemed => "password reset redeemed",
    KeyAwaitsRotation => "key refused until it is rotated",
    SuspensionCancels => "suspension that cancelled orders",
    SuspendedTrades => "kept order of a suspended user that traded",
    OperatorCancels => "orders cancelled by an operator",
    FreezeCancels => "freeze that cancelled orders",
    Frozen => "user frozen",
    FrozenRefused => "credit, debit or command of a frozen user refused",
    FrozenPaid => "settlement paid to a frozen user",
    Released => "frozen user released",
    Retired => "event retired",
    SeriesRetired => "event of a series retired",
    CancelledRetired => "cancelled event retired",
    RetiredTraded => "order for a retired market refused",
    RetiredNameRefused => "name of a retired event refused",
    Erased => "user erased",
    EraseRefused => "user with money, shares or orders not erased",
    AddressFreed => "new user with the address of an erased one",
    RowExpired => "row refused at its expiry",
}

/// How often a command was accepted or refused.
#[derive(Clone, Copy, Debug, Default)]
struct DecisionCounts {
    accepted: u64,
    refused: u64,
    /// Carried out as the subject of a proposal.
    finalised: u64,
}

#[derive(Clone, Debug)]
pub struct Counts {
    pub seeds: u64,
    pub commands: u64,
    pub accepted: u64,
    pub refused: u64,
    by_command: [DecisionCounts; Command::NAMES.len()],
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
            by_command: [DecisionCounts::default(); Command::NAMES.len()],
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

    pub fn answered(&mut self, command: &Command, is_accepted: bool) {
        let fared = &mut self.by_command[ordinal(command)];
        self.commands += 1;
        if is_accepted {
            self.accepted += 1;
            fared.accepted += 1;
        } else {
            self.refused += 1;
            fared.refused += 1;
        }
    }

    /// Counts a proposed command that was carried out.
    pub fn finalised(&mut self, command: &Command) {
        self.by_command[ordinal(command)].finalised += 1;
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
        for (sum, more) in self.by_command.iter_mut().zip(other.by_command) {
            sum.accepted += more.accepted;
            sum.refused += more.refused;
            sum.finalised += more.finalised;
        }
        for (sum, more) in self.rare.iter_mut().zip(other.rare) {
            *sum += more;
        }
    }

    /// Rare states that were never reached, and commands that were never carried out.
    pub fn missed(&self) -> Vec<&'static str> {
        let states = Rare::ALL.iter().filter(|(rare, _)| self.of(*rare) == 0).map(|(_, words)| *words);
        let is_missed = |fared: &DecisionCounts| fared.accepted + fared.finalised == 0;
        let commands = Command::NAMES.iter().zip(&self.by_command).filter(|(_, fared)| is_missed(fared));
        states.chain(commands.map(|(name, _)| *name)).collect()
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { seeds, commands, accepted, refused, trades, settlements, .. } = self;
        writeln!(f, "{seeds} seeds, {commands} commands: {accepted} accepted, {refused} refused")?;
        writeln!(f, "{trades} trades, {settlements} positions settled")?;
        writeln!(f, " accepted   refused  as proposal")?;
        for (name, DecisionCounts { accepted, refused, finalised }) in
            Command::NAMES.iter().zip(self.by_command)
        {
            writeln!(f, "{accepted:>9} {refused:>9}    {finalised:>9}  {name}")?;
        }
        for (rare, words) in Rare::ALL {
            writeln!(f, "{:>9}  {words}", self.of(*rare))?;
        }
        Ok(())
    }
}

/// The index of a command in `Command::NAMES`.
fn ordinal(command: &Command) -> usize {
    Command::NAMES.iter().position(|name| *name == command.name()).expect("every command has a name")
}
