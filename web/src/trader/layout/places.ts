// Where one can go from anywhere.
import type { IconName } from '../../shared/components/Icon.svelte'

export interface Place {
  address: string
  label: string
  icon: IconName
}

export const PLACES: Place[] = [
  { address: '/', label: 'Markets', icon: 'compass' },
  { address: '/series', label: 'Up or down', icon: 'bolt' },
  { address: '/sports', label: 'Sports', icon: 'sports' },
  { address: '/portfolio', label: 'Portfolio', icon: 'wallet' },
]

export function isAt(place: Place, path: string): boolean {
  if (place.address === '/') return path === '/' || path.startsWith('/events/')
  return path === place.address || path.startsWith(`${place.address}/`)
}
