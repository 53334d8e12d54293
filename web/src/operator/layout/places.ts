// Where an operator can go from anywhere.
import type { IconName } from '../../shared/components/Icon.svelte'
import * as texts from '../texts/layout'

export interface Place {
  address: string
  label: string
  icon: IconName
}

export const PLACES: Place[] = [
  { address: '/', label: texts.overview, icon: 'compass' },
  { address: '/proposals', label: texts.proposals, icon: 'check' },
  { address: '/events', label: texts.events, icon: 'question' },
  { address: '/users', label: texts.users, icon: 'person' },
  { address: '/password-resets', label: texts.passwordResets, icon: 'key' },
  { address: '/series', label: texts.seriesAndFeeds, icon: 'bolt' },
  { address: '/sports', label: texts.sports, icon: 'sports' },
  { address: '/operators', label: texts.operatorsAndPolicy, icon: 'settings' },
  { address: '/audit', label: texts.auditLog, icon: 'clock' },
  { address: '/solvency', label: texts.solvency, icon: 'wallet' },
]

export function isAt(place: Place, path: string): boolean {
  return path === place.address || (place.address !== '/' && path.startsWith(`${place.address}/`))
}
