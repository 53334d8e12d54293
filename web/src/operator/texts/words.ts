// Texts of words of the API, and failures, as people say them. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// explain
export const mayHaveHappened = (message: Value) => `${message} It may have happened: look before you send it again.`
export const noAnswerCame = 'No answer came. It may have happened: look before you send it again.'
export const yourRoleDoesNotAllow = 'Your role does not allow this.'
export const thePolicyAsks = (message: Value) => `${message} The policy asks for a proposal first.`
export const ruleFor = (value: Value, value2: Value) => `The rule for the ${value}: ${value2}.`

// amounts
export const noCap = 'no cap'
export const about = (what: string, problem: string) => `${what}: ${problem}`
export const aPlainNumber = (what: Value, places: Value) => `${what}: a plain number with at most ${places} decimals.`
export const tooManyDigits = (what: Value) => `${what}: too many digits.`
export const feeInPercent = 'Fee in percent'
export const amountIn = (what: Value, currency: Value) => `${what} in ${currency}`

// titles
export const notThere = 'not there'
export const marketOfEvent = (event: Value, market: Value) => `${event} · ${market}`
export const teams = (home: Value, away: Value) => `${home} – ${away}`

// words
export const days = (count: number) => `${count}d`
export const hours = (count: number) => `${count}h`
export const minutes = (count: number) => `${count}m`
export const seconds = (count: number) => `${count}s`
export const noTime = 'none'
export const every5Minutes = 'Every 5 minutes'
export const every15Minutes = 'Every 15 minutes'
export const hourly = 'Hourly'
export const every6Hours = 'Every 6 hours'
export const daily = 'Daily'
export const noFreshPrice = 'No fresh price'
export const theHouseWasShort = 'The house was short of money'
export const theExchangeWasDown = 'The exchange was down'
export const itsNameWasTaken = 'Its name was taken'
export const theSourcesDisagreed = 'The sources disagreed'
export const theSeedIsOverTheCap = 'The seed is over what its creator may move alone in a day'
export const howAnEventEnds = 'How an event ends'
export const resultOfAGame = 'Result of a game'
export const single = 'Single'
export const combined = 'Combined'
export const grouped = 'Grouped'
export const orderBook = 'Order book'
export const pool = 'Pool'
