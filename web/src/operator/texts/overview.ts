// Texts of the overview. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// Alerts
export const alerts = 'Alerts'
export const nothingNeedsYouRightNow = 'Nothing needs you right now.'

// CancelOnly
export const cancelOnlyIsOn = 'Cancel only is on'
export const tradingGoesOn = 'Trading goes on'
export const cancelOnly = 'Cancel only'
export const on = 'On'
export const off = 'Off'
export const theBrakeForMaintenance =
  'The brake for maintenance, or when something looks wrong: nothing can be placed, amended or minted. Cancels, burns and reads go on.'
export const fullDiskDetail = 'The disk is nearly full. This cause ends by itself once there is room again.'
export const letTradingGoOnButton = 'Let trading go on…'
export const switchCancelOnlyOnButton = 'Switch cancel only on…'
export const letTradingGoOnQuestion = 'Let trading go on?'
export const stopAllNewOrders = 'Stop all new orders?'
export const letTradingGoOn = 'Let trading go on'
export const switchItOn = 'Switch it on'
export const ordersCanBePlacedAgain = 'Orders can be placed again on every open market.'
export const everyTraderOnEveryMarket = 'Every trader on every market is refused until it is switched off again.'

// Fees
export const fees = 'Fees'
export const collectedFromTrades =
  'Collected from trades and not moved yet. A proposal moves them to the house, or out.'
export const collected = (currency: Value) => `Collected, ${currency}`
export const moveFeesButton = 'Move fees…'

// Health
export const throughput = 'Throughput'
export const answerTime = 'Answer time'
export const inMilliseconds = (short: Value) => `${short} ms`
export const historyLag = 'History lag'
export const health = 'Health'
export const requestsAppliedLastMinute = 'requests applied, last minute'
export const underSeenFromHere = (milliseconds: Value) => `95 % under ${milliseconds}, seen from here`
export const journal = 'Journal'
export const writing = 'Writing'
export const failed = 'Failed'
export const sequence = (sequence: string) => `sequence ${sequence}`
export const requestsNotStoredYet = 'requests not stored yet'
export const waiting = 'Waiting'
export const requestsBeforeTheWriter = 'requests before the writer'
export const openOrders = 'Open orders'
export const onAllBooks = 'on all books'

// LastHour
export const theLastHour = 'The last hour'
export const currencyOfTheHour = 'Currency of the last hour'
export const usd = 'USD'
export const ngn = 'NGN'
export const noSamplesYet = 'No line yet'
export const aSampleEachMinute =
  'The node keeps a sample of each minute of the last hour. The first line shows two minutes after its start.'
export const perSecond = (short: Value) => `${short}/s`
export const responsesPerSecond = (last: string) => `Responses per second in each minute, ${last} in the last one`
export const mostUnder = (milliseconds: Value) => `99 % under ${milliseconds}`
export const responseTimes = (half: string, most: string) =>
  `Response times in each minute: half under ${half} and 99 % under ${most} in the last one`
export const volume = 'Volume'
export const tradesInTheHour = (trades: number) => `${trades} ${plural(trades, { one: 'trade', other: 'trades' })}`
export const volumeOfTheHour = (sum: string) => `Value of the trades in each minute, ${sum} in all`
export const feesOfTheHour = (sum: string) => `Fees taken in each minute, ${sum} in all`
export const traders = 'Traders'
export const mostInAMinute = (most: string) => `at most ${most} in a minute`
export const tradersOfTheHour = (most: string) => `Users with a trade in each minute, at most ${most}`

// MoveFeesDialog
export const toTheHouse = 'To the house'
export const outOfTheExchange = 'Out of the exchange'
export const chooseACurrency = 'Choose a currency.'
export const chooseWhereTheFeesGo = 'Choose where the fees go.'
export const amountAPlainNumber = 'Amount: a plain number of more than nothing.'
export const toTheHousePart = 'to the house'
export const outPart = 'out'
export const moveOfFees = (wanted: string, where: Value) => `move ${wanted} of fees ${where}`
export const moveFees = 'Move fees'
export const proposeIt = 'Propose it'
export const whereTo = 'Where to'
export const amount = 'Amount'
export const isThere = (has: string) => `${has} is there.`
export const chooseTheCurrencyFirst = 'Choose the currency first.'
export const reference = 'Reference'
export const whatStandsForThisPayment = 'What stands for this payment elsewhere. Each is taken once.'
export const anApproverFinalises = 'An approver finalises it; where two are required, another person than you.'

// NotReady
export const thisNodeIsNotReady = 'This node is not ready'
export const sendRequestsToAnotherNode = 'Send requests to another node until it is ready.'

// OverviewPage
export const overview = 'Overview'
export const theStateOfTheVenue = 'The state of the venue'
export const pendingProposals = 'Pending proposals'
export const all = (pendingProposals: string) => `All ${pendingProposals}`
export const proposals = 'Proposals'
export const nothingWaitsForApproval = 'Nothing waits for approval'
export const verdictsMoneyAboveTheCaps =
  'Verdicts, money above the caps, and changes of operators and of the policy stand here.'
export const theVenue = 'The venue'
export const version = 'Version'
export const users = 'Users'
export const eventsEver = 'Events ever'
export const events = (state: Value) => `Events, ${state}`
export const deposited = (currency: Value) => `Deposited, ${currency}`
export const house = (currency: Value) => `House, ${currency}`

// alerts
export const theJournalHasFailed = 'The journal has failed'
export const nothingCanBeWritten = 'Nothing can be written.'
export const theDiskIsNearlyFull = 'The disk is nearly full'
export const onlyCancelsAreTaken = 'Only cancels are taken.'
export const historyIsBehind = 'History is behind'
export const requestsAreNotStoredYet = (historyLag: Value) => `${historyLag} requests are not stored yet.`
export const feedFor = (name: Value, symbol: Value) => `${name} for ${symbol}`
export const aFeedFails = (name: Value) => `A feed fails: ${name}`
export const aFeedIsSilent = (name: Value) => `A feed is silent: ${name}`
export const aPrice = 'A price that is a minute old closes nothing.'
export const closedEventsWait = (closedEvents: number) =>
  `${closedEvents} closed ${plural(closedEvents, { one: 'event waits', other: 'events wait' })} for a verdict`
export const tradingIsOverNobody = 'Trading is over; nothing is paid yet.'
export const requestsForNewPasswordsWait = (count: number) =>
  `${count} ${plural(count, { one: 'request for a new password waits', other: 'requests for new passwords wait' })}`
export const thePersonReadsACode = 'The person reads a code out; an operator approves it.'
export const anIntervalOfDid = (slug: Value) => `An interval of ${slug} did not go by itself.`
