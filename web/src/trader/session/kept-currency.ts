// The currency that was chosen last. Part of the first code that runs, so it imports no values.
import type { Currency } from '../../shared/numbers/format'

export const CURRENCY_KEY = 'bellwether.currency'

export function keptCurrency(): Currency {
  return localStorage.getItem(CURRENCY_KEY) === 'NGN' ? 'NGN' : 'USD'
}
