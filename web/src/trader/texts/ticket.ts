// Texts of the order ticket. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// Advanced
export const advanced = 'Advanced'
export const timeInForce = 'Time in force'
export const untilCancelledGtc = 'Until cancelled (GTC)'
export const untilADateGtd = 'Until a date (GTD)'
export const fillWhatThereIsCancel = 'Fill what there is, cancel the rest (FAK)'
export const allOrNothingFok = 'All or nothing (FOK)'
export const expires = 'Expires'
export const inYourOwnTimeZone = 'In your own time zone'
export const onlyRestNeverTake = 'Only rest, never take'
export const postOnly = '(post only)'
export const slippageLimit = 'Slippage limit'
export const howFarFromThePrice = 'How far from the price now a fill may be'
export const none = 'None'
export const ifItMeetsAnOrder = 'If it meets an order of mine'
export const skipItKeepBoth = 'Skip it, keep both'
export const cancelTheOlderOne = 'Cancel the older one'
export const cancelThisOne = 'Cancel this one'
export const cancelBoth = 'Cancel both'
export const yourOwnName = 'Your own name for the order'
export const optional = 'Optional'

// OutcomeChoice
export const outcome = 'Outcome'
export const toBuy = 'to buy'
export const toSell = 'to sell'

// QuoteBox
export const sharesForPayingIf = (many: string, total: string, payout: string, label: Value) =>
  `${many} shares for ${total}, paying ${payout} if ${label}`
export const forShares = (total: string, filled: string) => `${total} for ${filled} shares`
export const averagePrice = 'Average price'
export const shares = 'Shares'
export const sharesSold = 'Shares sold'
export const now = 'now'
export const movesThePriceBy = 'Moves the price by'
export const waitsInTheBook = 'Waits in the book'
export const fee = 'Fee'
export const youPay = 'You pay'
export const youReceive = 'You receive'
export const ofWhichHeld = 'of which held until it fills'
export const heldUntilNow = 'The order held until now'
export const payoutIf = (label: Value) => `Payout if ${label}`
export const profitThen = 'Profit then'
export const ifItComesTrue = (what: string) => `If it comes true, each share pays ${what}.`
export const enterWhatYouWant = 'Enter what you want to sell.'

// SharesUnknown
export const yourSharesAreNotKnown = 'Your shares are not known yet.'
export const yourSharesCouldNotBeRead = 'Your shares could not be read.'

// TicketForm
export const orderTicket = 'Order ticket'
export const side = 'Side'
export const buy = 'Buy'
export const sell = 'Sell'
export const orderType = 'Order type'
export const market = 'Market'
export const limit = 'Limit'
export const limitPriceAShare = (what: string) => `Limit price (${what} a share)`
export const limitOnAPool = 'On a pool it bounds the average price. The order trades at once or not at all.'
export const lowerThePrice = 'Lower the price'
export const raiseThePrice = 'Raise the price'
export const amountToSpend = 'Amount to spend'
export const amountToReceive = 'Amount to receive'
export const sizeIn = 'Size in'
export const max = 'Max'
export const thisQuestionDoesNotTrade = (currency: Value) => `This question does not trade in ${currency}.`
export const tradingIs = (status: Value) => `Trading is ${status}.`
export const logInToTrade = 'Log in to trade'
export const sending = 'Sending…'
export const confirmOrder = (what: string, label: Value) => `Confirm: ${what} ${label}`
export const yourCash = (what: Value) => `Cash ${what}`
export const youHold = (balance: string, label: Value) => `You hold ${balance} ${label}`

// announcement
export const announcedFee = (date: string, fee: string) => `From ${date} the fee of this market is ${fee}.`
export const announcedMinimum = (date: string, minimum: string) => `From ${date} the smallest order is ${minimum}.`
export const announcedBoth = (date: string, fee: string, minimum: string) =>
  `From ${date} the fee of this market is ${fee} and the smallest order ${minimum}.`

