/** The client of an exchange. */
import { Connection, SILENCE_SECONDS } from './connection.js';
import { Event } from './market.js';
import { activityShape, authCheckShape, issuedKeyShape, movementShape, pnlShape, positionShape, versionShape, walletShape, } from './models/account.js';
import { bookShape, seriesPointShape, tradeShape } from './models/data.js';
import { leanEventShape, seriesShape } from './models/market.js';
import { batchCancelShape } from './models/order.js';
import { items, member, object, readShape, text } from './models/shape.js';
import { Batch, Order } from './order.js';
import { Pager } from './pager.js';
import { read, write } from './requests/base.js';
import { createKey, login } from './requests/session.js';
import { amendBatch, cancelAfter, cancelAll, cancelBatch, getOrder, placeBatch, } from './requests/trading.js';
import { checkedRetrySeconds, RETRY_SECONDS } from './retry.js';
import { settingsFromDemo, settingsFromEnv } from './settings.js';
import { Credentials, USER_STREAM } from './signing.js';
import { AccountStream, endpoint, Listener, MarketStream } from './stream.js';
import { isId, part } from './text.js';
import { Transport } from './transport.js';
const TIMEOUT_SECONDS = 10;
/** Twice the interval of the exchange's pings: channels without changes have no heartbeats. */
const LISTEN_SILENCE_SECONDS = 120;
/**
 * A client of an exchange, with the key of one account or without a key.
 *
 * Without keys it reads public data. With `publicKey` it reads the account; with `secretKey` it trades.
 */
