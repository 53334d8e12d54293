// Texts of the frame of every page: header, navigation, warnings. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// App
export const skipToThePage = 'Skip to the page'
export const loading = 'Loading'
export const thereIsNothingHere = 'There is nothing here'
export const theAddressMayBeOld = 'The address may be old, or mistyped.'
export const toTheOverview = 'To the overview'
export const pageNotLoaded = 'This page could not be loaded'
export const youMayBeOffline = 'You may be offline, or the exchange was updated.'
export const reload = 'Reload'

// Header
export const bellwether = 'Bellwether'
export const operator = 'Operator'
export const andHome = ', home'
export const signOut = 'Sign out'
export const youWereNotSignedOut = 'You were not signed out'

// Navigation
export const pages = 'Pages'
export const proposalsThatWait = 'Proposals that wait'
export const proposalsWait = 'proposals wait'

// WarningBar
export const anOperatorSaidSo = 'an operator said so'
export const theDiskIsNearlyFull = 'the disk is nearly full'
export const theExchangeCannotBeReached = 'The exchange cannot be reached. What you see is old; trying again…'
export const theExchangeAnswersWithTrouble = (message: Value) => `The exchange answers with trouble: ${message}`
export const theJournalHasFailed = 'The journal has failed: nothing can be written. Mend the disk and start again.'
export const cancelOnlyBecause = (value: Value) => `Cancel only: nothing can be placed, because ${value}.`
export const breakGlassTheMachinesOwner = (rescuers: Value) =>
  `Break-glass: the machine's owner made ${rescuers} an approver in the last 24 hours, past all other approvers.`
export const seeTheOperators = 'See the operators'

// places
export const overview = 'Overview'
export const proposals = 'Proposals'
export const events = 'Events'
export const users = 'Users'
export const passwordResets = 'Password resets'
export const seriesAndFeeds = 'Series and feeds'
export const sports = 'Sports'
export const operatorsAndPolicy = 'Operators and policy'
export const auditLog = 'Audit log'
export const solvency = 'Solvency'
