/** Events, markets and series as data. `Event` and `Market` of the package have these fields, and methods. */
import type { Decimal } from '../decimal.js';
import { type Shape } from './shape.js';
/** Terms that will apply to orders to come. */
export interface AnnouncedTerms {
    readonly feePercentage: Decimal;
    readonly minimumOrderAmount: Decimal;
    readonly from: Date;
}
export declare const announcedTermsShape: Shape<AnnouncedTerms>;
/** The terms of orders to come in one currency, with those that are announced. */
export interface MarketTerms {
    readonly feePercentage: Decimal;
    readonly minimumOrderAmount: Decimal;
    readonly announcedTerms?: AnnouncedTerms;
}
export declare const marketTermsShape: Shape<MarketTerms>;
/** A question with two outcomes. Prices are of one share, from 0 to 1. */
export interface MarketData {
    readonly id: string;
    readonly title: string;
    readonly status: string;
    readonly outcome1Id: string;
    readonly outcome2Id: string;
    readonly outcome1Label: string;
    readonly outcome2Label: string;
    readonly outcome1Price: Decimal;
    readonly outcome2Price: Decimal;
    readonly yesBuyPrice: Decimal;
    readonly noBuyPrice: Decimal;
    readonly minimumOrderAmount: Decimal;
    readonly feePercentage: Decimal;
    readonly announcedTerms?: AnnouncedTerms;
    readonly totalOrders: number;
    readonly rules?: string;
    readonly resolvedOutcome?: string;
    readonly resolvedOutcomeId?: string;
    readonly resolutionPrice?: Decimal;
    readonly marketThreshold?: Decimal;
    readonly marketCloseValue?: Decimal;
}
export declare const marketShape: Shape<MarketData>;
/** A subject with one or more markets. */
export interface EventData {
    readonly id: string;
    readonly slug: string;
    readonly title: string;
    readonly description?: string;
    readonly category: string;
    readonly subcategory?: string;
    readonly type: string;
    readonly engine: string;
    readonly status: string;
    readonly liquidity: Decimal;
    readonly totalVolume: Decimal;
    readonly totalOrders: number;
    readonly supportedCurrencies: readonly string[];
    readonly createdAt: Date;
    readonly openingDate?: Date;
    readonly closingDate?: Date;
    readonly resolutionDate?: Date;
    readonly resolvedAt?: Date;
    readonly hashtags?: readonly string[];
    readonly userWatchlisted?: boolean;
    readonly seriesSlug?: string;
    readonly assetSymbolPair?: string;
    readonly eventThreshold?: Decimal;
    readonly eventCloseValue?: Decimal;
    readonly sportGameSlug?: string;
    readonly sportMarketType?: string;
}
export declare const eventShape: Shape<EventData>;
/** A series of events, one for each interval. */
export interface Series {
    readonly id: string;
    readonly slug: string;
    readonly displayName: string;
    readonly description?: string;
    readonly category: string;
    readonly intervalType: string;
    readonly assetSymbol: string;
    readonly automationType?: string;
}
export declare const seriesShape: Shape<Series>;
/** An event of a series, without its markets. */
export interface LeanEvent {
    readonly id: string;
    readonly title: string;
    readonly openingDate?: Date;
    readonly closingDate?: Date;
    readonly resolutionDate?: Date;
}
export declare const leanEventShape: Shape<LeanEvent>;
