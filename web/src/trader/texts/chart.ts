// Texts of the chart over time. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// TimeChart
export const arrowKeysReadTheValues = 'Arrow keys read the values'
export const momentOnTheChart = 'Moment on the chart'

// annotations
export const opened = 'Opened'
export const closed = 'Closed'
export const proposed = 'Proposed'
export const withdrawn = 'Withdrawn'
export const calledOff = 'Called off'
export const resolved = 'Resolved'
export const yourAt = (label: Value, averagePrice: string) => `Your ${label} at ${averagePrice}`
export const sizeAtPrice = (what: string, remainingSize: string, label: Value, price: string) =>
  `${what} ${remainingSize} ${label} at ${price}`
export const buy = 'Buy'
export const sell = 'Sell'

// periods
export const periods = { '1H': '1H', '12H': '12H', '24H': '24H', '1W': '1W', '1M': '1M', '1Y': '1Y', ALL: 'All' }
