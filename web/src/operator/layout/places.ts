// Where an operator can go from anywhere.
import type { IconName } from '../../shared/components/Icon.svelte'

export interface Place {
  address: string
  label: string
  icon: IconName
}

export const PLACES: Place[] = [
  { address: '/', label: 'Overview', icon: 'compass' },
  { address: '/proposals', label: 'Proposals', icon: 'check' },
  { address: '/events', label: 'Events', icon: 'question' },
  { address: '/users', label: 'Users', icon: 'person' },
  { address: '/password-resets', label: 'Password resets', icon: 'key' },
  { address: '/series', label: 'Series and feeds', icon: 'bolt' },
  { address: '/sports', label: 'Sports', icon: 'sports' },
  { address: '/operators', label: 'Operators and policy', icon: 'settings' },
  { address: '/audit', label: 'Audit log', icon: 'clock' },
  { address: '/solvency', label: 'Solvency', icon: 'wallet' },
]

export function isAt(place: Place, path: string): boolean {
  return path === place.address || (place.address !== '/' && path.startsWith(`${place.address}/`))
}