// compose
export const howMuch = 'How much?'
export const howManyShares = 'How many shares?'
export const aNumberSuchAs = (example: string) => `A number, such as 25 or ${example}`
export const atLeast = (minimum: string) => `At least ${minimum}`
export const atMost = (maximum: string) => `At most ${maximum}`
export const aWholeNumber = 'A whole number from 1 to 99'
export const whenShallItExpire = 'When shall it expire?'
export const thisIsOverAlready = 'This is over already'
export const upTo64Letters = 'Up to 64 letters, digits, _ and -'
export const youHave = (amount: string) => `You have ${amount}`
export const youHaveToSell = (held: string) => `You have ${held} to sell`
export const youHaveNoneToSell = 'You have none to sell'

// estimate
export const moreThanYourCash = (total: string) => `This takes ${total}, which is more than your cash.`
export const moreThanYouHave = 'This is more than you have to sell.'
export const beyondYourSlippage = (shownPrice: Value) =>
  `The average would be ${shownPrice}, beyond your slippage limit. Trade less, or raise it under Advanced.`
export const beyondYourLimit = (shownPrice: Value) =>
  `A limit on a pool bounds the average price, which would be ${shownPrice}. Trade less, or move the limit.`
export const moreThanThePoolTakes = 'This is more than the pool may take. Trade less.'
export const thisPriceWouldTrade = 'This price would trade at once, and you asked for it to rest only.'
export const itCannotFillCompletelyNow = 'It cannot fill completely now, and you asked for all or nothing.'
export const itWouldMeetAnOrder = 'It would meet an order of your own.'
export const atPresent = 'now'
export const withinSlippage = (slippage: Value) => `within your slippage limit of ${slippage} %`
export const nobodyIsOnTheOther = (within: Value) =>
  `There is no order on the other side ${within}. A limit order would wait.`
export const onlyCanBeSpentNobody = (amount: string, within: Value) =>
  `Only ${amount} can be spent ${within}: no more is for sale. The rest stays yours.`
export const thereIsNotMore = (within: Value) => `There is not more on the other side ${within}: the rest is cancelled.`
export const itCancelsOrdersOfYours = (count: number) =>
  plural(count, { one: 'It cancels an order of yours.', other: `It cancels ${count} orders of yours.` })
export const youSpendMoreThanHalf = (total: string, cash: string) =>
  `You spend ${total}, more than half of your cash of ${cash}.`
export const youMaySpendMoreThanHalf = (outlay: string, cash: string) =>
  `You spend up to ${outlay}, more than half of your cash of ${cash}.`
export const yourOrderMovesThePrice = (shownPrice: Value, shownPrice2: Value) =>
  `Your order moves the price by ${shownPrice}. The average is ${shownPrice2}.`

// outcome-message
export const sizeAtPrice = (quantity: string, price: string) => `${quantity} at ${price}`
export const noTrade = 'no trade'
export const theMarketMoved = (before: Value) => `The market moved after the preview, which said ${before}.`
export const bought = 'Bought'
export const sold = 'Sold'
export const sharesAtPrice = (size: string, label: Value, price: string) => `${size} ${label} at ${price}`
export const andFee = (fee: string) => ` · fee ${fee}`
export const filledAt = (avgFillPrice: string, fee: Value) => `at ${avgFillPrice}${fee}`
export const yourOrder = 'Your order is in the book'
export const orderChanged = 'Order changed'
export const filledBefore = (what: Value, filled: string) => `${what} ${filled} of these had filled before the change.`
export const moreWait = (remainingSize: string) => `${remainingSize} more wait in the book`
export const theRestFoundNobody = (fee: Value) => `The rest found no other side and was cancelled${fee}`
export const nothingWasTraded = 'Nothing was traded'
export const thereWasNobody = 'There was no order on the other side within your limits.'
export const theOrderWasRejected = 'The order was rejected'
export const theOrderIs = (status: Value) => `The order is ${status}`
export const itWouldHaveTraded = 'It would have traded at once, and you asked for it to rest only.'
export const itCouldNotFillCompletely = 'It could not fill completely, and you asked for all or nothing.'
export const itMetAnOrder = 'It met an order of your own. Nothing happened.'
