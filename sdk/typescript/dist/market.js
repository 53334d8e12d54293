/** Events, markets and outcomes that can be read and traded. */
import { Decimal } from './decimal.js';
import { candleShape, quoteShape, tickerShape, } from './models/data.js';
import { eventShape, marketShape } from './models/market.js';
import { mintedShape } from './models/order.js';
import { items, member, readShape } from './models/shape.js';
import { Order } from './order.js';
import { read } from './requests/base.js';
import { burn, mint, placeOrder, quoteOrder } from './requests/trading.js';
import { isSameText, part } from './text.js';
/** A question with two outcomes: `market.yes` and `market.no`. */
export class Market {
    /** The id of the market's event. */
    eventId;
    /** The currency that the market was read in, and that its methods trade in. */
    currency;
    /** The first outcome, whatever its label. */
    yes;
    /** The second outcome. */
    no;
    #client;
    constructor(client, payload, eventId, currency) {
        this.#client = client;
        this.eventId = eventId;
        this.currency = currency;
        Object.assign(this, readShape(marketShape, payload, 'market'));
        this.yes = new Outcome(this, client, 'YES');
        this.no = new Outcome(this, client, 'NO');
    }
    /** The outcome with this label, such as "Up", or YES or NO. */
    outcome(label) {
        const found = [this.yes, this.no].find((outcome) => isSameText(label, outcome.label) || isSameText(label, outcome.sideName));
        if (found)
            return found;
        throw new RangeError(`${this.title} has the outcomes ${this.outcome1Label} and ${this.outcome2Label}, not ${label}`);
    }
    /** Reads the market again: prices, status, result. */
    async refresh() {
        const event = await this.#client.event(this.eventId, { currency: this.currency });
        const { yes, no, ...fields } = event.find(this.id);
        Object.assign(this, fields);
        return this;
    }
    /** Turns money into pairs of YES and NO shares. */
    async mint(amount, options = {}) {
        const answer = await this.#client.send(mint(this.id, amount, this.currency, options.idempotencyKey));
        return readShape(mintedShape, answer.payload, 'mint');
    }
    /** Turns pairs of YES and NO shares into this much money. */
    async burn(amount, options = {}) {
        const answer = await this.#client.send(burn(this.id, amount, this.currency, options.idempotencyKey));
        return readShape(mintedShape, answer.payload, 'burn');
    }
    /** Cancels your open orders in this market and currency. */
    cancelAll() {
        return this.#client.cancelAll({ marketId: this.id, currency: this.currency });
    }
    /** The market's trades, the newest first. */
    trades(filters = {}) {
        return this.#client.trades({ ...filters, marketId: this.id });
    }
    /** Your orders in this market, the newest first. */
    orders(filters = {}) {
        return this.#client.orders({ ...filters, marketId: this.id });
    }
    /** Open, high, low, close and volume of each interval. */
    async candles(options = {}) {
        const { interval = '1h', outcome = 'YES', since, until } = options;
        const parameters = { interval, outcome, currency: this.currency, from: since, to: until };
        const answer = await this.#client.send(read(`/v1/pm/markets/${part(this.id)}/candles`, parameters));
        const rows = items(member(answer.payload, 'candles')['candles'], 'candles');
        return rows.map((row) => readShape(candleShape, row, 'candle'));
    }
    /** A stream of this market, with a local book. */
    follow(options = {}) {
        return this.#client.follow([this.id], { ...options, currency: options.currency ?? this.currency });
    }
}
/** One side of a market, and the way to trade it. */
export class Outcome {
    /** YES for the first outcome, NO for the second. */
    sideName;
    #market;
    #client;
    constructor(market, client, sideName) {
        this.sideName = sideName;
        this.#market = market;
        this.#client = client;
    }
    /** The outcome's id. */
    get id() {
        return this.#isFirst ? this.#market.outcome1Id : this.#market.outcome2Id;
    }
    /** The outcome's label, such as YES or Up. */
    get label() {
        return this.#isFirst ? this.#market.outcome1Label : this.#market.outcome2Label;
    }
    /** The price when the market was read. */
    get price() {
        return this.#isFirst ? this.#market.outcome1Price : this.#market.outcome2Price;
    }
    /** What a share cost when the market was read; 0 if none was offered. */
    get buyPrice() {
        return this.#isFirst ? this.#market.yesBuyPrice : this.#market.noBuyPrice;
    }
    /** An order of this outcome, not placed yet: for a batch, or for `quoteOrder`. */
    newOrder(side, terms) {
        return { ...terms, outcomeId: this.id, side, currency: this.#market.currency };
    }
    buy(first, more = {}) {
        return this.#send('BUY', isNumeric(first) ? { ...more, amount: first } : first);
    }
    /** Sells `quantity` shares, or shares for `amount` of money. The name is needed: both are plausible. */
    sell(terms) {
        return this.#send('SELL', terms);
    }
    /** Places an order made by `newOrder`. */
    async place(order, options = {}) {
        const { eventId, id } = this.#market;
        const answer = await this.#client.send(placeOrder(eventId, id, order, options.idempotencyKey));
        return new Order(this.#client, member(answer.payload, 'answer')['order'], answer.asOf);
    }
    /** What a market order would do now: for an amount of money, or for a quantity of shares. */
    quote(side, size) {
        const terms = isNumeric(size) ? { amount: size } : { quantity: size.quantity };
        return this.#quote(this.newOrder(side, terms), false);
    }
    /** What exactly this order would do now; `quote.order` has its status, its rest and its refusal. */
    quoteOrder(order) {
        return this.#quote(order, true);
    }
    /** The book of this outcome. */
    async book(depth = 99) {
        const [book] = await this.#client.books([this.id], { depth, currency: this.#market.currency });
        if (!book)
            throw new RangeError(`${this.#market.title} has no book`);
        return book;
    }
    /** The state of this outcome now and over the last 24 hours. Pools have no ticker. */
    async ticker() {
        const parameters = { outcome: this.sideName, currency: this.#market.currency };
        const answer = await this.#client.send(read(`/v1/pm/markets/${part(this.#market.id)}/ticker`, parameters));
        return readShape(tickerShape, answer.payload, 'ticker');
    }
    get #isFirst() {
        return this.sideName === 'YES';
    }
    #send(side, terms) {
        const { idempotencyKey, ...order } = terms;
        return this.place(this.newOrder(side, order), idempotencyKey === undefined ? {} : { idempotencyKey });
    }
    async #quote(order, asOrder) {
        const { eventId, id } = this.#market;
        const answer = await this.#client.send(quoteOrder(eventId, id, order, asOrder));
        return readShape(quoteShape, answer.payload, 'quote');
    }
}
/** A subject with one or more markets. */
export class Event {
    /** The event's markets. */
    markets;
    #asOf;
    constructor(client, payload, currency, asOf) {
        Object.assign(this, readShape(eventShape, payload, 'event'));
        const rows = items(member(payload, 'event')['markets'], 'event.markets');
        this.markets = rows.map((row) => new Market(client, row, this.id, currency));
        this.#asOf = asOf;
    }
    /** The sequence of the exchange's state that this was read from; undefined if the answer had none. */
    get asOf() {
        return this.#asOf;
    }
    /** The only market. Throws an error if there are several. */
    get market() {
        const [market] = this.markets;
        if (!market || this.markets.length !== 1) {
            throw new RangeError(`${this.title} has ${this.markets.length} markets: choose one of event.markets`);
        }
        return market;
    }
    /** The market with this id, or with this title in any case. */
    find(title) {
        const found = this.markets.find((market) => market.id === title || isSameText(market.title, title));
        if (found)
            return found;
        throw new RangeError(`${this.title} has no market ${JSON.stringify(title)}`);
    }
}
function isNumeric(value) {
    return typeof value !== 'object' || value instanceof Decimal;
}
