// Texts of users. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// AccessDialog
export const propose = (action: Value) => `Propose: ${action}`
export const keepOpenOrders = 'Keep open orders'
export const theirOrdersStay = 'Their orders stay in the books and go on trading.'
export const theirOpenOrdersAreCancelled = (openOrders: Value) => `Their open orders are cancelled: ${openOrders} now.`

// CancelOrdersDialog
export const both = 'Both'
export const usd = 'USD'
export const ngn = 'NGN'
export const ordersCancelled = (shown: string, count: number) =>
  `${shown} ${plural(count, { one: 'order', other: 'orders' })} cancelled`
export const cancelOrdersOf = (value: Value) => `Cancel orders of ${value}`
export const theHouse = 'the house'
export const cancelAllOpenOrders = 'Cancel all open orders'
export const cancelTheseOrders = 'Cancel these orders'
export const openNowWhatIsLeft = (openOrders: string) =>
  `${openOrders} open now. What is left of them is refunded. Leave all fields empty to cancel every order.`
export const onlyOfTheEvent = 'Only of the event'
export const slugOrId = 'Slug or id'
export const onlyOfTheMarket = 'Only of the market'
export const idOrSlugExample = 'Id, slug or slug:2'
export const currency = 'Currency'

// CreateUserDialog
export const theAccountIsThere = 'The account is there'
export const newUser = 'New user'
export const createUser = 'Create user'
export const email = 'Email'
export const tag = 'Tag'
export const theNameThatOthersSee = 'The name that others see: 3 to 30 letters, digits or underscores.'
export const password = 'Password'
export const optional8CharactersAtLeast =
  'Optional, 8 characters at least. Without one its owner uses “Forgot your password?”.'

// Holdings
export const showAll = (length: Value) => `Show all ${length}`
export const theseAreTheFirst = (sentMax: Value) => `These are the first ${sentMax}; there may be more.`
export const positions = 'Positions'
export const noPositions = 'No positions'
export const market = 'Market'
export const openOrders = 'Open orders'
export const noOpenOrders = 'No open orders'
export const side = 'Side'
export const price = 'Price'
export const size = 'Size'
export const filled = 'Filled'
export const buy = 'Buy'
export const sell = 'Sell'

// TransferDialog
export const aboveWhatOnePersonMoves =
  'Above what one person moves alone: it becomes a proposal, which an approver finalises.'
export const theyCanSpend = 'They can spend it at once.'
export const onlyWhatIsFree = 'Only what is free can go out.'
export const chooseACurrency = 'Choose a currency.'
export const amountAPlainNumber = 'Amount: a plain number of more than nothing.'
export const credited = 'Credited'
export const doneBefore = 'Done before under this reference: nothing moved now'
export const debited = 'Debited'
export const reference = (said: Value, reference: Value) => `${said}, reference ${reference}`
export const credit = 'Credit'
export const debit = 'Debit'
export const review = 'Review'
export const proposeTo = (kind: Value, said: Value) => `Propose to ${kind} ${said}`
export const yesDoIt = (kind: Value, said: Value) => `Yes, ${kind} ${said}`
export const amount = 'Amount'
export const aloneAtMost = (capWords: Value) => `Alone: at most ${capWords} at a time. More becomes a proposal.`
export const chooseTheCurrencyFirst = 'Choose the currency first.'
export const referenceField = 'Reference'
export const whatStandsForThisPayment =
  'What stands for this payment elsewhere. Each is taken once, so trying again is safe.'
export const comesIn = 'Comes in'
export const goesOut = 'Goes out'
export const has = (user: Value) => `${user} has`
export const andAfterIt = 'And after it'

// UserPage
export const users = 'Users'
export const theUser = 'The user'
export const house = 'house'
export const creditButton = 'Credit…'
export const debitButton = 'Debit…'
export const cancelOrdersButton = 'Cancel orders…'
export const frozenEveryCommand =
  'Frozen: every command of the person is refused, and every credit and debit. Markets still settle and pay into the wallet.'
export const usDollars = 'US dollars'
export const naira = 'Naira'
export const free = 'free'
export const inOpenOrders = (pendingBalance: string) => `, ${pendingBalance} in open orders`
export const id = 'Id'
export const since = 'Since'
export const set = 'set'
export const notSet = 'not set'
export const requests = 'requests'
export const sessions = 'Sessions'
export const apiKeys = 'API keys'
export const none = 'none'
export const whatWasDoneWithIt = 'What was done with it'
export const auditLog = 'Audit log'

// UsersPage
export const all = 'All'
export const active = 'Active'
export const suspended = 'Suspended'
export const accountsTheOldestFirst = 'Accounts, the oldest first. The house is an account too, named “house”.'
export const noUsers = 'No users'
export const nobodyMatches = 'No user matches.'
export const makeTheFirstAccount = 'Make the first account.'
export const user = 'User'
export const state = 'State'
export const theHouseLabel = 'The house'
export const newUserButton = 'New user…'
export const searchTagsAddressesIds = 'Search tags, addresses, ids'
export const listOfUsers = 'users'

// access
export const suspendButton = 'Suspend…'
export const suspendQuestion = (tag: Value) => `Suspend ${tag}?`
export const suspend = 'Suspend'
export const theyCanNeitherLog = 'They can neither log in nor trade. Money can still be credited and debited.'
export const theAccountIsSuspended = 'The account is suspended'
export const resumeButton = 'Resume…'
export const letInAgainQuestion = (tag: Value) => `Let ${tag} in again?`
export const resume = 'Resume'
export const theyCanLog = 'They can log in and trade again.'
export const theAccountIsActiveAgain = 'The account is active again'
export const freezeButton = 'Freeze…'
export const freezeQuestion = (tag: Value) => `Freeze ${tag}?`
export const freeze = 'Freeze'
export const whatAFreezeDoes =
  'Their sessions end and their open orders are cancelled. Every command of theirs is refused, and every credit and debit. Markets still settle and pay into the wallet.'
export const theAccountIsFrozen = 'The account is frozen'
export const releaseButton = 'Release…'
export const releaseQuestion = (tag: Value) => `Release ${tag}?`
export const release = 'Release'
export const theFreezeEndsCancelledOrders = 'The freeze ends. Cancelled orders do not come back.'
export const theAccountIsReleased = 'The account is released'
export const eraseButton = 'Erase…'
export const eraseForGoodQuestion = (tag: Value) => `Erase ${tag} for good?`
export const erase = 'Erase'
export const emailPasswordSessionsAndApi =
  'Email, password, sessions and API keys are gone for good, and the email address is free again. The account must be empty: no money, no shares, no open orders. Trades keep an id that says nothing.'
export const thePersonIsErased = 'The person is erased'
