// Choices that several lists have.
import * as texts from '../texts/tables'

export const SIDES = [
  { value: '', label: texts.buysAndSells },
  { value: 'BUY', label: texts.buys },
  { value: 'SELL', label: texts.sells },
] as const

export const CURRENCIES = [
  { value: '', label: texts.both },
  { value: 'USD', label: texts.usDollars },
  { value: 'NGN', label: texts.naira },
] as const
