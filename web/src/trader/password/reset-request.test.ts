import { expect, test } from 'vitest'
import { forgetRequest, keepRequest, keptRequest } from './reset-request'

function storage() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
}
const request = { email: 'ada@example.org', token: 'ab'.repeat(32), code: 'K7RW3M', expiresAt: '2035-01-02T00:00:00Z' }
const before = Date.parse('2035-01-01T12:00:00Z')

test('a request is kept until it is used', () => {
  const place = storage()
  keepRequest(request, place)
  expect(keptRequest(before, place)).toEqual(request)
  forgetRequest(place)
  expect(keptRequest(before, place)).toBeUndefined()
})

test('a request that is over leaves nothing behind', () => {
  const place = storage()
  keepRequest(request, place)
  expect(keptRequest(Date.parse(request.expiresAt), place)).toBeUndefined()
  expect(place.kept.size).toBe(0)
})

test('what cannot be read is thrown away', () => {
  const place = storage()
  for (const text of ['{', '{}', 'null']) {
    place.kept.set('bellwether.password-reset', text)
    expect(keptRequest(before, place)).toBeUndefined()
    expect(place.kept.size).toBe(0)
  }
})
