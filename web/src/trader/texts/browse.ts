// Texts of the landing page and the lists of questions. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// BrowsePage
export const bellwetherWhatHappensNext = 'Bellwether: what happens next?'
export const yourWatchlist = 'Your watchlist'
export const questionsWith = (words: Value) => `Questions with “${words}”`
export const questions = 'Questions'
export const allQuestions = 'All questions'
export const loading = 'Loading'
export const countFound = (total: Value) => `${total} found`
export const youWatchNothingYet = 'You watch nothing yet'
export const nothingFound = 'Nothing found'
export const starAQuestion = 'Star a question, and it waits for you here.'
export const tryOtherWords = 'Try other words, another category or another status.'

// EventCard
export const calledOff = 'Called off'
export const resolved = 'Resolved'
export const wonBy = 'Won by:'
export const noneOfThem = 'none of them'
export const andMore = (value: Value) => `and ${value} more`
export const volume = 'Volume'
export const traded = (totalVolume: string) => `${totalVolume} traded`
export const last24Hours = (what: Value) => `Last 24 hours${what}`
export const today = ' today'
export const closing = 'Closing'

// EventGrid
export const theMarkets = 'The markets'
export const showEverything = 'Show everything'
export const showMore = 'Show more'

// Filters
export const categories = 'Categories'
export const all = 'All'
export const watchlist = 'Watchlist'
export const status = 'Status'
export const open = 'Open'
export const paused = 'Paused'
export const closed = 'Closed'
export const anyStatus = 'Any status'
export const order = 'Order'

// Hero
export const whatHappensNext = 'What happens next?'
export const livePredictionMarkets = 'Live prediction markets'
export const takeASide = 'Take a side.'
export const howItPays = (what: string) =>
  `Every price is what the crowd believes right now. Think it is wrong? Buy the other side: a share pays ${what} when it comes true.`
export const openQuestions = 'open questions ·'
export const onTheTopThree = 'on the top three'

// HeroQuestion
export const left = 'left'
export const ahead = 'Ahead:'
export const changeToday = (change: string) => `${change} today`

// HowItWorks
export const findAQuestion = 'Find a question'
export const findAQuestionDetail = 'Politics, sports, prices, weather: if the world will answer it, people trade on it.'
export const buyTheSideYouBelieve = 'Buy the side you believe in'
export const buyTheSideDetail = (what: string) => `A share costs what the crowd thinks it is worth: ${what}.`
export const chanceInDollars = '34¢ is a chance of 34%'
export const chanceInNaira = '₦34 is a chance of 34%'
export const beRight = 'Be right, or change your mind'
export const beRightDetail = (what: string) =>
  `A share of what comes true pays ${what}. Until then you can sell it at any time.`
export const howItWorks = 'How it works'

// OutcomeLinks
export const buyOf = (title: Value) => `: buy, ${title}`

// orders
export const trending = 'Trending'
export const endingSoon = 'Ending soon'
export const biggestMovers = 'Biggest movers'
export const mostTraded = 'Most traded'
export const newest = 'New'
