// What an operator of each role may do, in words.
import type { Role } from '../api/types'

export const ROLES = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'operator', label: 'Operator' },
  { value: 'approver', label: 'Approver' },
] as const

export const EXPLAINED: Record<Role, string> = {
  viewer: 'Looks at everything and previews payouts; changes nothing.',
  operator: 'Runs the venue: users, money within the caps, events, pools, series, sports, results.',
  approver: 'The same, and appoints operators, sets the policy, finalises what needs a second person.',
}
