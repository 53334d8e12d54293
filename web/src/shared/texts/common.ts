// Texts of the parts that both pages have. README.md, "Texts", says how to add one.
import type { Value } from './language'

// api/failure
export const theExchangeHasAProblem = 'The exchange has a problem'
export const theRequestWasRefused = (status: Value) => `The request was refused (${status})`
export const theExchangeCannotBeReached = 'The exchange cannot be reached. Are you online?'
export const nowLoggedInAs = (name: string) => `This browser is now logged in as ${name}.`
export const nothingWasDone = 'Nothing was done.'
export const nowLoggedInNothingDone = (name: string) => `This browser is now logged in as ${name}. Nothing was done.`
export const nowLoggedInRestLeft = (name: string) => `This browser is now logged in as ${name}. The rest was not done.`
export const youAreNotLogged = 'You are not logged in any more. Log in, then try again: nothing was done.'

// api/sender
export const theOutcomeIsNotKnown = 'The outcome is not known'
export const notKnownWhetherItHappened =
  'The answer did not arrive, so it is not known whether this was done. Send it again as it is: it is done once at most.'

// components/Confirm
export const keepIt = 'Keep it'

// components/Confirmation
export const changeIt = 'Change it'

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
export const chartNotLoaded = 'This chart could not be loaded. Reload the page to see it.'

// components/ResourceFrame
export const loading = 'Loading'

// components/ThemeSwitch
export const switchToLight = 'Switch to light colours'
export const switchToDark = 'Switch to dark colours'

// components/Toasts
export const notifications = 'Notifications'
export const dismiss = 'Dismiss'

// numbers/time
export const justNow = 'just now'
export const minutesAgo = (count: Value) => `${count}m ago`
export const hoursAgo = (count: Value) => `${count}h ago`
export const daysAgo = (count: Value) => `${count}d ago`
export const daysAndHours = (days: number, hours: number) => `${days}d ${hours}h`
export const hoursAndMinutes = (hours: number, minutes: number) => `${hours}h ${minutes}m`
export const minutesAndSeconds = (minutes: number, seconds: number) => `${minutes}m ${seconds}s`

// numbers/format
export const thousand = 'K'
export const million = 'M'
export const billion = 'B'

// components/StatusBadge: a status of an event, a market, an order, an account, a series or a game
export const statuses: Record<string, string> = {
  active: 'active',
  approved: 'approved',
  cancelled: 'cancelled',
  closed: 'closed',
  draft: 'draft',
  erased: 'erased',
  expired: 'expired',
  failing: 'failing',
  filled: 'filled',
  frozen: 'frozen',
  live: 'live',
  no_password: 'no password',
  open: 'open',
  partial_filled: 'partial filled',
  partly_filled: 'partly filled',
  paused: 'paused',
  quiet: 'quiet',
  rejected: 'rejected',
  resolved: 'resolved',
  revoked: 'revoked',
  stale: 'stale',
  suspended: 'suspended',
  waiting: 'waiting',
}
