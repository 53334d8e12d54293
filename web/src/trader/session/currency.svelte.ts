// The currency that the pages speak of. The two never mix, so everything on a page is in this one.
import type { Currency } from '../../shared/numbers/format'

const KEY = 'bellwether.currency'
let chosen = $state<Currency>(localStorage.getItem(KEY) === 'NGN' ? 'NGN' : 'USD')

export const currency = {
  get current() {
    return chosen
  },
  set current(next: Currency) {
    chosen = next
    localStorage.setItem(KEY, next)
  },
}
