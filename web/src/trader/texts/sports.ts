// Texts of the pages of matches. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// MatchMarkets
export const traded = (totalVolume: string) => `${totalVolume} traded`
export const calledOff = 'Called off'
export const buyOf = (title: Value) => `: buy, ${title}`

// MatchPage
export const match = 'Match'
export const allMatches = 'All matches'
export const theMarketsOfThisMatch = 'The markets of this match'
export const nothingHangsOnThisMatch = 'Nothing hangs on this match yet'
export const trade = 'Trade'

// Scoreboard
export const versus = (home: Value, away: Value) => `${home} v ${away}`
export const v = 'v'

// SportsPage
export const sports = 'Sports'
export const league = 'League'
export const allLeagues = 'All leagues'
export const theMatches = 'The matches'
export const noMatches = 'No matches'
export const whenThereAreSome = 'When there are some to trade, they are here.'

// calendar
export const today = 'Today'
export const inPlay = 'In play'
export const results = 'Results'
