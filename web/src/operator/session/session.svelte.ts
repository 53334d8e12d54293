// Which operator is logged in. The session is a cookie that no script can read; the page keeps the name and the role.
import { PAGE_HEADER } from '../../shared/api/client'
import { asFailure, failureOf, unreachable } from '../../shared/api/failure'
import { admin } from '../api/client'
import type { Role } from '../api/types'

export interface Operator {
  id: string
  name: string
  role: Role
}

const ADDRESS = '/web/session'
const RANK: Record<Role, number> = { viewer: 0, operator: 1, approver: 2 }

async function ask(method: 'GET' | 'POST' | 'DELETE', body?: unknown): Promise<any> {
  const response = await fetch(ADDRESS, {
    method,
    credentials: 'same-origin',
    headers: { ...PAGE_HEADER, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => {
    throw unreachable()
  })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw failureOf(response.status, answer)
  return answer
}

// Undefined: not loaded yet. Null: not signed in.
let operator = $state.raw<Operator | null | undefined>()

export const session = {
  get operator() {
    return operator
  },
  /** Whether the operator has at least this role. The exchange decides; this only hides buttons that it would refuse. */
  may(least: Role): boolean {
    return !!operator && RANK[operator.role] >= RANK[least]
  },
  async start() {
    try {
      operator = (await ask('GET')).operator
    } catch (error) {
      // A cut line says nothing about who sits here.
      if (!operator || !asFailure(error).unreachable) operator = null
    }
  },
  async login(token: string) {
    operator = (await ask('POST', { token })).operator
  },
  async logout() {
    await ask('DELETE').catch(() => undefined)
    operator = null
  },
}

// A session can end while its owner looks at a page.
admin.watch((status) => {
  if (status === 401 && operator) void session.start()
})
