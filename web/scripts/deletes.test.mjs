// No DELETE of the pages has a body. Some proxies drop it, and "cancel the orders of this market" then cancels those of all
// markets. The API has a POST for each (`/v1/pm/orders/cancel-all`, `/v1/pm/orders/batch/cancel`).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const SOURCE = fileURLToPath(new URL('../src', import.meta.url))

/** What stands between a bracket and the one that closes it. */
function within(source, open) {
  let depth = 0
  for (let at = open; at < source.length; at += 1) {
    if ('({'.includes(source[at])) depth += 1
    if (')}'.includes(source[at]) && --depth === 0) return source.slice(open, at)
  }
  throw new Error('a bracket is not closed')
}

/** The calls of `api.DELETE(…)` and the options of a `fetch` with this method that have a body. */
function bodies(source) {
  const calls = [...source.matchAll(/\.DELETE\(/g)].map(({ index }) => within(source, source.indexOf('(', index)))
  const options = [...source.matchAll(/method:\s*['"`]DELETE/gi)].map(({ index }) => within(source, source.lastIndexOf('{', index)))
  return [...calls, ...options].filter((call) => /\bbody\b/.test(call))
}

it('finds a body in every spelling', () => {
  expect(bodies("api.DELETE('/v1/pm/orders', { body: scope as never, headers })")).toHaveLength(1)
  expect(bodies("api.DELETE('/v1/pm/orders', { params: { path: { id } }, body, headers })")).toHaveLength(1)
  expect(bodies("fetch(address, { method: 'DELETE', headers: { a: 'b' }, body: text })")).toHaveLength(1)
  expect(bodies("api.DELETE('/v1/pm/orders/{orderId}', { params, headers })\napi.POST('/x', { body })")).toEqual([])
})

it('no DELETE of the pages has a body', () => {
  const files = readdirSync(SOURCE, { recursive: true }).filter((path) => /(\.svelte|(?<!\.test|\.d)\.ts)$/.test(path))
  expect(files.length).toBeGreaterThan(400)
  expect(files.filter((path) => bodies(readFileSync(join(SOURCE, path), 'utf8')).length > 0)).toEqual([])
})
