/** Login and API keys. These are never repeated after an unknown outcome: each may have been executed. */

import { encode } from '../json.js'
import type { Request } from './base.js'

/** A login: its token and its device. */
export interface Session {
  readonly token: string
  readonly deviceId: string
}

/** Begins a session. */
export function login(email: string, password: string): Request {
  const body = encode({ email, password })
  return { method: 'POST', path: '/v1/user/login', query: '', body, access: 'public', repeat: 'never' }
}

/** Creates an API key. */
export function createKey(session: Session, name: string): Request {
  return {
    method: 'POST',
    path: '/v1/user/me/api-keys',
    query: '',
    body: encode({ name }),
    access: 'session',
    repeat: 'never',
    headers: { 'x-auth-token': session.token, 'x-device-id': session.deviceId },
  }
}
