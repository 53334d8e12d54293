/**
 * A client of a Bellwether prediction-market exchange, for Node and browsers. Numbers are `Decimal`, retries never
 * double an order, and streams resume where they stopped.
 */
export { LocalBook, Trust } from './book.js';
export { Room, Update } from './changes.js';
export { Client, } from './client.js';
export { Decimal } from './decimal.js';
export { ApiError, BadRequest, BellwetherError, Conflict, ConnectionFailed, Forbidden, NotFound, OutcomeUnknown, RateLimited, RuleRefused, StreamRefused, Unauthorized, Unavailable, UnreadableAnswer, WaitTimedOut, } from './errors.js';
export { decode, encode } from './json.js';
export { LocalAccount } from './ledger.js';
export { Event, Market, Outcome } from './market.js';
export { Batch, BatchItem, Order } from './order.js';
export { Pager } from './pager.js';
export * as requests from './requests/index.js';
export { AccountStream, ChangeStream, Listener, MarketStream, Stream } from './stream.js';
export { VERSION } from './wire.js';
