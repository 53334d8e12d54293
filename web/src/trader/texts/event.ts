// Texts of the page of a question. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// AmendDialog
export const thePriceIsAWhole = 'The price is a whole number from 1 to 99.'
export const theSizeIsAllShares = (filled: Value) =>
  `The size is all shares of the order, more than the ${filled} that have filled.`
export const thisTakesMore = (more: string, cash: string) => `This takes ${more} more, and you have ${cash}.`
export const theOrderWasNotChanged = 'The order was not changed'
export const amendOrder = 'Amend order'
export const aSmallerSize = (what: string, label: Value) =>
  `${what} ${label}. A smaller size at the same price keeps its place in the queue; anything else goes to the end. ` +
  `Orders of your own that the new price crosses are cancelled.`
export const buying = 'Buying'
export const selling = 'Selling'
export const priceAShare = (what: string) => `Price (${what} a share)`
export const sizeInShares = 'Size in shares, what has filled included'
export const whatTheChangeDoes = 'Change the price or the size to see what it does.'
export const confirmAmendment = 'Confirm: amend'
export const leaveIt = 'Leave it'

// BookPanel
export const tradeUpToPrice = (what: string) => `: ${what} this price`
export const sellersBuyUpTo = 'sellers, buy up to'
export const buyersSellDownTo = 'buyers, sell down to'
export const youHaveAnOrderHere = 'You have an order here'
export const yours = 'yours'
export const sharesUpToHere = (cumulative: string) => `${cumulative} shares up to here`
export const orderBookOf = (outcome: Value) => `Order book of ${outcome}`
export const price = 'Price'
export const shares = 'Shares'
export const total = 'Total'
export const nobodySells = 'No sellers'
export const last = 'Last'
export const crossedByOneTradersOwn = 'Crossed by one trader’s own orders'
export const nobodyBuys = 'No buyers'

// ChartPanel
export const volume = 'Volume'
export const someShares = (shares: string) => `${shares} shares`
export const open = 'Open'
export const high = 'High'
export const low = 'Low'
export const close = 'Close'
export const priceChart = 'Price chart'
export const atMostLines = (linesMax: Value) => `At most ${linesMax} lines`
export const fewer = 'Fewer'
export const more = (value: Value) => `${value} more`
export const kindOfChart = 'Kind of chart'
export const line = 'Line'
export const candles = 'Candles'
export const period = 'Period'
export const theChart = 'The chart'
export const chartNotLoaded = 'This chart could not be loaded'
export const reloadThePageToSee = 'Reload the page to see it.'
export const itWasNeverTraded = 'It was never traded'
export const noTradeYet = 'No trade yet'
export const noTradeInThisSpan = 'No trade in this span'
export const aCandleNeedsATrade = 'A candle needs a trade. The line shows the price without one.'
export const priceOf = (what: Value) => `Price of ${what}`

// DayLine
export const last24Hours = '24 hours'
export const sharesTraded = 'Shares traded'
export const trades = 'Trades'

// DepthChart
export const buyers = 'Buyers'
export const sellers = 'Sellers'
export const depthOfTheBookShares =
  'Depth of the book: shares that can be traded up to each price, buyers to the left, sellers to the right'
export const sharesUpToEachPrice = 'shares up to each price'

// EventPage
export const partNotLoaded = 'This part could not be loaded. Reload the page to see it.'
export const titleOfPage = (what: Value) => `${what} · Bellwether`
export const question = 'Question'
export const thereIsNoSuchQuestion = 'There is no such question'
export const itMayHaveBeen = 'It may have been a draft, or the address is mistyped.'
export const seeWhatIsOpen = 'See what is open'
export const theQuestion = 'The question'
export const tradingHasClosed = 'Trading has closed'
export const itIsDecidedOn = '. It is decided on'
export const roundsChartNotLoaded = "The round's chart could not be loaded. Reload the page to see it."
export const youHold = 'You hold'
export const whatYouHold = 'What you hold'
export const yourOpenOrders = 'Your open orders'
export const trade = 'Trade'

// ImpactChart
export const average = 'Average'
export const after = 'After'
export const priceImpactTheAveragePrice = (least: string, most: string) =>
  `Price impact: the average price of orders from ${least} to ${most}, and the price after them`
