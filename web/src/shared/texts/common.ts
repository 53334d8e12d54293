// Texts of shared/texts/common.
import type { Value } from './language'

// api/failure
export const theExchangeHasAProblem = 'The exchange has a problem'
export const theRequestWasRefused = (status: Value) => `The request was refused (${status})`
export const theExchangeCannotBeReached = 'The exchange cannot be reached. Are you online?'
export const youAreNotLogged = 'You are not logged in any more. Log in, then try again: nothing was done.'

// components/Confirm
export const keepIt = 'Keep it'

// components/Copy
export const copy = 'Copy'
export const copyingIsNotAllowedHere = 'Copying is not allowed here'
export const selectTheTextAndCopy = 'Select the text and copy it yourself.'
export const copied = 'Copied'

// components/Countdown
export const ended = 'Ended'
export const noEndSet = 'No end set'

// components/Dialog
export const close = 'Close'

// components/FailureNotice
export const couldNotBeLoaded = (what: Value) => `${what} could not be loaded`
export const tryAgain = 'Try again'

// components/Pager
export const pagesOf = (what: Value) => `Pages of ${what}`
export const newer = 'Newer'
export const pageOf = (page: string, lastPage: string) => `Page ${page} of ${lastPage}`
export const older = 'Older'

// components/Picture
export const picture = (title: Value) => `Picture: ${title}`

// components/Plot
export const thisChartCouldNot = 'This chart could not be loaded. Reload the page to see it.'

// components/ResourceFrame
export const loading = 'Loading'

// components/ThemeSwitch
export const switchToColours = (other: Value) => `Switch to ${other} colours`

// components/Toasts
export const notifications = 'Notifications'
export const dismiss = 'Dismiss'

// numbers/time
export const justNow = 'just now'
export const minutesAgo = (count: Value) => `${count}m ago`
export const hoursAgo = (count: Value) => `${count}h ago`
export const daysAgo = (count: Value) => `${count}d ago`
