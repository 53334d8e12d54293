// Texts of the help. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// HelpPage
export const howItWorks = 'How it works'
export const orders = 'Orders'
export const fees = 'Fees'
export const howAQuestionIsDecided = 'How a question is decided'
export const limits = 'Limits'
export const programs = 'Programs'
export const proofOfSolvency = 'Proof of solvency'
export const help = 'Help'
export const onThisPage = 'On this page'
export const everyQuestionHasTwoSides = (pays: Value) =>
  `Every question has two sides, such as Yes and No. A share of the side that comes true pays ${pays}; a share of the other pays nothing. So the price of a share is what the crowd believes: a share for a third of ${pays} is a chance of about 33%.`
export const ifTheCrowdIsWrong =
  'If you think that the crowd is wrong, buy the side that is too cheap. You can sell it at any time before the question closes, at the price that others pay then. You can never lose more than you spent.'
export const tryItWithoutMoney = 'Try it, without money'
export const market = 'Market'
export const tradesAtOnce = 'trades at once, at the best prices there are, up to the slippage that you allow.'
export const limit = 'Limit'
export const tradesAtYourPrice =
  'trades at your price or a better one; the rest waits in the order book until another trader meets it, you cancel it, or the question closes. What a waiting order needs is set aside, and comes back if it is cancelled.'
export const someQuestionsHaveAnAutomated =
  'Some questions have an automated pool in place of a book. A pool always trades, and its price moves with every trade. On a pool a limit bounds the average price.'
export const anOrderThatTrades =
  'An order that trades at once pays a percentage of what it takes, in money. Each market has its own percentage; the ticket shows it in money before you send. Orders that wait in the book pay nothing. Deposits, payouts, complete sets and cancelled orders have no fee.'
export const decidedByRules =
  'The rules are on the page of each question, with a fingerprint that changes if a word of them changes. After trading has closed, an operator proposes how it ended, with evidence. The proposal is public for a waiting period, and where the venue requires it, another person must agree before anything is paid.'
export const ifYouDisagreeTell =
  'If you disagree, tell the venue during that period: a proposal can be withdrawn, and its history stays on the page of the question for good. A question that cannot be decided is called off, at a price that the venue says, and every share is paid by it.'
export const roundsOfASeriesDecide =
  'Rounds of a series decide themselves: by the price of the asset at the end, against the price at the start. A match decides all its questions by its score.'
export const everythingOnThesePages = 'Everything on these pages can be done by a program. Create a key under'
export const account = 'Account'
export const thenReadThe = ', then read the'
export const guide = 'guide'
export const orThe = 'or the'
export const referenceOfTheApi = 'reference of the API'
export const liveDataComesOverWebSocket = '. Live data comes over WebSocket.'
export const theExchangeProves = 'The exchange proves that it holds what it owes, and'
export const yourBrowserChecksIt = 'your browser checks it'

// Playground
export const itComesTrue = 'It comes true'
export const itDoesNot = 'It does not'
export const youSellAt = (later: string) => `You sell at ${later}`
export const priceOfAShare = 'Price of a share'
export const youSpend = 'You spend'
export const priceLater = 'Price later'
export const feeOfTheMarket = 'Fee of the market'
export const youGet = 'You get'
export const someShares = (shares: string) => `${shares} shares`
export const whichPayEach = (unit: string) => `, which pay ${unit} each if it comes true.`
export const theFeeIs = (fee: string) => `The fee is ${fee}.`
