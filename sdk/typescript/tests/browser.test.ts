/** The build in a browser, without a bundler: a page of another origin signs an order and follows a market. */

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'

import { chromium } from 'playwright-core'

import { PACKAGE } from './programs.js'
import { BOOK, exchange } from './shared.js'

const BROWSER = process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'

/** Serves the build and an empty page. */
async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://page').pathname
    const file = join(PACKAGE, path)
    if (path === '/') response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>t</title>')
    else if (!/^\/dist\/[a-z/]+\.js$/.test(path) || !existsSync(file)) response.writeHead(404).end()
    else response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Runs in the page. */
async function trade({ settings, slug }: { settings: { baseUrl: string }; slug: string }) {
  // An address of the page, not a path of this package.
  const address = '/dist/index.js'
  const { Client, BellwetherError } = (await import(address)) as typeof import('bellwether-exchange')
  const client = new Client(settings)
  const { market } = await client.event(slug)
  const kinds: string[] = []
  let order: import('bellwether-exchange').Order | undefined
  let isInBook = false
  for await (const update of market.follow()) {
    kinds.push(update.kind)
    if (update.kind === 'snapshot') order = await market.yes.buy({ quantity: '50.5', price: '0.02' })
    if (update.kind !== 'delta') continue
    isInBook = update.sequence === order?.asOf
    break
  }
  const cancelled = await order?.cancel()
  let refusal = ''
  try {
    Client.fromEnv()
  } catch (error) {
    if (error instanceof BellwetherError) refusal = error.message
  }
  return { kinds, isInBook, size: `${cancelled?.size}`, status: cancelled?.status, id: order?.id, refusal }
}

test('a page places one signed order and sees it in its local book', async () => {
  const server = await serve()
  const browser = await chromium.launch({ executablePath: BROWSER })
  try {
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const { publicKey, secretKey } = exchange.person(5)
    const settings = { baseUrl: exchange.baseUrl, publicKey, secretKey }
    const result = await page.evaluate(trade, { settings, slug: BOOK })
    const { id, refusal, ...rest } = result
    assert.deepEqual(rest, { kinds: ['snapshot', 'delta'], isInBook: true, size: '50.5', status: 'cancelled' })
    assert.match(refusal, /Node/)
    const order = await exchange.client(5).order(id ?? '')
    assert.equal(order.status, 'cancelled')
    assert.deepEqual(errors, [])
  } finally {
    await browser.close()
    server.close()
    server.closeAllConnections()
  }
})
