// A call has the address, the headers and the body that its options say; its answer is read exactly.
import { beforeEach, expect, it, vi } from 'vitest'
import { addressOf } from './address'
import { createClient } from './typed-client'

type Paths = any

beforeEach(() => vi.stubGlobal('location', { origin: 'http://here' }))

function clientThat(answers: (request: Request) => Response) {
  const sent: Request[] = []
  const client = createClient<Paths>(async (method) => ({ 'X-Page': method }), async (request) => {
    sent.push(request.clone())
    return answers(request)
  }) as any
  return { client, sent }
}

it('writes values into the path and the query, and leaves out what has no value', () => {
  const params = { path: { id: 'a/b c' }, query: { q: 'x & y', page: 0, tag: ['one', 'two'], none: undefined, empty: null } }
  expect(addressOf('/v1/things/{id}', params)).toBe('/v1/things/a%2Fb%20c?q=x%20%26%20y&page=0&tag=one&tag=two')
  expect(addressOf('/v1/things', { query: {} })).toBe('/v1/things')
})

it('sends JSON with the headers of the client and of the call', async () => {
  const { client, sent } = clientThat(() => new Response('{"done":12345678901234.567890}'))
  const { data } = await client.POST('/v1/orders', { body: { price: 1 }, headers: { 'Idempotency-Key': 'k' } })
  expect(data).toEqual({ done: '12345678901234.567890' })
  expect(sent[0]!.url).toBe('http://here/v1/orders')
  expect(sent[0]!.method).toBe('POST')
  expect([...sent[0]!.headers].sort()).toEqual([
    ['content-type', 'application/json'],
    ['idempotency-key', 'k'],
    ['x-page', 'POST'],
  ])
  expect(await sent[0]!.json()).toEqual({ price: 1 })
})

it('sends a body of its own kind, and a read without one', async () => {
  const { client, sent } = clientThat(() => new Response('{}'))
  await client.POST('/v1/pictures', {
    body: 'bytes',
    bodySerializer: (body: string) => body,
    headers: { 'Content-Type': 'image/png' },
  })
  expect(sent[0]!.headers.get('content-type')).toBe('image/png')
  expect(await sent[0]!.text()).toBe('bytes')
  await client.GET('/v1/things')
  expect(sent[1]!.headers.has('content-type')).toBe(false)
})

it('tells refusals and empty answers from data, and its watchers every status', async () => {
  const answers = [
    new Response('{"message":"no"}', { status: 401 }),
    new Response('bad gateway', { status: 502 }),
    new Response(null, { status: 204 }),
  ]
  const { client } = clientThat(() => answers.shift()!)
  const statuses: number[] = []
  client.watch((status: number) => statuses.push(status))
  expect(await client.GET('/a')).toMatchObject({ error: { message: 'no' } })
  expect(await client.GET('/a')).toMatchObject({ error: 'bad gateway' })
  expect((await client.DELETE('/a')).data).toBeUndefined()
  expect(statuses).toEqual([401, 502, 204])
})
