// Texts of the ladder. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// Amounts
export const sharesOfAnOrder = 'Shares of an order'
export const amount = (value: Value) => `Amount ${value}`
export const done = 'Done'
export const editAmounts = 'Edit amounts'

// Ladder
export const buy = 'Buy'
export const sell = 'Sell'
export const orderAtPrice = (value: Value, size: string, label: Value, shown: Value, what: Value) =>
  `${value} ${size} ${label} at ${shown}${what}`
export const waitThere = (size: string) => `, ${size} wait there`
export const disarm = 'Disarm'
export const armOneClickOrders = 'Arm one-click orders'
export const armedAClick = 'Armed: a click on a size, or a key, sends an order at once, without a preview.'
export const notArmedNothingHereSends = 'Not armed: nothing here sends an order.'
export const buyAt = (shown: Value) => `Buy at ${shown}`
export const sellAt = (shown: Value) => `Sell at ${shown}`
export const sell25 = 'Sell 25 %'
export const sell50 = 'Sell 50 %'
export const sell100 = 'Sell 100 %'
export const closePosition = 'Close position'
export const cancelAll = 'Cancel all'
export const youHoldFree = (balance: string, label: Value, availableBalance: string) =>
  `You hold ${balance} ${label}, ${availableBalance} free.`
export const youHoldNo = (label: Value) => `You hold no ${label}.`
export const ladderOf = (label: Value) => `Ladder of ${label}`
export const price = 'Price'
export const yours = 'Yours'
export const cancelAt = (shares: string, shown: Value) => `Cancel ${shares} at ${shown}`
export const up = 'Up'
export const centre = 'Centre'
export const down = 'Down'

// guard
export const yourSharesAreNotKnown = 'Your shares are not known yet.'
export const youHaveToSell = (held: string) => `You have ${held} to sell.`
export const yourCashIsNotKnown = 'Your cash is not known yet.'
export const thisTakesAndYouHave = (cost: string, cash: string) => `This takes ${cost}, and you have ${cash}.`
export const thisTakesMoreThanHalf = (cost: string) =>
  `This takes ${cost}, more than half of your cash. Use the ticket for it.`

// keys
export const buyKey = 'B'
export const sellKey = 'S'
export const sell25Key = 'Q'
export const sell50Key = 'W'
export const sell100Key = 'E'
export const closeKey = 'X'
export const cancelKey = 'C'
export const escapeKey = 'Esc'

// quick
export const youHaveNoneToSell = 'You have none to sell.'
export const thePositionWasNotClosed = 'The position was not closed'
export const nothingWasSent = 'Nothing was sent'
export const notAllOrdersWereCancelled = 'Not all orders were cancelled'
export const ordersCancelled = (count: number) =>
  plural(count, { one: 'One order cancelled', other: `${count} orders cancelled` })
export const theOrderWasNotSent = 'The order was not sent'
