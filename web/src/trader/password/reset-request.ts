// A request for a new password, as this browser keeps it: the token stays here until it is used or its day is over.
import { milliseconds } from '../../shared/numbers/time'

export interface ResetRequest {
  email: string
  /** Sets the password once an operator has approved the request. Only its hash was sent. */
  token: string
  /** What the person reads to the venue's support. */
  code: string
  expiresAt: string
}

const KEY = 'bellwether.password-reset'

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The request that waits, unless its time is over. */
export function keptRequest(now: number, place: Place = localStorage): ResetRequest | undefined {
  const kept = place.getItem(KEY)
  if (kept === null) return undefined
  try {
    const request: ResetRequest = JSON.parse(kept)
    const ends = milliseconds(request.expiresAt)
    if (request.token && request.code && ends !== null && ends > now) return request
  } catch {
    // Not ours: it goes with what is over.
  }
  place.removeItem(KEY)
  return undefined
}

export function keepRequest(request: ResetRequest, place: Place = localStorage): void {
  place.setItem(KEY, JSON.stringify(request))
}

export function forgetRequest(place: Place = localStorage): void {
  place.removeItem(KEY)
}
