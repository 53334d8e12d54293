// A page shows the person whose cookie the browser sends, also after another tab has logged in or out.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Shown } from '../api/shown'

interface Person {
  id: string
  name: string
}
const bola = { id: 'B', name: 'bola' }
const chidi = { id: 'C', name: 'chidi' }

/** Whose cookie the browser has; a number is a status without a person. */
let cookie: Person | number
let calls: string[]
let tabs: EventTarget
let page: EventTarget & { hidden: boolean }

beforeEach(() => {
  vi.resetModules()
  calls = []
  cookie = 401
  tabs = new EventTarget()
  page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      constructor(readonly name: string) {
        super()
        tabs.addEventListener('message', () => this.dispatchEvent(new Event('message')))
      }
      postMessage() {
        calls.push(`tell ${this.name}`)
      }
    },
  )
  vi.stubGlobal('fetch', async (_: string, { method, headers }: { method: string; headers: Record<string, string> }) => {
    const by = headers['X-Bellwether-As']
    calls.push(by ? `${method} as ${by}` : method)
    const now = cookie
    if (method === 'DELETE' && typeof now === 'object' && now.id !== by)
      return new Response('{"code":"SESSION_OF_ANOTHER"}', { status: 409 })
    if (method === 'POST') return Response.json({ person: chidi })
    if (typeof now === 'number') return new Response('{}', { status: now })
    return Response.json({ person: now })
  })
})
afterEach(() => vi.unstubAllGlobals())

async function session() {
  const [{ Session }, { shown }, { toasts }] = await Promise.all([
    import('./session.svelte'),
    import('../api/shown'),
    import('./toasts.svelte'),
  ])
  const seen: (string | undefined)[] = []
  const become = shown.become.bind(shown)
  shown.become = (next: Shown | undefined) => {
    seen.push(next?.id)
    become(next)
  }
  let watcher: (status: number) => void = () => undefined
  const one = new Session<Person>({
    personOf: (answer) => answer.person,
    nameOf: ({ name }) => name,
    channel: 'people',
    client: { watch: (next) => void (watcher = next) },
  })
  const settled = () => vi.waitFor(() => expect((one as any).asking).toBeUndefined())
  return { one, shown, seen, toasts, settled, refuse: () => watcher(401) }
}

it('shows another person at once when a tab tells of a login, and nobody in between', async () => {
  const { one, seen, toasts, settled } = await session()
  cookie = bola
  await one.start()
  cookie = chidi
  tabs.dispatchEvent(new Event('message'))
  await settled()
  expect([one.person, seen]).toEqual([chidi, ['B', undefined, 'C']])
  expect(toasts.list.map(({ title, detail }) => [title, detail])).toEqual([['This browser is now logged in as chidi.', '']])
})

it('asks again when the page comes into sight, and after a refusal for want of a session', async () => {
  const { one, seen, settled, refuse } = await session()
  cookie = bola
  await one.start()
  page.hidden = true
  page.dispatchEvent(new Event('visibilitychange'))
  page.hidden = false
  page.dispatchEvent(new Event('visibilitychange'))
  await settled()
  expect(calls).toEqual(['GET', 'GET'])
  // The same person is the same: nothing is read anew.
  expect(seen).toEqual(['B'])
  cookie = 401
  refuse()
  await settled()
  expect(one.person).toBeNull()
  // Who is nobody has nothing to lose.
  refuse()
  expect(calls).toHaveLength(3)
})

it('keeps the person while the exchange has trouble', async () => {
  const { one, shown } = await session()
  cookie = bola
  await one.start()
  for (const status of [429, 500, 502]) {
    cookie = status
    expect([await one.start(), one.person]).toEqual([false, bola])
  }
  cookie = chidi
  expect([await shown.askAnew(), one.person]).toEqual([true, chidi])
})

it('tells the other tabs of a login and a logout of its own', async () => {
  const { one } = await session()
  await one.login({})
  cookie = chidi
  await one.logout()
  expect(calls).toEqual(['POST', 'tell people', 'DELETE as C', 'tell people'])
  expect(one.person).toBeNull()
})

it('does not log another person out', async () => {
  const { one, toasts } = await session()
  cookie = bola
  await one.start()
  cookie = chidi
  await expect(one.logout()).rejects.toThrow('This browser is now logged in as chidi. Nothing was done.')
  expect([one.person, calls.at(-1)]).toEqual([chidi, 'GET'])
  expect(toasts.list[0]?.detail).toBe('Nothing was done.')
})

it('takes no answer that is older than a login', async () => {
  const { one } = await session()
  cookie = 401
  const early = one.start()
  await one.login({})
  await early
  expect(one.person).toEqual(chidi)
})
