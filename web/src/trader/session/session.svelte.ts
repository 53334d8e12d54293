// Who is logged in. The proof of it is a cookie that no script can read; the page only knows the name that goes with it.
import { api, PAGE_HEADER } from '../../shared/api/client'
import { parseExactly } from '../../shared/api/exact-json'
import { asFailure, failureOf, unreachable } from '../../shared/api/failure'
import { own } from '../../shared/stream/stream'
import * as texts from '../texts/session'

export interface User {
  id?: string
  userId?: string
  email?: string
  tag?: string
}

const ADDRESS = '/web/session'
const LEAVING_MILLISECONDS = 3000

async function ask(method: 'GET' | 'POST' | 'DELETE', body?: unknown): Promise<any> {
  const response = await fetch(ADDRESS, {
    method,
    credentials: 'same-origin',
    headers: { ...PAGE_HEADER, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => {
    throw unreachable()
  })
  const text = await response.text()
  const answer = text ? parseExactly(text) : {}
  if (!response.ok) throw failureOf(response.status, answer)
  return answer
}

// Undefined: not loaded yet. Null: not logged in.
let user = $state.raw<User | null | undefined>()
let asked = $state(false)

function become(next: User | null): void {
  const changed = next?.email !== user?.email
  user = next
  if (changed) own.restart()
}

export const session = {
  get user() {
    return user
  },
  get active() {
    return !!user
  },
  get known() {
    return user !== undefined
  },
  get name() {
    return user?.tag || user?.email?.split('@')[0] || texts.you
  },
  /** Whether the log-in dialog is to be shown. */
  get asked() {
    return asked
  },
  set asked(next: boolean) {
    asked = next
  },
  async start() {
    try {
      become((await ask('GET')).user)
    } catch (error) {
      // A cut line says nothing about who sits here.
      if (!user || !asFailure(error).unreachable) become(null)
    }
  },
  async login(email: string, password: string) {
    become((await ask('POST', { email, password })).user)
  },
  async logout() {
    // The exchange takes the subscription back from its owner alone, so this comes first. Neither a failure nor a push service
    // that does not answer stops the logout.
    const leaving = import('../notifications/push').then(({ leavePush }) => leavePush()).catch(() => undefined)
    await Promise.race([leaving, new Promise((late) => setTimeout(late, LEAVING_MILLISECONDS))])
    await ask('DELETE').catch(() => undefined)
    become(null)
  },
}

// A session can end elsewhere: then the page must not go on as if it were there.
api.watch((status) => {
  if (status === 401 && user) void session.start()
})
