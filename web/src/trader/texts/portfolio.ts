// Texts of the portfolio. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// AccountValue
export const value = 'Value'
export const theAccountsValueMoney = "the account's value, money and shares"
export const theAccountsValueOver = (last: string) => `The account's value over the period, ${last} in the end`

// Activities
export const oldest = 'Oldest'
export const kindOfActivity = 'Kind of activity'
export const money = 'Money'
export const all = 'All'
export const buys = 'Buys'
export const sells = 'Sells'
export const limits = 'Limits'
export const sets = 'Sets'
export const payouts = 'Payouts'
export const yourActivity = 'Your activity'
export const nothingHasHappenedYet = 'Nothing has happened yet'
export const when = 'When'
export const what = 'What'
export const shares = 'Shares'
export const price = 'Price'

// History
export const anyStatus = 'Any status'
export const open = 'Open'
export const openPartlyFilled = 'Open, partly filled'
export const filled = 'Filled'
export const cancelled = 'Cancelled'
export const rejected = 'Rejected'
export const expired = 'Expired'
export const largest = 'Largest'
export const mostFilled = 'Most filled'
export const highestFee = 'Highest fee'
export const yourOrders = 'Your orders'
export const noOrdersYet = 'No orders yet'
export const order = 'Order'
export const average = 'Average'
export const fee = 'Fee'
export const status = 'Status'
export const side = 'Side'
export const currency = 'Currency'
export const buy = 'Buy'
export const sell = 'Sell'
export const limit = (price: string) => `limit ${price}`
export const market = 'market'

// OwnTrades
export const booksAndPools = 'Books and pools'
export const books = 'Books'
export const pools = 'Pools'
export const mostShares = 'Most shares'
export const highestPrice = 'Highest price'
export const yourTrades = 'Your trades'
export const noTradesYet = 'No trades yet'
export const trade = 'Trade'
export const role = 'Role'
export const tradedOn = 'Traded on'
export const from = 'From'
export const to = 'To'
export const bought = 'Bought'
export const sold = 'Sold'

// OpenOrders
export const newest = 'Newest'
export const mostLeft = 'Most left'
export const partlyFilledFirst = 'Partly filled first'
export const noOpenOrders = 'No open orders'
export const limitOrdersOnAnOrder = 'Limit orders on an order book wait here until they fill.'

// PortfolioPage
export const listNotLoaded = 'This list could not be loaded. Reload the page to see it.'
export const portfolio = 'Portfolio'
export const seeWhatYouHold = 'See what you hold, what is open, and how it went.'
export const lists = 'Lists'
export const positions = 'Positions'
export const openOrders = 'Open orders'
export const orders = 'Orders'
export const trades = 'Trades'
export const activity = 'Activity'
export const yourPositions = 'Your positions'

// Positions
export const highestValue = 'Highest value'
export const highestProfit = 'Highest profit'
export const largestLoss = 'Largest loss'
export const title = 'Title'
export const youHoldNothingYet = 'You hold nothing yet'
export const buyAShare = 'Buy a share of what you believe in, and it is here.'
export const findAQuestion = 'Find a question'
export const words = 'Words'
export const position = 'Position'
export const boughtAt = 'Bought at'
export const now = 'Now'
export const profit = 'Profit'
export const ifSoldNow = 'If sold now'
export const paysIfRight = 'Pays if right'
export const free = (availableBalance: string) => `${availableBalance} free`
export const nothingMatches = 'Nothing matches.'
export const listOfPositions = 'positions'

// Profit
export const period = 'Period'
export const yourProfit = 'Your profit'
export const realisedOnWhatItCost = (realizedPnlPercent: string) => `realised, ${realizedPnlPercent} on what it cost`
export const unrealisedWhatYouHold = 'unrealised, what you hold at the prices now'
export const byTrading = 'By trading'
export const byResults = 'By results'
export const won = 'Won'
export const lost = 'Lost'
export const realisedProfitOverThePeriod = (made: string) => `Realised profit over the period, ${made} in the end`

// Statement
export const yourStatement = 'Your statement'
export const noMoneyHasMovedYet = 'No money has moved yet'
export const balance = 'Balance'

// Wallets
export const usDollars = 'US dollars'
export const naira = 'Naira'
export const wallets = 'Wallets'
export const cash = 'Cash'
export const inOpenOrders = 'In open orders'
export const worthIfSoldNow = (sale: string) => `${sale} if sold now`
export const unrealised = 'Unrealised'

// activity
export const bidPlaced = 'Bid placed'
export const bidCancelled = 'Bid cancelled'
export const bidExpired = 'Bid expired'
export const offerPlaced = 'Offer placed'
export const offerCancelled = 'Offer cancelled'
export const offerExpired = 'Offer expired'
export const refunded = 'Refunded'
export const setsMade = 'Sets made'
export const setsBurned = 'Sets burned'
export const nothingOf = (word: Value) => `Nothing ${word}`

// movement
export const deposit = 'Deposit'
export const withdrawal = 'Withdrawal'

// profit
export const oneDay = '24H'
export const oneWeek = '1W'
export const oneMonth = '1M'
export const oneYear = '1Y'

// trade
export const direct = 'direct'
export const newPair = 'new pair'
export const pairGivenUp = 'pair given up'
export const withThePool = 'With the pool'
export const tookFromTheBook = 'Took from the book'
export const restedInTheBook = 'Rested in the book'
