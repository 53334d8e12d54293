//! One file per command, named after it: refuse, hold, act, record. All refusals come before the first change.

mod amend_orders;
mod approve_password_reset;
mod break_glass;
mod burn_sets;
mod cancel_after;
mod cancel_all_orders;
mod cancel_markets;
mod cancel_on_disconnect;
mod cancel_order;
mod cancel_orders;
mod cancel_orders_of;
mod change_role;
mod close_trading;
mod confirm_operator;
mod create_api_key;
mod create_event;
mod create_operator;
mod create_series;
pub mod create_soccer_events;
mod create_user;
mod credit_wallet;
mod debit_wallet;
mod edit_event;
mod end_connection;
mod end_operator_session;
mod end_session;
mod finalise;
mod finalise_series;
mod freeze_user;
mod grow_pool;
mod import_sports;
mod mint_sets;
mod move_fees;
mod open_event;
mod open_operator_session;
mod open_session;
mod pause_series;
mod pause_trading;
mod place_order;
mod place_orders;
mod propose;
mod record_game_result;
mod record_master_key;
mod record_price;
mod replace_master_key;
mod request_password_reset;
mod reset_password;
mod resolve_market;
mod resume_trading;
mod revoke_api_key;
mod revoke_operator;
mod rotate_api_key;
mod seed_pool;
mod set_cancel_only;
mod set_market_terms;
mod set_policy;
mod set_watchlist;
mod start_login;
mod suspend_operator;
mod suspend_user;
mod tick;
mod upgrade_rules;
mod withdraw;

