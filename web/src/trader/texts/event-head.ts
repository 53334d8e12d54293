// Texts of trader/texts/event-head.

// EventHead
export const series = 'Series'
export const allMarketsOfThisMatch = 'All markets of this match'
export const volume = 'Volume'
export const traded = (totalVolume: string) => `${totalVolume} traded`
export const orders = (totalOrders: string) => `${totalOrders} orders`
export const closesIn = 'Closes in'
export const aMoment = 'a moment'
export const orderBook = 'Order book'
export const automatedPool = 'Automated pool'

// EventWaiting
export const loading = 'Loading'
