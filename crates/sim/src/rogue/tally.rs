//! Coverage of a run: how often the rogue tried each command, and how often each state that matters occurred.

use core::fmt;

use exchange::Exchange;
use exchange::catalogue::{EventLink, Status};
use exchange::change::{Change, ProposalStep, SeriesAlert};
use exchange::command::{Command, DoOrPropose, Propose};
use exchange::governance::Subject;
use exchange::reject::Reject;
use exchange::reply::Reply;

macro_rules! reached {
    ($($name:ident => $words:literal),* $(,)?) => {
        /// States that a run must reach to be worth something.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Reached { $($name),* }

        impl Reached {
            pub const ALL: &[(Reached, &str)] = &[$((Reached::$name, $words)),*];
        }
    };
}

reached! {
    HonestAgreed => "proposal agreed by two honest operators",
    RogueAgreed => "honest proposal that the rogue finalised",
    VerdictAgreed => "verdict that two agreed on",
    ResultAgreed => "result of a game that two agreed on",
    GlassAlone => "break-glass decided about operators alone",
    PuppetRefused => "operator refused to agree with itself or its second",
    HalfRefused => "proposal of an inactive proposer refused",
    VerdictChangedRefused => "verdict refused that would pay otherwise than proposed",
    SidesFixed => "import refused that changes the sides of a game",
    NamesFixed => "import refused that changes a name in a game with events",
    Renamed => "team without a game that the rogue named otherwise",
    LeftOpen => "market of a game left to a verdict of its own",
    SuspensionEnded => "suspension over by itself",
    ResultProbed => "honest result tried on a copy",
    GameOver => "event of a game that is over not opened, or a second result refused",
    GameNotStarted => "result before its game refused",
    PriceMoved => "growth refused outside its range of prices",
    EditedMeanwhile => "edit over a changed draft refused",
    ReferenceUsed => "reference of another movement refused",
    ReferenceReplayed => "movement answered as done before",
    KeyReplayed => "request answered from its key",
    SuspendedRefused => "suspended operator refused",
    RogueRevoked => "rogue revoked",
    HonestSuspended => "honest operator suspended by the rogue",
    NoRoom => "proposal refused because its operator has too many",
    OverEntryCap => "amount over the cap of an entry refused",
    OverDayCap => "amount over the cap of a day refused",
    NeedsProposal => "command refused that needs a proposal",
    Proposed => "command that became a proposal",
    WithinCaps => "money that the rogue moved within the caps",
    SeriesSeeded => "event of the rogue's series seeded",
    SeriesOverCap => "event of the rogue's series not seeded for its cap",
    TermsAnnounced => "raise of terms announced",
    TermsApplied => "announced raise applied",
    DraftHidden => "cancelled draft hidden",
    GameClosed => "market closed because its game began",
    PushedResult => "result out of pushed prices proposed",
    VerdictProbed => "honest verdict tried on a copy",
    RevocationProbed => "honest revocation tried on a copy",
    Restored => "state restored from a snapshot",
}

#[derive(Clone, Copy, Debug, Default)]
struct Tried {
    accepted: u64,
    refused: u64,
}

#[derive(Clone, Debug)]
pub struct Tally {
    pub stages: u64,
    /// All commands, and those of the rogue.
    pub commands: u64,
    pub by_rogue: u64,
    /// The rogue's commands; the inner one of a `DoOrPropose`.
    tried: [Tried; Command::NAMES.len()],
    /// The commands that it proposed.
    proposed: [u64; Command::NAMES.len()],
    reached: [u64; Reached::ALL.len()],
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            stages: 0,
            commands: 0,
            by_rogue: 0,
            tried: [Tried::default(); Command::NAMES.len()],
            proposed: [0; Command::NAMES.len()],
            reached: [0; Reached::ALL.len()],
        }
    }
}

impl Tally {
    pub fn note(&mut self, reached: Reached) {
        self.reached[reached as usize] += 1;
    }

    pub fn note_if(&mut self, holds: bool, reached: Reached) {
        self.reached[reached as usize] += u64::from(holds);
    }

    pub fn of(&self, reached: Reached) -> u64 {
        self.reached[reached as usize]
    }

    /// A command of the rogue; of a `DoOrPropose`, also the command in it, and of a proposal what it proposed.
    pub fn tried(&mut self, command: &Command, answer: &Result<Reply, Reject>) {
        let is_done =
            matches!(answer, Ok(reply) if !matches!(reply, Reply::Replayed { .. } | Reply::Repeated { .. }));
        self.by_rogue += 1;
        self.count(command, is_done);
        match (command, answer) {
            (Command::DoOrPropose(DoOrPropose { command, .. }), Ok(Reply::Proposed(_)))
            | (Command::Propose(Propose { subject: Subject::Command(command), .. }), Ok(Reply::Done)) => {
                self.proposed[ordinal(command)] += 1;
            }
            (Command::DoOrPropose(DoOrPropose { command, .. }), _) => self.count(command, is_done),
            _ => {}
        }
    }

    fn count(&mut self, command: &Command, is_accepted: bool) {
        let tried = &mut self.tried[ordinal(command)];
        if is_accepted {
            tried.accepted += 1;
        } else {
            tried.refused += 1;
        }
    }

