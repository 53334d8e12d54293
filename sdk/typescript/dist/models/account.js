/** The account: wallets, positions, results, history, keys. */
import { count, decimal, flag, object, optional, text, time } from './shape.js';
export const walletShape = {
    id: text,
    symbol: text,
    availableBalance: decimal,
    pendingBalance: decimal,
    currencyBaseMultiplier: count,
};
export const positionEventShape = { id: text, title: text, engine: text };
export const positionMarketShape = {
    id: text,
    title: text,
    event: object(positionEventShape),
};
export const positionShape = {
    id: text,
    outcome: text,
    outcomeId: text,
    balance: decimal,
    availableBalance: decimal,
    averagePrice: decimal,
    cost: decimal,
    currentValue: decimal,
    sellPrice: decimal,
    payoutIfOutcomeWins: decimal,
    percentageChange: decimal,
    currency: text,
    market: object(positionMarketShape),
    createdAt: time,
    updatedAt: time,
};
export const pnlShape = {
    realizedPnl: decimal,
    realizedPnlPercent: decimal,
    settlementPnl: decimal,
    tradePnl: decimal,
    wins: count,
    losses: count,
    currency: text,
};
export const movementShape = {
    id: text,
    type: text,
    amount: decimal,
    balance: decimal,
    fee: decimal,
    currency: text,
    createdAt: time,
    eventId: optional(text),
    eventTitle: optional(text),
    marketId: optional(text),
    marketTitle: optional(text),
    orderId: optional(text),
    outcome: optional(text),
    price: optional(decimal),
    size: optional(decimal),
    reference: optional(text),
};
export const activityShape = {
    id: text,
    type: text,
    status: text,
    eventId: text,
    eventTitle: text,
    marketId: text,
    marketTitle: text,
    outcome: text,
    outcomeId: text,
    orderId: optional(text),
    currency: text,
    amount: decimal,
    fee: decimal,
    size: decimal,
    price: decimal,
    totalCost: decimal,
    filledSize: optional(decimal),
    remainingSize: optional(decimal),
    payout: optional(decimal),
    createdAt: time,
    updatedAt: time,
};
export const authCheckShape = { valid: flag, serverTime: count, skewSeconds: count, bodyHash: text };
export const issuedKeyShape = {
    id: text,
    name: text,
    publicKey: text,
    secretKey: text,
    createdAt: time,
};
export const versionShape = { version: text, commit: text };
