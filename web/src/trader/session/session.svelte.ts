// Which trader is logged in.
import { api } from '../../shared/api/client'
import { Session } from '../../shared/state/session.svelte'
import { own } from '../../shared/stream/stream'
import * as texts from '../texts/session'

export interface User {
  id: string
  email: string
  tag: string
}

const LEAVING_MILLISECONDS = 3000

const nameOf = (user: User) => user.tag || user.email.split('@')[0] || texts.you
let asked = $state(false)
const traders = new Session<User>({
  personOf: ({ user }) => user,
  nameOf,
  channel: 'bellwether-session',
  client: api,
  changed() {
    asked = false
    // A connection knows from its first request only who asks.
    own.restart()
  },
})

export const session = {
  get user() {
    return traders.person
  },
  get active() {
    return !!traders.person
  },
  get known() {
    return traders.person !== undefined
  },
  get name() {
    return traders.person ? nameOf(traders.person) : texts.you
  },
  /** Whether the log-in dialog is to be shown. */
  get asked() {
    return asked
  },
  set asked(next: boolean) {
    asked = next
  },
  start: () => traders.start(),
  login: (email: string, password: string) => traders.login({ email, password }),
  async logout() {
    // The exchange takes the subscription back from its owner alone, so this comes first. Neither a failure nor a push service
    // that does not answer stops the logout.
    const leaving = import('../notifications/push').then(({ leavePush }) => leavePush()).catch(() => undefined)
    await Promise.race([leaving, new Promise((late) => setTimeout(late, LEAVING_MILLISECONDS))])
    await traders.logout()
  },
}
