// What an operator of each role may do, in words.
import type { Role } from '../api/types'
import * as texts from '../texts/operators'

export const ROLES = [
  { value: 'viewer', label: texts.viewer },
  { value: 'operator', label: texts.operator },
  { value: 'approver', label: texts.approver },
] as const

export const EXPLAINED: Record<Role, string> = {
  viewer: texts.looksAtEverythingAndPreviews,
  operator: texts.runsTheVenueUsersMoney,
  approver: texts.theSameAndAppointsOperators,
}