export const averagePriceOfAnOrder = 'average price of an order of this size'
export const priceAfterIt = 'price after it'

// MarketDepth
export const lastTrades = 'Last trades'
export const orderBook = 'Order book'
export const priceImpact = 'Price impact'
export const viewOfTheBook = 'View of the book'
export const book = 'Book'
export const ladder = 'Ladder'
export const outcomeShown = 'Outcome shown'
export const ladderNotLoaded = 'The ladder could not be loaded. Reload the page to see it.'
export const depth = 'Depth'
export const thePoolIsClosed = 'The pool is closed.'

// MarketTable
export const marketsOfThisQuestion = 'Markets of this question'
export const calledOff = 'Called off'
export const buyOf = (title: Value) => `: buy, ${title}`

// OwnOrders
export const orderCancelled = 'Order cancelled'
export const leftAtPrice = (remainingSize: string, label: Value, price: string) =>
  `${remainingSize} ${label} at ${price}`
export const theOrderWasNotCancelled = 'The order was not cancelled'
export const ordersCancelled = (count: number) =>
  plural(count, { one: 'One order cancelled', other: `${count} orders cancelled` })
export const notAllOrdersWereCancelled = 'Not all orders were cancelled'
export const order = 'Order'
export const filled = 'Filled'
export const left = 'Left'
export const staysUntil = 'Stays until'
export const cancelAll = 'Cancel all'
export const actions = 'Actions'
export const buy = 'Buy'
export const sell = 'Sell'
export const youCancel = 'you cancel'
export const amend = 'Amend'
export const cancel = 'Cancel'
export const cancelAllTheseOrders = 'Cancel all these orders?'
export const allOpenOrdersOfThisList = (count: number) =>
  `All ${count} open orders of this list are taken out of the book. What has filled stays yours.`

// OwnResult
export const yourResult = 'Your result'
export const youWon = 'You won'
export const youLost = 'You lost'
export const youCameOutEven = 'You came out even'
export const onThisQuestionTrades = 'On this question, trades and payouts together.'

// PositionsHere
export const atPaysIfRight = (averagePrice: string, payoutIfOutcomeWins: string) =>
  `at ${averagePrice} · pays ${payoutIfOutcomeWins} if right`
export const ifSoldNow = (currentValue: string) => `· ${currentValue} if sold now`

// RelatedEvents
export const relatedQuestions = 'Related questions'

// Resolution
export const rules = 'Rules'
export const atMostOne = 'At most one of these comes true: when one is YES, the others are NO.'
export const eachOfTheseIsDecided = 'Each of these is decided on its own: several may come true.'
export const opened = 'Opened'
export const tradingCloses = 'Trading closes'
export const decided = 'Decided'
export const resolved = 'Resolved'
export const source = 'Source'
export const aVerdictIsProposed = 'A verdict is proposed'
export const finalFrom = 'Final from'
export const withdrawn = 'Withdrawn'
export const score = (home: Value, away: Value) => `Score ${home} : ${away}`
export const aShareOfTheFirst = (yesPrice: string) => `A share of the first outcome paid ${yesPrice}.`
export const atTheOpening = (assetSymbol: Value) => `${assetSymbol} at the opening`
export const atTheClose = 'At the close'
export const notYetKnown = 'not yet known'
export const fingerprintOfTheRules = 'Fingerprint of the rules'
export const sha256 = (rulesSha256: Value) => `SHA-256 ${rulesSha256}`
export const theExchangePublishesTheExact =
  'The exchange publishes the exact text that this is the hash of, so that a change of the rules would be seen.'

// Trades
export const theTrades = 'The trades'
export const nobodyHasTradedYet = 'No trades yet.'
export const when = 'When'

// fills
export const bought = 'Bought'
export const sold = 'Sold'
export const yourOrderAtWasMet = (price: string, what: Value) => `Your order at ${price} was met${what}`
export const moreWait = (remainingQuantity: string) => ` · ${remainingQuantity} more wait`

// spread
export const spread = (gap: string) => `Spread ${gap}`

// News
export const news = 'News'
