/** Market data: books, tickers, quotes, trades, candles, prices over time. */
import { count, decimal, flag, list, object, optional, text, time } from './shape.js';
export const levelShape = { price: decimal, quantity: decimal, total: decimal };
export const bookShape = {
    marketId: text,
    outcomeId: text,
    timestamp: time,
    bids: list(object(levelShape)),
    asks: list(object(levelShape)),
    lastTradedPrice: optional(decimal),
    lastTradedSide: optional(text),
};
export const tickerShape = {
    marketId: text,
    outcomeId: text,
    outcome: text,
    currency: text,
    lastPrice: decimal,
    bestBid: decimal,
    bestAsk: decimal,
    midPrice: decimal,
    spread: decimal,
    volume24h: decimal,
    high24h: decimal,
    low24h: decimal,
    priceChange24h: decimal,
    tradeCount24h: count,
    timestamp: time,
};
export const quotedRefusalShape = { code: text, message: text };
export const quotedOrderShape = {
    status: optional(text),
    restingSize: decimal,
    cancelledSize: decimal,
    cancelledOrders: count,
    hold: decimal,
    refusal: optional(object(quotedRefusalShape)),
};
export const quoteShape = {
    price: decimal,
    currentMarketPrice: decimal,
    quantity: decimal,
    amount: decimal,
    costOfShares: decimal,
    fee: decimal,
    priceImpactAbsolute: decimal,
    profitPercentage: decimal,
    currencyBaseMultiplier: count,
    completeFill: flag,
    tradeGoesOverMaxLiability: flag,
    order: optional(object(quotedOrderShape)),
};
export const tradeShape = {
    id: text,
    marketId: text,
    outcome: text,
    price: decimal,
    size: decimal,
    currency: text,
    engine: text,
    matchType: text,
    takerSide: text,
    takerPrice: decimal,
    makerPrice: decimal,
    takerFee: decimal,
    takerOrderId: text,
    makerOrderId: text,
    takerOutcomeId: text,
    makerOutcomeId: text,
    takerUserId: text,
    makerUserId: text,
    createdAt: time,
};
export const candleShape = {
    start: time,
    open: decimal,
    high: decimal,
    low: decimal,
    close: decimal,
    volume: decimal,
    count,
};
export const seriesPointShape = { e: count, p: decimal };
