// Every request names whom the page shows, and nothing is done for another person.
import { beforeEach, expect, it, vi } from 'vitest'

const refusal = () => new Response('{"message":"of someone else","code":"SESSION_OF_ANOTHER"}', { status: 409 })
const sent: Request[] = []
let answers: (() => Response)[] = []

beforeEach(() => {
  vi.resetModules()
  sent.length = 0
  answers = []
  vi.stubGlobal('location', { origin: 'http://here' })
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(request)
    return answers.shift()?.() ?? new Response('{"orders":[]}')
  })
})

async function loaded() {
  const [{ answer, api, onePerson }, { shown }, { submit }] = await Promise.all([
    import('./client'),
    import('./shown'),
    import('./intent'),
  ])
  const order = () => submit((headers) => api.DELETE('/v1/pm/orders', { body: {} as never, headers }))
  return { answer, api, onePerson, shown, order }
}
const bola = { id: 'B', name: 'bola' }
const chidi = { id: 'C', name: 'chidi' }
const named = () => sent.map((request) => request.headers.get('X-Bellwether-As'))

it('names the person on the page, and sends no name without one', async () => {
  const { api, shown } = await loaded()
  await api.GET('/v1/pm/orders')
  shown.become(bola)
  await api.GET('/v1/pm/orders')
  shown.become(undefined)
  await api.GET('/v1/pm/orders')
  expect(named()).toEqual([null, 'B', null])
})

it('keeps a write until it is known whom the page shows', async () => {
  const { order, shown } = await loaded()
  const done = order()
  await Promise.resolve()
  expect(sent).toEqual([])
  shown.become(bola)
  await done
  expect(named()).toEqual(['B'])
})

it('sends nothing again that was meant for another person, shows that one, and says so', async () => {
  const { order, shown } = await loaded()
  shown.become(bola)
  shown.askAnew = async () => {
    shown.become(chidi)
    return true
  }
  answers = [refusal]
  await expect(order()).rejects.toMatchObject({ message: 'This browser is now logged in as chidi. Nothing was done.', status: 409 })
  expect(named()).toEqual(['B'])
})

it('reports the end of the session, and keeps the message of the exchange where it cannot ask', async () => {
  const { answer, api, shown } = await loaded()
  shown.become(bola)
  answers = [refusal, refusal]
  await expect(answer(api.GET('/v1/pm/orders'))).rejects.toMatchObject({ message: 'of someone else' })
  shown.askAnew = async () => {
    shown.become(undefined)
    return true
  }
  await expect(answer(api.GET('/v1/pm/orders'))).rejects.toMatchObject({ status: 401 })
})

it('repeats a write for the person whom it was meant for only', async () => {
  vi.useFakeTimers()
  const { order, shown } = await loaded()
  shown.become(bola)
  answers = [() => new Response('{"outcome":"unknown"}', { status: 503 })]
  const done = order()
  const refused = expect(done).rejects.toMatchObject({ outcomeUnknown: true })
  await vi.advanceTimersByTimeAsync(1)
  shown.become(chidi)
  await vi.advanceTimersByTimeAsync(10_000)
  await refused
  expect(named()).toEqual(['B'])
  vi.useRealTimers()
})

it('ends an act of several requests when another person is shown', async () => {
  const { onePerson, shown } = await loaded()
  shown.become(bola)
  const stays = onePerson()
  stays()
  shown.become({ ...bola })
  stays()
  shown.become(chidi)
  expect(stays).toThrow('This browser is now logged in as chidi. The rest was not done.')
})
