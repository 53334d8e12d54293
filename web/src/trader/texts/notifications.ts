// Texts of the bell, price alerts and push messages. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// AlertButton
export const thePriceIsAWhole = 'The price is a whole number from 1 to 99.'
export const priceAlertSet = 'Price alert set'
export const whenReaches = (label: Value, price: string) => `When ${label} reaches ${price}`
export const priceAlert = 'Price alert'
export const tellMeOnce = 'Tell me once, when the shown price reaches this price. It appears under the bell.'
export const outcomeOfTheAlert = 'Outcome of the alert'
export const priceAShare = (what: string) => `Price (${what} a share)`
export const setTheAlert = 'Set the alert'

// Bell
export const notificationsUnread = (badge: Value) => `Notifications, ${badge} unread`
export const notifications = 'Notifications'

// NotificationList
export const theAlertWasNotRemoved = 'The alert was not removed'
export const fillsOfYourOrdersResults = 'Fills of your orders, results and payouts come here.'
export const notificationsNotLoaded = 'Your notifications could not be loaded.'
export const waitingForAPrice = 'Waiting for a price'
export const risesTo = 'rises to'
export const fallsTo = 'falls to'
export const remove = 'Remove'

// PushSwitch
export const pushMessagesWereNotChanged = 'Push messages were not changed'
export const sendFillsPayoutsAndPrice =
  'Send fills, payouts and price alerts to this browser, even while the page is closed'
export const thisBrowserCannotReceiveThem = 'This browser cannot receive them.'
export const notificationsOfThisPage = 'Notifications of this page are blocked in the browser.'

// told
export const sold = 'Sold'
export const bought = 'Bought'
export const filled = (verb: Value, shares: string, label: Value, price: string) =>
  `${verb} ${shares} ${label} at ${price}`
export const inFills = (fill: string, fills: number, shownFills: string, amount: string) =>
  plural(fills, { other: `${fill} in ${shownFills} fills, ${amount} in all` })
export const won = (amount: Value) => `Won ${amount}`
export const resolvedYourSharesPaidNothing = 'Resolved: your shares paid nothing'
export const refunded = (amount: Value) => `Refunded ${amount}`
export const reached = (label: Value, price: string) => `${label} reached ${price}`
