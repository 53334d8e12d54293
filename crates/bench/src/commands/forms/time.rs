//! Ticks, with all timers that can be due at one instant, and commands of the node.

use exchange::command::{
    CancelAfter, CancelMarkets, Command, RecordMasterKey, RecordSkip, ReplaceMasterKey, StartLogin, Target,
    UpgradeRules,
};
use exchange::governance::Policy;
use exchange::identity::LoginScope;
use exchange::numbers::Cents;
use exchange::text::Text;
use exchange::time::{Span, Time};

use super::{Form, SYSTEM, Work, soon};
use crate::ids::{self, Kind};
use crate::world::{Script, Sizes, Stage, price_of};

pub fn forms(sizes: &Sizes) -> Vec<Form> {
    [timers(sizes), boundaries(sizes), ageing(sizes), node(sizes)].into_iter().flatten().collect()
}

fn tick(name: &'static str, work: Work, at: Time) -> Form {
    Form::with(name, SYSTEM, Command::Tick, work).at(at)
}

/// Everything that is due earlier happens before.
fn settled(form: Form) -> Form {
    let at = form.at.expect("a tick has a time");
    form.after_stage(move |stage| stage.settle(at))
}

fn timers(sizes: &Sizes) -> Vec<Form> {
    let makers = sizes.makers;
    let switches = sizes.now() + Span::minutes(5);
    let elections = sizes.elections;
    vec![
        Form::plain("nothing is due", SYSTEM, Command::Tick),
        settled(tick("all orders of the book expire", Work::Expiring, sizes.expiry())),
        tick("the switches of all makers fire", Work::Expiring, switches).after_stage(move |stage| {
            let mut script = Script::new(stage, switches - Span::minutes(5));
            for maker in ids::SPECIAL..ids::SPECIAL + makers {
                script.user(maker, Command::CancelAfter(CancelAfter { seconds: 300 }));
            }
        }),
        settled(tick(
            "all games begin: their events close",
            Work::Items("events closed", 3 * (sizes.linked_games + 1)),
            sizes.kick_off(),
        )),
        tick(
            "100 events of 100 markets retire",
            Work::Items("markets retired", sizes.elections * sizes.markets),
            sizes.now() + Span::minutes(4),
        )
        .after(move |script| ended_elections(script, elections)),
    ]
}

/// The elections end after everything that ended before them has left memory.
fn ended_elections(script: &mut Script<'_>, elections: u32) {
    let policy = Policy { two_required: true, retire_after_seconds: 60, ..Policy::default() };
    script.system(Command::SetPolicy(policy));
    script.wait(Span::minutes(2));
    (0..10).for_each(|_| script.system(Command::Tick));
    for election in 0..elections {
        let target = Target::Event(ids::event(Kind::Election, election));
        script.system(Command::CancelMarkets(CancelMarkets { target, yes: Cents::HALF }));
    }
}

fn boundaries(sizes: &Sizes) -> Vec<Form> {
    let boundary = sizes.boundary();
    let settled_at = boundary + Span::MICROSECOND;
    let priced = move |stage: &mut Stage| {
        let mut script = Script::new(stage, boundary - Span::seconds(1));
        script.system(price_of("BTC", 51_000, "feed", boundary - Span::seconds(1)));
    };
    vec![
        settled(tick("the events of all series close", Work::Items("events closed", sizes.series), boundary)),
        tick(
            "all series end an interval and begin one",
            Work::Items("events created", sizes.series),
            settled_at,
        )
        .after_stage(move |stage| {
            priced(stage);
            stage.settle(settled_at);
        }),
        tick(
            "the events of all series resolve",
            Work::Items("events resolved", sizes.series),
            boundary + Span::seconds(60),
        )
        .after_stage(move |stage| {
            priced(stage);
            stage.settle(boundary + Span::seconds(60));
        }),
    ]
}

fn ageing(sizes: &Sizes) -> Vec<Form> {
    let (logins, now) = (sizes.logins, sizes.now());
    let sessions = ids::SPECIAL + sizes.holders;
    let hour_later = now + Span::hours(1);
    let attempts = move |stage: &mut Stage| {
        let mut script = Script::new(stage, now);
        for number in 0..logins {
            let (address, address_on_network) = (ids::hash("unknown", number), ids::hash("network", number));
            let scope = LoginScope::Page { address, address_on_network };
            script.system(Command::StartLogin(StartLogin { scope }));
        }
        stage.settle(hour_later);
    };
    vec![
        settled(tick(
            "idempotency keys of a day ago are forgotten",
            Work::Items("keys forgotten", 1_000.min(sizes.idempotency_keys)),
            sizes.morning() + Span::hours(24),
        )),
        settled(tick(
            "the sessions of all people expire",
            Work::Items("sessions ended", sessions),
            sizes.morning() + Span::days(30),
        )),
        tick(
            "all login attempts of an hour ago are forgotten",
            Work::Items("attempts forgotten", logins),
            hour_later,
        )
        .after_stage(attempts),
    ]
}

fn node(sizes: &Sizes) -> Vec<Form> {
    let logins = sizes.logins;
    let version = exchange::Exchange::RULES_VERSION;
    let login = |number| {
        Command::StartLogin(StartLogin { scope: LoginScope::Api { address: ids::hash("unknown", number) } })
    };
    let fill = move |script: &mut Script<'_>| (0..logins).for_each(|n| script.system(login(n)));
    let skip = RecordSkip { skipped: 3, reason: Text::from("unknown command") };
    let key = |number| ids::hash("master key", number);
    vec![
        Form::refused("not newer", SYSTEM, Command::UpgradeRules(UpgradeRules { version })),
        Form::plain("a full counter drops its oldest", SYSTEM, login(logins)).after(fill),
        Form::refused("too many attempts", SYSTEM, login(0)).after(move |script| script.system(login(0))),
        Form::plain("the first", SYSTEM, Command::RecordMasterKey(RecordMasterKey { fingerprint: key(0) })),
        Form::with(
            "all keys must be rotated",
            SYSTEM,
            Command::ReplaceMasterKey(ReplaceMasterKey { fingerprint: key(1) }),
            Work::Items("keys", ids::SPECIAL + sizes.holders),
        ),
        Form::plain("an earlier request", SYSTEM, Command::RecordSkip(skip)).at(soon(sizes)),
        Form::refused(
            "a later request",
            SYSTEM,
            Command::RecordSkip(RecordSkip { skipped: u64::MAX, reason: Text::default() }),
        ),
    ]
}