use crate::authority::{Authority, Caller};
use crate::command::Command;
use crate::exchange::Exchange;
use crate::id::SessionId;
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    /// Hands a command to its rule. `authority` has seen to it that the caller may ask for it.
    pub(crate) fn dispatch(&mut self, caller: Caller, command: &Command) -> Result<Reply, Reject> {
        match caller {
            Caller::User { user, session: Some(session) } if command.authority() == Authority::Session => {
                self.dispatch_session(user, session, command)
            }
            Caller::User { user, .. } => self.dispatch_user(user, command),
            Caller::System | Caller::Operator { .. } | Caller::Proposal { .. } => {
                self.dispatch_operator(caller, command)
            }
        }
    }

    fn dispatch_user(&mut self, user: UserIndex, command: &Command) -> Result<Reply, Reject> {
        use Command as C;
        if self.governance.is_cancel_only() && command.adds_risk() {
            return Err(Reject::CancelOnly);
        }
        match command {
            C::SetWatchlist { event, watched } => self.set_watchlist(user, *event, *watched),
            C::PlaceOrder(new) => self.place_order(user, new),
            C::PlaceOrders { items } => self.place_orders(user, items),
            C::CancelOrder { order } => self.cancel_order(user, *order),
            C::CancelOrders { orders } => self.cancel_orders(user, orders),
            C::CancelAllOrders { event, market, currency } => {
                self.cancel_all_orders(user, *event, *market, *currency)
            }
            C::CancelAfter { seconds } => self.cancel_after(user, *seconds),
            C::CancelOnDisconnect { connection, enabled } => {
                self.cancel_on_disconnect(user, *connection, *enabled)
            }
            C::AmendOrders { items } => self.amend_orders(user, items),
            C::MintSets { id, market, currency, amount } => {
                self.mint_sets(user, *id, *market, *currency, *amount)
            }
            C::BurnSets { id, market, currency, amount } => {
                self.burn_sets(user, *id, *market, *currency, *amount)
            }
            _ => Err(Reject::NotAllowed),
        }
    }

    fn dispatch_session(
        &mut self,
        user: UserIndex,
        session: SessionId,
        command: &Command,
    ) -> Result<Reply, Reject> {
        use Command as C;
        match command {
            C::EndSession => self.end_session(user, session),
            C::CreateApiKey { id, name, public_key } => {
                self.create_api_key(user, session, *id, name, public_key)
            }
            C::RevokeApiKey { key } => self.revoke_api_key(user, session, *key),
            C::RotateApiKey { key } => self.rotate_api_key(user, session, *key),
            _ => Err(Reject::NotAllowed),
        }
    }

    fn dispatch_operator(&mut self, caller: Caller, command: &Command) -> Result<Reply, Reject> {
        use Command as C;
        match command {
            C::Tick => self.tick(),
            C::UpgradeRules { version } => self.upgrade_rules(*version),
            C::CreateUser { id, email, tag, password_hash } => {
                self.create_user(*id, email, tag, password_hash.as_ref())
            }
            C::SuspendUser { user, suspended, keep_orders } => {
                self.suspend_user(caller, *user, *suspended, *keep_orders)
            }
            C::FreezeUser { user, frozen } => self.freeze_user(caller, *user, *frozen),
            C::CancelOrdersOf { user, event, market, currency } => {
                self.cancel_orders_of(*user, *event, *market, *currency)
            }
            C::StartLogin { scope } => self.start_login(*scope),
            C::OpenSession { user, password_version, id, token_hash, device } => {
                self.open_session(*user, *password_version, *id, *token_hash, device)
            }
            C::RequestPasswordReset { user, token_hash, code, network } => {
                self.request_password_reset(*user, *token_hash, code, *network)
            }
            C::ApprovePasswordReset { user, token_hash } => {
                self.approve_password_reset(caller, *user, *token_hash)
            }
            C::ResetPassword { token_hash, password_hash, keep_keys } => {
                self.reset_password(*token_hash, password_hash, *keep_keys)
            }
            C::EndConnection { user, connection } => self.end_connection(*user, *connection),
            C::CreateEvent(new) => self.create_event(new),
            C::EditEvent { event, details, markets } => self.edit_event(*event, details, markets),
            C::OpenEvent { event } => self.open_event(*event),
            C::PauseTrading { target } => self.pause_trading(*target),
            C::ResumeTrading { target } => self.resume_trading(*target),
            C::CloseTrading { target } => self.close_trading(*target),
            C::ResolveMarket { market, outcome } => self.resolve_market(caller, *market, *outcome),
            C::CancelMarkets { target, yes } => self.cancel_markets(caller, *target, *yes),
            C::SeedPool { market, currency, amount, price } => {
                self.seed_pool(caller, *market, *currency, *amount, *price)
            }
            C::GrowPool { market, currency, amount } => self.grow_pool(caller, *market, *currency, *amount),
            C::CreateSeries(new) => self.create_series(new),
            C::PauseSeries { series, paused } => self.pause_series(*series, *paused),
            C::RecordPrice { symbol, value, source, source_time } => {
                self.record_price(caller, symbol, *value, source, *source_time)
            }
            C::ImportSports { leagues, teams, games } => self.import_sports(leagues, teams, games),
            C::CreateSoccerEvents(new) => self.create_soccer_events(new),
            C::CreditWallet { user, currency, amount, reference } => {
                self.credit_wallet(caller, *user, *currency, *amount, reference)
            }
            C::DebitWallet { user, currency, amount, reference } => {
                self.debit_wallet(caller, *user, *currency, *amount, reference)
            }
            C::MoveFees { currency, amount, to, reference } => {
                self.move_fees(caller, *currency, *amount, *to, reference)
            }
            C::RecordMasterKey { fingerprint } => self.record_master_key(*fingerprint),
            C::ReplaceMasterKey { fingerprint } => self.replace_master_key(*fingerprint),
            _ => self.dispatch_governance(caller, command),
        }
    }

    fn dispatch_governance(&mut self, caller: Caller, command: &Command) -> Result<Reply, Reject> {
        use Command as C;
        match command {
            C::SetMarketTerms { market, fee_rate, order_min } => {
                self.set_market_terms(*market, *fee_rate, *order_min)
            }
            C::RecordGameResult { game, score } => self.record_game_result(caller, *game, *score),
            C::CreateOperator { id, name, role, token_hash } => {
                self.create_operator(caller, *id, name, *role, *token_hash)
            }
            C::BreakGlass { id, name, token_hash } => self.break_glass(*id, name, *token_hash),
            C::ChangeRole { operator, role } => self.change_role(caller, *operator, *role),
            C::ConfirmOperator { operator } => self.confirm_operator(caller, *operator),
            C::SuspendOperator { operator, suspended } => {
                self.suspend_operator(caller, *operator, *suspended)
            }
            C::RevokeOperator { operator } => self.revoke_operator(caller, *operator),
            C::OpenOperatorSession { token_hash } => self.open_operator_session(caller, *token_hash),
            C::EndOperatorSession { token_hash } => self.end_operator_session(caller, *token_hash),
            C::SetPolicy(policy) => self.set_policy(caller, *policy),
            C::Propose { id, subject, evidence } => self.propose(caller, *id, subject, evidence),
            C::Finalise { proposal } => self.finalise(caller, *proposal),
            C::FinaliseSeries { series } => self.finalise_series(caller, *series),
            C::Withdraw { proposal, reason } => self.withdraw(caller, *proposal, reason),
            C::SetCancelOnly { cause, on } => self.set_cancel_only(caller, *cause, *on),
            _ => Err(Reject::NotAllowed),
        }
    }
}
