// Texts of the pages of series and of their rounds. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// RoundPanel
export const thisRound = 'This round'
export const toBeat = 'To beat'
export const atTheEnd = 'At the end'
export const priceNow = (symbol: Value) => `${symbol} now`
export const aboveBy = 'Above by'
export const belowBy = 'Below by'
export const round = 'Round'
export const timeLeft = 'Time left'
export const noTimeLeft = '0s'
export const priceOfInThisRound = (symbol: Value) => `Price of ${symbol} in this round, against the price to beat`
export const toBeatPrice = (assetPrice: Value) => `To beat ${assetPrice}`
export const begins = 'Begins'
export const nextRound = (hoursOf: Value) => `Next round · ${hoursOf}`
export const theNextRoundOpensSoon = 'The next round opens soon.'

// RoundStrip
export const up = 'Up'
export const down = 'Down'
export const calledOff = 'Called off'
export const notDecidedYet = 'Not decided yet'
export const lastRounds = 'Last rounds'

// SeriesPage
export const upOrDown = 'Up or down'
export const theSeries = 'The series'
export const allSeries = 'All series'
export const chartNotLoaded = 'This chart could not be loaded. Reload the page to see it.'
export const rounds = 'Rounds'
export const theEvents = 'The events'
export const nothingHasOpenedYet = 'Nothing has opened yet'
export const theNextEventOpens = 'The next event opens by itself.'
export const upOrDownQuestion = 'Up or down?'
export const theSameQuestionAgain =
  'The same question again and again: does it end above where it began? A new one opens as soon as the last is over.'
export const thisVenueHasNoSeries = 'This venue has no series'
