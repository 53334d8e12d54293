// Who is logged in. The proof of it is a cookie that no script can read, and that all tabs of a browser share; a page only knows
// whom it shows. It asks again whenever another tab may have logged in or out.
import { flushSync } from 'svelte'
import { inWords, PAGE_HEADER } from '../api/client'
import { parseExactly } from '../api/exact-json'
import { asFailure, failureOf, unreachable } from '../api/failure'
import { asShown, shown } from '../api/shown'
import * as texts from '../texts/common'
import { toasts } from './toasts.svelte'

const ADDRESS = '/web/session'

interface Kind<Person> {
  /** The person in an answer. */
  personOf: (answer: any) => Person
  nameOf: (person: Person) => string
  /** Tells the other tabs that somebody has logged in or out. */
  channel: string
  /** The client of the page: what it is refused without a session ends the session here. */
  client: { watch(watcher: (status: number) => void): void }
  /** Another person, or nobody, is shown from now on. */
  changed?: () => void
}

async function ask(method: 'GET' | 'POST' | 'DELETE', body?: unknown): Promise<any> {
  // Only a logout is meant for the person whom the page shows.
  const headers = { ...PAGE_HEADER, ...(method === 'DELETE' ? await asShown(method) : {}) }
  const response = await fetch(ADDRESS, {
    method,
    credentials: 'same-origin',
    headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => {
    throw unreachable()
  })
  const text = await response.text()
  const answer = text ? parseExactly(text) : {}
  if (!response.ok) throw failureOf(response.status, answer)
  return answer
}

export class Session<Person extends { id: string }> {
  /** Undefined: not known yet. Null: nobody. */
  person = $state.raw<Person | null | undefined>()
  private readonly kind: Kind<Person>
  private readonly tabs: BroadcastChannel | undefined
  private asking: Promise<boolean> | undefined
  /** Logins and logouts of this tab: what was asked before one of them says nothing about now. */
  private turns = 0
  /** The exchange refused a request because the session is another one's. */
  private refused = false

  constructor(kind: Kind<Person>) {
    this.kind = kind
    shown.askAnew = async () => {
      // An answer to an earlier question may be older than the refusal.
      await this.asking
      this.refused = true
      return this.start()
    }
    const again = () => void this.start()
    kind.client.watch((status) => status === 401 && this.person && again())
    this.tabs = globalThis.BroadcastChannel && new BroadcastChannel(kind.channel)
    this.tabs?.addEventListener('message', again)
    // A tab that was asleep may not have been told.
    globalThis.addEventListener?.('pageshow', (event) => event.persisted && again())
    globalThis.document?.addEventListener('visibilitychange', () => !document.hidden && again())
  }

  /** Asks who is logged in; false if there was no answer. */
  start(): Promise<boolean> {
    this.asking ??= this.read().finally(() => (this.asking = undefined))
    return this.asking
  }

  private async read(): Promise<boolean> {
    const turn = this.turns
    try {
      const person = this.kind.personOf(await ask('GET'))
      if (turn === this.turns) this.become(person)
    } catch (error) {
      const { unreachable, status } = asFailure(error)
      // A cut line, or an exchange in trouble, says nothing about who sits here.
      const isSilent = unreachable || status === 429 || status >= 500
      if (turn === this.turns && !(isSilent && this.person)) this.become(null)
      return !isSilent
    }
    return true
  }

  async login(body: unknown): Promise<void> {
    this.turn(this.kind.personOf(await ask('POST', body)))
  }

  /** Throws if it was not possible, or if another person is logged in meanwhile, who stays so. */
  async logout(): Promise<void> {
    try {
      await ask('DELETE')
    } catch (error) {
      const failure = asFailure(error)
      throw failure.ofAnother ? await inWords(failure) : failure
    }
    this.turn(null)
  }

  private turn(person: Person | null): void {
    this.turns += 1
    this.become(person)
    this.tabs?.postMessage('changed') // No text, and nobody reads it.
  }

  private become(next: Person | null): void {
    const before = this.person
    if (JSON.stringify(before) === JSON.stringify(next)) return
    if (before?.id === next?.id) return this.show(next)
    if (before && next) {
      // Nobody comes in between: the page drops all that it has read of the person who is gone.
      this.show(null)
      flushSync()
      // What says so beside the request may be gone with the rest.
      toasts.show('plain', texts.nowLoggedInAs(this.kind.nameOf(next)), this.refused ? texts.nothingWasDone : '')
    }
    this.refused = false
    this.show(next)
    this.kind.changed?.()
    // What a refusal says to the new person comes after all of that.
    if (before) flushSync()
  }

  private show(person: Person | null): void {
    this.person = person
    shown.become(person ? { id: person.id, name: this.kind.nameOf(person) } : undefined)
  }
}
