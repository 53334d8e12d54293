/** A copy of an account, kept current by the changes of its stream: open orders, wallets, positions. */
import { Trust } from './book.js';
import type { Decimal } from './decimal.js';
import type { JsonObject } from './json.js';
import { type OrderData } from './models/order.js';
/** The money of one currency. */
export interface LocalWallet {
    readonly available: Decimal;
    /** Held by open orders. */
    readonly pending: Decimal;
}
/** Shares of one outcome in one currency. */
export interface LocalPosition {
    readonly marketId: string;
    readonly outcomeId: string;
    readonly outcome: string;
    readonly currency: string;
    readonly balance: Decimal;
    readonly availableBalance: Decimal;
    readonly cost: Decimal;
}
/** Open orders by id, wallets by currency, and positions. */
export declare class LocalAccount {
    #private;
    readonly trust: Trust;
    readonly orders: Map<string, OrderData>;
    readonly wallets: Map<string, LocalWallet>;
    /** Whether this is the exchange's account at `sequence`, over a live connection. */
    get isTrusted(): boolean;
    /** The last request that the copy includes. */
    get sequence(): number;
    /** All positions. */
    get positions(): LocalPosition[];
    /** The shares of an outcome in a currency; undefined if there are none. */
    position(outcomeId: string, currency?: string): LocalPosition | undefined;
    /** Discards the state, as a snapshot demands. */
    clear(): void;
    /** Applies the data of a snapshot or a delta. Each item replaces the older one. */
    apply(data: JsonObject): void;
}