export class Client {
    /** The address of the exchange. */
    baseUrl;
    /** The currency of what is read and traded, unless a call names another. */
    currency;
    // Private: neither console.log nor JSON.stringify shows the keys.
    #transport;
    constructor(settings) {
        const { publicKey, secretKey, retrySeconds = RETRY_SECONDS, timeoutSeconds = TIMEOUT_SECONDS, log } = settings;
        this.baseUrl = settings.baseUrl.replace(/\/+$/, '');
        this.currency = settings.currency ?? 'USD';
        this.#transport = new Transport({
            baseUrl: this.baseUrl,
            credentials: publicKey ? new Credentials(publicKey, secretKey || undefined) : undefined,
            retrySeconds: checkedRetrySeconds(retrySeconds),
            timeoutSeconds,
            log,
        });
    }
    /** A client from `BASE_URL`, `PUBLIC_KEY`, `SECRET_KEY`, or from the demo's file that `DEMO` names. On Node. */
    static fromEnv(options = {}) {
        return new Client({ ...options, ...settingsFromEnv() });
    }
    /** A client of a running `bellwether demo`, as its n-th person. On Node. */
    static fromDemo(file = 'data/demo.json', user = 1, options = {}) {
        return new Client({ ...options, ...settingsFromDemo(file, user) });
    }
    // Events and market data
    /** An event by its slug or its id. */
    async event(name, options = {}) {
        const path = isId(name) ? `/v1/pm/events/${part(name)}` : `/v1/pm/events/slug/${part(name)}`;
        const currency = options.currency ?? this.currency;
        const answer = await this.send(read(path, { currency }));
        return new Event(this, answer.payload, currency, answer.asOf);
    }
    /** A market by its id. */
    async market(marketId, options = {}) {
        const currency = options.currency ?? this.currency;
        const answer = await this.send(read(`/v1/pm/markets/${part(marketId)}/changes`, { currency }));
        const [snapshot] = items(member(answer.payload, 'changes')['changes'], 'changes');
        const data = member(member(snapshot, 'snapshot')['data'], 'data');
        const event = await this.event(text.read(data['eventId'], 'eventId'), { currency });
        return event.find(text.read(data['marketId'], 'marketId'));
    }
    /** Events. */
    events(filters = {}) {
        const { size = 25, ...conditions } = filters;
        const currency = filters.currency ?? this.currency;
        return this.#pager({
            path: '/v1/pm/events',
            key: 'events',
            parameters: { ...conditions, currency },
            access: 'public',
            size,
            build: (row, answer) => new Event(this, row, currency, answer.asOf),
        });
    }
    /** Series of events, such as one for each hour of a price. */
    series() {
        return this.#rows('/v1/pm/events/series', 'series', seriesShape, { size: 50 }, 'public');
    }
    /** The current events of a series, the oldest first. */
    async seriesEvents(slug) {
        const answer = await this.send(read(`/v1/pm/events/series/${part(slug)}/lean-events`));
        return items(answer.payload, 'events').map((row) => readShape(leanEventShape, row, 'event'));
    }
    /** The books of several outcomes, all at one sequence. */
    async books(outcomeIds, options = {}) {
        const { depth = 99, currency = this.currency } = options;
        const answer = await this.send(read('/v1/pm/books', { 'outcomeId[]': outcomeIds, depth, currency }));
        return items(answer.payload, 'books').map((row) => {
            const book = readShape(bookShape, row, 'book');
            const [bestBid] = book.bids;
            const [bestAsk] = book.asks;
            return {
                ...book,
                ...(bestBid ? { bestBid } : {}),
                ...(bestAsk ? { bestAsk } : {}),
                ...(answer.asOf === undefined ? {} : { asOf: answer.asOf }),
            };
        });
    }
    /** Trades, the newest first. */
    trades(filters = {}) {
        return this.#rows('/v1/pm/trades', 'data', tradeShape, filters, 'public');
    }
    /** Prices of each market's first outcome over 12H, 24H, 1W, 1M or 1Y (24H by default), by market id. */
    async priceHistory(eventId, options = {}) {
        const { timePeriod = '24H', currency = this.currency } = options;
        const path = `/v1/pm/events/${part(eventId)}/price-history`;
        const answer = await this.send(read(path, { timePeriod, currency }));
        const markets = items(member(answer.payload, 'history')['markets'], 'markets').map((row) => {
            const market = member(row, 'market');
            const points = items(market['priceHistory'], 'priceHistory').map((row) => {
                const { e, p } = readShape(seriesPointShape, row, 'point');
                return { milliseconds: e, price: p };
            });
            return [text.read(market['marketId'], 'marketId'), points];
        });
        return new Map(markets);
    }
    // Orders
    /** One of your orders. */
    async order(orderId) {
        const answer = await this.send(getOrder(orderId));
        return new Order(this, answer.payload, answer.asOf);
    }
    /** Your orders, the newest first. */
    orders(filters = {}) {
        const { size = 100, ...conditions } = filters;
        return this.#pager({
            path: '/v1/pm/orders',
            key: 'orders',
            parameters: { ...conditions },
            access: 'read',
            size,
            build: (row, answer) => new Order(this, row, answer.asOf),
        });
    }
    /** Places 1 to 20 orders, one after another. Look at `batch.failures`: items fail one by one. */
    async place(orders, options = {}) {
        return new Batch(this, await this.send(placeBatch(orders, options.idempotencyKey)));
    }
    /** Amends 1 to 20 orders. */
    async amend(amendments) {
        return new Batch(this, await this.send(amendBatch(amendments)));
    }
    /** Cancels 1 to 100 orders. */
    async cancel(orderIds) {
        const answer = await this.send(cancelBatch(orderIds));
        return readShape(batchCancelShape, answer.payload, 'cancel');
    }
    /** Cancels all your open orders that meet the conditions, and returns them. */
    async cancelAll(conditions = {}, options = {}) {
        const answer = await this.send(cancelAll(conditions, options.idempotencyKey));
        const rows = items(member(answer.payload, 'cancel')['orders'], 'orders');
        return rows.map((row) => new Order(this, row, answer.asOf));
    }
    /** Sets the dead man's switch, and returns when it cancels all your orders. 0 disarms it, and returns undefined. */
    async cancelAfter(seconds) {
        const answer = await this.send(cancelAfter(seconds));
        const moment = text.read(member(answer.payload, 'answer')['cancelAt'], 'cancelAt');
        return moment === '' ? undefined : new Date(moment);
    }
    // The account
    /** Your money, by currency. */
    async wallets() {
        const answer = await this.send(read('/v1/wallet/assets', {}, 'read'));
        const rows = items(member(answer.payload, 'wallets')['assets'], 'assets');
        const wallets = rows.map((row) => readShape(walletShape, row, 'wallet'));
        const asOf = answer.asOf === undefined ? {} : { asOf: answer.asOf };
        return new Map(wallets.map((wallet) => [wallet.symbol, { ...wallet, ...asOf }]));
    }
    /** Your shares. */
    positions(filters = {}) {
        return this.#rows('/v1/pm/portfolio', 'outcomeBalances', positionShape, filters, 'read');
    }
    /** What happened to your orders and positions. */
    activities(filters = {}) {
        return this.#rows('/v1/pm/activities', 'activities', activityShape, filters, 'read');
    }
    /** Every movement of your money in one currency, the newest first. */
    statement(filters = {}) {
        const conditions = { ...filters, currency: filters.currency ?? this.currency };
        return this.#rows('/v1/pm/statement', 'movements', movementShape, conditions, 'private');
    }
    /** What you won and lost, over a period or from `start` to `end`. */
    async pnl(options = {}) {
        const parameters = { ...options, currency: options.currency ?? this.currency };
        const answer = await this.send(read('/v1/pm/pnl', parameters, 'read'));
        return readShape(pnlShape, answer.payload, 'pnl');
    }
    /** Puts an event on your watchlist, or takes it off. */
    async watch(eventId, isWatched = true) {
        await this.send(write(isWatched ? 'PUT' : 'DELETE', `/v1/pm/events/${part(eventId)}/watchlist`));
    }
    /** Runs the exchange's verifier on a signed request that changes nothing: are the keys and the clock right? */
    async checkSignature() {
        const answer = await this.send(write('POST', '/v1/auth/check', {}));
        return readShape(authCheckShape, answer.payload, 'check');
    }
    /** Logs in and creates an API key. Keep the secret: the exchange shows it once. Not from a page of another origin. */
    async createKey(email, password, name) {
        const begun = member((await this.send(login(email, password))).payload, 'login');
        const session = { token: text.read(begun['token'], 'token'), deviceId: text.read(begun['deviceId'], 'deviceId') };
        const answer = await this.send(createKey(session, name));
        const key = readShape(issuedKeyShape, answer.payload, 'key');
        // Hides the secret from logs.
        return Object.defineProperty(key, 'secretKey', { enumerable: false });
    }
    /** The build of the exchange. */
    async version() {
        return readShape(versionShape, (await this.send(read('/version'))).payload, 'version');
    }
    // Streams
    /** A stream of one or more markets, or their ids, with local books. */
    follow(markets, options = {}) {
        const [first] = markets;
        if (first === undefined)
            throw new RangeError('name at least one market to follow');
        const ids = markets.map((market) => (typeof market === 'string' ? market : market.id));
        const currency = options.currency ?? (typeof first === 'string' ? this.currency : first.currency);
        return new MarketStream(this.#connection('/ws/v1/markets', options.silenceSeconds), ids, currency, options.signal);
    }
    /** A stream of your account. With `cancelOnDisconnect`, its end cancels all your orders. */
    followAccount(options = {}) {
        const { cancelOnDisconnect = false, silenceSeconds, signal } = options;
        const connection = this.#connection(USER_STREAM, silenceSeconds);
        return new AccountStream(connection, this.#transport.credentials, cancelOnDisconnect, signal);
    }
    /** Messages of a channel, such as `listen('prices', { eventIds })` or `listen('asset_prices', { symbols })`. */
    listen(channel, subject, options = {}) {
        const path = endpoint(channel);
        const { credentials } = this.#transport;
        const auth = path === USER_STREAM && credentials ? { auth: { apiKey: credentials.publicKey } } : {};
        const connection = this.#connection(path, options.silenceSeconds ?? LISTEN_SILENCE_SECONDS);
        return new Listener(connection, { channel, ...subject, ...auth }, options.signal);
    }
    // For what has no method here
    /** Sends any request of `requests`, signed and repeated as it allows. */
    send(request) {
        return this.#transport.send(request);
    }
    #connection(path, silenceSeconds = SILENCE_SECONDS) {
        return new Connection(this.baseUrl.replace(/^http/, 'ws') + path, silenceSeconds);
    }
    #pager(source) {
        return new Pager({ ...source, send: (request) => this.send(request) });
    }
    #rows(path, key, shape, filters, access) {
        const { size = 100, ...parameters } = filters;
        const field = object(shape);
        return this.#pager({ path, key, parameters, access, size, build: (row) => field.read(row, key) });
    }
}
