// Choices that several lists have.

export const SIDES = [
  { value: '', label: 'Buys and sells' },
  { value: 'BUY', label: 'Buys' },
  { value: 'SELL', label: 'Sells' },
] as const

export const CURRENCIES = [
  { value: '', label: 'Both' },
  { value: 'USD', label: 'US dollars' },
  { value: 'NGN', label: 'Naira' },
] as const
