// Texts of the parts of all pages: dialogs, lists, payouts. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// CurrencyChecks
export const currencies = 'Currencies'

// CurrencyChoice
export const usDollars = 'US dollars'
export const naira = 'Naira'
export const currency = 'Currency'

// EvidenceFields
export const evidence = 'Evidence'
export const whatDecidedItPublished = 'What decided it. Published with the event.'
export const linkToTheEvidence = 'Link to the evidence'
export const optionalBeginsWithHttps = 'Optional: begins with https:// or http://'
export const linkExample = 'https://'

// FormDialog
export const itBecomesAProposal = 'It becomes a proposal, which another person finalises.'
export const mustBeFilledIn = '* must be filled in'
export const neverMind = 'Never mind'

// PageHead
export const bellwetherOperator = (title: Value) => `${title} · Bellwether operator`

// PageTurner
export const pagesOf = (what: Value) => `Pages of ${what}`
export const andPageOf = (page: string, lastPage: string) => `, page ${page} of ${lastPage}`
export const previous = 'Previous'
export const next = 'Next'

// Payouts
export const thePreview = 'The preview'
export const nobodyHoldsAnythingHereNothing = 'There are no shares here: nothing is paid.'
export const payouts = 'Payouts'
export const market = 'Market'
export const yesPays = 'YES pays'
export const sets = 'Sets'
export const toUsers = 'To users'
export const toTheHouse = 'To the house'
export const winners = 'Winners'
export const allPayoutsIn = (currency: Value) => `All payouts in ${currency}`
export const restingOrdersAreCancelled = (shown: string, count: number) =>
  `${shown} resting ${plural(count, { one: 'order is', other: 'orders are' })} cancelled and refunded first.`

// StateFilter
export const state = 'State'

// proposed
export const nothingHasHappenedYet =
  'Nothing has happened yet: an approver finalises it, another person where two are required.'
export const proposed = (what: Value) => `Proposed: ${what}`
export const openTheProposal = 'Open the proposal'
