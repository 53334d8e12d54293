// A read that was sent ahead answers one request for its address, and no other.
import { beforeEach, expect, it, vi } from 'vitest'
import { askAhead, takeAhead } from './ahead'

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'http://here' })
  vi.stubGlobal('fetch', vi.fn(async () => new Response('early')))
})

it('gives its answer to the first request for the address', async () => {
  askAhead('/v1/things?page=1')
  expect(fetch).toHaveBeenCalledWith('/v1/things?page=1', {
    credentials: 'same-origin',
    headers: { 'X-Bellwether-Page': '1' },
  })
  const wanted = new Request('http://here/v1/things?page=1')
  expect(takeAhead(new Request('http://here/v1/things?page=2'))).toBeUndefined()
  expect(takeAhead(new Request(wanted, { method: 'DELETE' }))).toBeUndefined()
  expect(await (await takeAhead(wanted)!).text()).toBe('early')
  expect(takeAhead(wanted)).toBeUndefined()
})
