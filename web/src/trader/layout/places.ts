// Where one can go from anywhere.
import type { IconName } from '../../shared/components/Icon.svelte'
import * as texts from '../texts/layout'

export interface Place {
  address: string
  label: string
  icon: IconName
}

export const PLACES: Place[] = [
  { address: '/', label: texts.markets, icon: 'compass' },
  { address: '/series', label: texts.upOrDown, icon: 'bolt' },
  { address: '/sports', label: texts.sports, icon: 'sports' },
  { address: '/portfolio', label: texts.portfolio, icon: 'wallet' },
]

/** Of a phone, whose header has no room for the account. */
export const PHONE_PLACES: Place[] = [...PLACES, { address: '/account', label: texts.account, icon: 'person' }]

export function isAt(place: Place, path: string): boolean {
  if (place.address === '/') return path === '/' || path.startsWith('/events/')
  return path === place.address || path.startsWith(`${place.address}/`)
}
