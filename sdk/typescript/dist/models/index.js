/** What the exchange sends, as typed data. */
export {};
