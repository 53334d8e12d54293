// Putting an event on the reader's own list, and taking it off.
import { api } from '../../shared/api/client'
import { asFailure } from '../../shared/api/failure'
import { submit } from '../../shared/api/intent'
import type { Event } from '../../shared/api/types'
import { toasts } from '../../shared/state/toasts.svelte'
import { session } from '../session/session.svelte'
import * as texts from '../texts/market'

/** Answers whether the event is watched now. */
export async function toggleWatch(event: Event, watched: boolean): Promise<boolean> {
  if (!session.active) {
    session.asked = true
    return watched
  }
  const params = { path: { eventId: event.id } }
  const address = '/v1/pm/events/{eventId}/watchlist'
  try {
    const answered = watched
      ? await submit((headers) => api.DELETE(address, { params, headers }))
      : await submit((headers) => api.PUT(address, { params, headers }))
    return answered.userWatchlisted
  } catch (error) {
    toasts.bad(texts.theWatchlistWasNotChanged, asFailure(error).message)
    return watched
  }
}
