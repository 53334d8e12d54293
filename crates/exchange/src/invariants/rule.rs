//! The names of the rules. The number is the invariant's, the same in tests, simulations and alarms.

pub const ACCOUNTS_SUM_TO_ZERO: &str = "1 all accounts of a currency sum to zero";
pub const NOTHING_NEGATIVE: &str = "2 no balance and no number of shares is below zero";
pub const HOLDS_MATCH_ORDERS: &str = "3 what is held is what open orders reserve";
pub const SETS_ARE_BACKED: &str = "4 YES outstanding, NO outstanding and the collateral are equal";
pub const SETTLED_IS_EMPTY: &str = "5 a settled market has no collateral, positions or orders";
pub const BOOK_UNCROSSED: &str = "7 no two users' resting orders cross";
pub const LEVELS_ADD_UP: &str = "7 a level's total is the sum of its orders";
pub const RESTING_ADDS_UP: &str = "7 a listing's resting notional is the sum of its orders'";
pub const QUEUE_IS_BY_TIME: &str = "7 within a level the earlier order comes first";
pub const BOOK_KNOWS_ITS_ORDERS: &str = "7 a book's entry is the order it names";
pub const POST_ONLY_NEVER_TAKES: &str = "8 a postOnly order takes nothing";
pub const ORDER_IS_SANE: &str = "9 an open order has something left, a limit and a life";
pub const ORDER_NOT_EXPIRED: &str = "9 no open order is past its expiry";
pub const ORDER_IN_LIVE_MARKET: &str = "9 orders rest in open and paused markets only";
pub const POOL_IN_BAND: &str = "10 a pool's price stays within 0.01 and 0.99";
pub const POOL_WHERE_IT_BELONGS: &str = "10 an open AMM market has its pools, a book market has none";
pub const FEE_IS_EXACT: &str = "11 an order's fee is the rate on all it took, rounded up";
pub const ONE_WINNER: &str = "12 one YES in a combined event makes the others NO";
pub const EVENT_FOLLOWS_MARKETS: &str = "12 an event's status follows from its markets'";
pub const SETTLEMENT_FITS_STATUS: &str = "12 a market has a settlement exactly when it is final";
pub const CLOSED_KEEPS_ITS_PRICE: &str = "12 a listing has a closing price once trading has closed";
pub const CLOSES_IN_TIME: &str = "12 no market trades past its closing date";
pub const LISTS_AGREE: &str = "lists, counts and indexes name the same orders and positions";
pub const COST_NEEDS_SHARES: &str = "no shares, no cost; and cost is never below zero";
pub const PEOPLE_ARE_FINDABLE: &str = "every user, key and session is found under its own id";
