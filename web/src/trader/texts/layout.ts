// Texts of the frame of every page: header, footer, navigation, failures. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// App
export const skipToThePage = 'Skip to the page'
export const thereIsNothingHere = 'There is nothing here'
export const theAddressMayBeOld = 'The address may be old, or mistyped.'
export const seeWhatIsOpen = 'See what is open'
export const pageNotLoaded = 'This page could not be loaded'
export const youMayBeOffline = 'You may be offline, or the exchange was updated.'
export const reload = 'Reload'
export const somethingOnThisPageBroke = 'Something on this page broke'
export const thatIsOurMistake = 'That is our mistake. Your orders and money are not touched by it.'
export const showItAgain = 'Show it again'
export const loading = 'Loading'
export const formNotLoaded = 'The form could not be loaded. Reload the page to log in.'

// ConnectionBar
export const connectionLost = 'Connection lost. Prices may be old; trying again…'
export const youAreOffline = 'You are offline. Prices may be old.'

// CurrencySwitch
export const usDollars = 'US dollars'
export const naira = 'Naira'
export const currency = 'Currency'

// Footer
export const pricesAreWhatTradersPay =
  'Prices are what traders pay, not promises. A share of what comes true pays one unit, the other pays nothing.'
export const more = 'More'
export const help = 'Help'
export const api = 'API'
export const proofOfSolvency = 'Proof of solvency'
export const newQuestionsRss = 'New questions (RSS)'
export const closingDatesCalendar = 'Closing dates (calendar)'

// Header
export const bellwetherHome = 'Bellwether, home'
export const bellwether = 'Bellwether'
export const pages = 'Pages'
export const whatYouCanSpend = 'What you can spend'
export const cash = 'Cash'
export const accountOf = (name: Value) => `Account of ${name}`
export const logIn = 'Log in'

// Page
export const titleOfPage = (title: Value) => `${title} · Bellwether`

// Menu
export const menu = 'Menu'
export const pagesInTheMenu = 'Pages, in the menu'

// PhoneBar
export const account = 'Account'
export const pagesAtTheBottom = 'Pages, at the bottom'

// places
export const markets = 'Markets'
export const upOrDown = 'Up or down'
export const sports = 'Sports'
export const portfolio = 'Portfolio'
