// The reader's notifications. Read again after money has moved, when the page comes back into sight, and once a minute.
import { answer, api } from '../../shared/api/client'
import type { Notifications } from '../../shared/api/types'
import { Resource } from '../../shared/state/resource.svelte'
import { throttle } from '../../shared/state/throttle'
import { session } from '../session/session.svelte'

const SHOWN = 30
const EVERY_MILLISECONDS = 60_000

class Bell extends Resource<Notifications> {
  readonly refresh = throttle(() => {
    if (session.active) void this.load(() => read())
  }, 1_000)

  get unread(): number {
    return this.value?.unread ?? 0
  }

  /** Marks everything that is shown as read. */
  async markRead(): Promise<void> {
    const sequence = this.value?.notifications[0]?.sequence
    if (sequence === undefined || this.unread === 0) return
    await answer(api.POST('/v1/pm/notifications/read', { body: { sequence } }))
    void this.load(() => read())
  }

  /** Keeps it fresh until the returned function is called. */
  follow(): () => void {
    this.refresh()
    const timer = setInterval(this.refresh, EVERY_MILLISECONDS)
    const seen = () => document.visibilityState === 'visible' && this.refresh()
    document.addEventListener('visibilitychange', seen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', seen)
      this.clear()
    }
  }
}

function read(): Promise<Notifications> {
  return answer(api.GET('/v1/pm/notifications', { params: { query: { size: SHOWN } } }))
}

export const bell = new Bell()
