// Texts of the head of a question, which shows before the rest of its page. README.md, "Texts", says how to add one.
import { plural } from '../../shared/texts/language'

// EventHead
export const series = 'Series'
export const allMarketsOfThisMatch = 'All markets of this match'
export const volume = 'Volume'
export const traded = (totalVolume: string) => `${totalVolume} traded`
export const orders = (shown: string, count: number) => `${shown} ${plural(count, { one: 'order', other: 'orders' })}`
export const closesIn = 'Closes in'
export const aMoment = 'a moment'
export const orderBook = 'Order book'
export const automatedPool = 'Automated pool'

// EventWaiting
export const loading = 'Loading'

// ShareButtons
export const copyingIsNotAllowedHere = 'Copying is not allowed here'
export const copied = 'Copied'
export const copyLink = 'Copy link'
export const share = 'Share'
