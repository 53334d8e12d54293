// Texts of the cards of series and matches. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// SeriesCard
export const toBeat = 'To beat'
export const now = 'Now'
export const left = 'Left'
export const noTimeLeft = '0s'
export const theNextOneOpensSoon = 'The next one opens soon.'

// SeriesStrip
export const upOrDown = 'Up or down?'
export const allSeries = 'All series'

// series
export const every5Minutes = 'every 5 minutes'
export const every15Minutes = 'every 15 minutes'
export const everyHour = 'every hour'
export const every6Hours = 'every 6 hours'
export const everyDay = 'every day'

// MatchCard
export const draw = 'Draw'
export const versus = 'v'

// MatchState
export const over = 'Over'
export const postponed = 'Postponed'
export const calledOff = 'Called off'
export const inPlay = (what: Value) => `In play${what}`
export const beginsIn = 'Begins in'
export const aboutToBegin = 'About to begin'

// MatchStrip
export const nextMatches = 'Next matches'
export const allSports = 'All sports'

// sports
export const whoWins = 'Who wins'
export const byHowMuch = 'By how much'
export const howManyGoals = 'How many goals'
