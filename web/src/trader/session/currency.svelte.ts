// The currency that the pages speak of. The two never mix, so everything on a page is in this one.
import type { Currency } from '../../shared/numbers/format'
import { CURRENCY_KEY, keptCurrency } from './kept-currency'

let chosen = $state<Currency>(keptCurrency())

export const currency = {
  get current() {
    return chosen
  },
  set current(next: Currency) {
    chosen = next
    localStorage.setItem(CURRENCY_KEY, next)
  },
}