    /// Notes what an answer shows.
    pub fn note_answer(&mut self, answer: &Result<Reply, Reject>) {
        let reached = match answer {
            Err(Reject::NeedsAnother) => Reached::PuppetRefused,
            Err(Reject::ProposerNotActive) => Reached::HalfRefused,
            Err(Reject::VerdictChanged) => Reached::VerdictChangedRefused,
            Err(Reject::GameFixed) => Reached::SidesFixed,
            Err(Reject::NameFixed { .. }) => Reached::NamesFixed,
            Err(Reject::GameOver) => Reached::GameOver,
            Err(Reject::GameNotStarted) => Reached::GameNotStarted,
            Err(Reject::PriceOutsideRange { .. }) => Reached::PriceMoved,
            Err(Reject::EditedMeanwhile) => Reached::EditedMeanwhile,
            Err(Reject::ReferenceUsed { .. }) => Reached::ReferenceUsed,
            Err(Reject::OperatorSuspended) => Reached::SuspendedRefused,
            Err(Reject::TooManyProposals) => Reached::NoRoom,
            Err(Reject::OverEntryCap { .. }) => Reached::OverEntryCap,
            Err(Reject::OverDayCap { .. }) => Reached::OverDayCap,
            Err(Reject::NeedsProposal) => Reached::NeedsProposal,
            Ok(Reply::Proposed(_)) => Reached::Proposed,
            _ => return,
        };
        self.note(reached);
    }

    /// Notes what an applied command of anybody did.
    pub fn note_changes(&mut self, command: &Command, exchange: &Exchange) {
        let catalogue = exchange.catalogue();
        let (is_tick, is_finalise) = (*command == Command::Tick, matches!(command, Command::Finalise(_)));
        let is_import = matches!(command, Command::ImportSports(_));
        let mut made = None;
        for change in exchange.changes() {
            match change {
                Change::SeriesAlert { reason: SeriesAlert::OverCap, .. } => self.note(Reached::SeriesOverCap),
                Change::EventCreated { event } => {
                    made = catalogue.find_event(*event).map(|event| catalogue.event(event).link);
                }
                Change::PoolSeeded { .. } => {
                    let Some(EventLink::Series { series, .. }) = made else { continue };
                    let is_alone = catalogue.find_series(series).is_some_and(|found| found.creator.is_some());
                    self.note_if(is_alone, Reached::SeriesSeeded);
                }
                Change::EventStatus { event, status: Status::Cancelled } => {
                    let event = catalogue.find_event(*event).map(|event| catalogue.event(event));
                    self.note_if(event.is_some_and(|event| event.never_opened), Reached::DraftHidden);
                    self.note_if(is_finalise, Reached::VerdictAgreed);
                }
                Change::EventStatus { status: Status::Resolved, .. } => {
                    self.note_if(is_finalise, Reached::VerdictAgreed);
                }
                Change::MarketStatus { status: Status::Closed, .. } => {
                    self.note_if(is_import, Reached::GameClosed);
                }
                Change::SportsImported => self.note_if(is_finalise, Reached::ResultAgreed),
                Change::Proposal { step: ProposalStep::Proposed, .. } => {
                    self.note_if(is_tick, Reached::PushedResult);
                }
                Change::EventEdited { event } => {
                    let found = catalogue.find_event(*event).map(|event| catalogue.event(event));
                    let mut markets = found.into_iter().flat_map(|event| &event.markets);
                    let is_announced = markets.any(|market| catalogue.market(*market).announced.is_some());
                    self.note_if(is_finalise && is_announced, Reached::TermsAnnounced);
                    self.note_if(is_tick, Reached::TermsApplied);
                }
                _ => {}
            }
        }
    }

    pub fn add(&mut self, other: &Tally) {
        self.stages += other.stages;
        self.commands += other.commands;
        self.by_rogue += other.by_rogue;
        for (sum, more) in self.tried.iter_mut().zip(other.tried) {
            sum.accepted += more.accepted;
            sum.refused += more.refused;
        }
        self.proposed.iter_mut().zip(other.proposed).for_each(|(sum, more)| *sum += more);
        self.reached.iter_mut().zip(other.reached).for_each(|(sum, more)| *sum += more);
    }

    /// States that were never reached, and commands of operators that the rogue never tried.
    pub fn missed(&self) -> Vec<&'static str> {
        let states = Reached::ALL.iter().filter(|(reached, _)| self.of(*reached) == 0);
        let is_missed = |place: usize| self.tried[place].accepted + self.tried[place].refused == 0;
        let of_operators = |name: &str| {
            let found = Command::CONSENTS.iter().find(|(command, ..)| *command == name);
            found.is_some_and(|(.., consent)| consent.is_some())
        };
        let commands = Command::NAMES.iter().enumerate();
        let commands = commands.filter(|(place, name)| of_operators(name) && is_missed(*place));
        states.map(|(_, words)| *words).chain(commands.map(|(_, name)| *name)).collect()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { stages, commands, by_rogue, .. } = self;
        writeln!(f, "{stages} stages, {commands} commands, {by_rogue} of them by the rogue")?;
        writeln!(f, " accepted   refused  proposed")?;
        for (place, name) in Command::NAMES.iter().enumerate() {
            let (Tried { accepted, refused }, proposed) = (self.tried[place], self.proposed[place]);
            if accepted + refused + proposed > 0 {
                writeln!(f, "{accepted:>9} {refused:>9} {proposed:>9}  {name}")?;
            }
        }
        for (reached, words) in Reached::ALL {
            writeln!(f, "{:>9}  {words}", self.of(*reached))?;
        }
        Ok(())
    }
}

/// The index of a command in `Command::NAMES`.
fn ordinal(command: &Command) -> usize {
    Command::NAMES.iter().position(|name| *name == command.name()).expect("every command has a name")
}
