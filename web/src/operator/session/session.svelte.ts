// Which operator is logged in, with which role.
import { Session } from '../../shared/state/session.svelte'
import { admin } from '../api/client'
import type { Role } from '../api/types'

export interface Operator {
  id: string
  name: string
  role: Role
}

const RANK: Record<Role, number> = { viewer: 0, operator: 1, approver: 2 }

const operators = new Session<Operator>({
  personOf: ({ operator }) => operator,
  nameOf: ({ name }) => name,
  channel: 'bellwether-operator-session',
  client: admin,
})

export const session = {
  get operator() {
    return operators.person
  },
  /** Whether the operator has at least this role. The exchange decides; this only hides buttons that it would refuse. */
  may: (least: Role) => !!operators.person && RANK[operators.person.role] >= RANK[least],
  start: () => operators.start(),
  login: (token: string) => operators.login({ token }),
  logout: () => operators.logout(),
}
