// The statistics on the overview.

export const title = 'Trading over time'
export const what = 'The statistics'
export const currency = 'Currency'
export const interval = 'Interval'
export const hours = '24 hours'
export const days = '30 days'
export const volume = 'Volume'
export const fees = 'Fees'
export const traders = 'Traders'
export const pools = 'Results of pools'
export const volumeLabel = (sum: string) => `Value of the trades in each interval, ${sum} in all`
export const feesLabel = (sum: string) => `Fees taken in each interval, ${sum} in all`
export const tradersLabel = (most: string) => `Users with a trade in each interval, at most ${most}`
export const poolsLabel = (sum: string) => `What all pools gained or lost since the first interval, ${sum} in the end`
export const trades = (count: string) => `${count} trades`
export const most = (count: string) => `at most ${count} at once`
export const poolNote = 'at their own prices, without fees'
export const poolTable = 'Pools that changed last'
export const market = 'Market'
export const result = 'Result'
export const noPools = 'No pool has traded in this time.'
export const usd = 'USD'
export const ngn = 'NGN'
