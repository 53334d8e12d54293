// The page can be installed, and says when it is offline.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { eventually, until } from './until.mjs'
import { visit } from './visitor.mjs'

export const name = 'installed, and offline'

export async function run({ browser, quiet: exchange }) {
  // The cache is named after the files of this build, so that a changed one is fetched again.
  const offline = createHash('sha256')
  for (const path of ['/offline.html', '/offline.css', '/favicon.svg'])
    offline.update(Buffer.from(await (await fetch(exchange.url + path)).arrayBuffer()))
  const cacheName = `bellwether-${offline.digest('hex').slice(0, 12)}`
  const { page, context, clean } = await visit(browser, exchange, { serviceWorkers: 'allow' })
  await page.goto('/')
  await page.locator('[data-event]').first().waitFor()
  const manifest = await page.evaluate(async () => {
    const address = document.querySelector('link[rel=manifest]').href
    const response = await fetch(address)
    return { type: response.headers.get('content-type'), ...(await response.json()) }
  })
  assert.match(manifest.type, /manifest/)
  assert.equal(manifest.display, 'standalone')
  for (const icon of manifest.icons.filter(({ type }) => type === 'image/png')) {
    const size = await page.evaluate(async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      return `${image.naturalWidth}x${image.naturalHeight}`
    }, icon.src)
    assert.equal(size, icon.sizes)
  }

  // Once the worker is there, a page without a line is the offline page, and comes back with the line.
  await page.evaluate(() => navigator.serviceWorker.ready)
  await until(() => page.evaluate(async () => !!(await caches.match('/offline.html'))), { what: 'the offline page' })
  await eventually(async () => assert.deepEqual(await page.evaluate(() => caches.keys()), [cacheName]))
  const kept = await page.evaluate(async () => {
    const found = []
    for (const name of await caches.keys())
      for (const key of await (await caches.open(name)).keys()) found.push(new URL(key.url).pathname)
    return found
  })
  assert.deepEqual(kept.filter((path) => path.startsWith('/v1') || path.startsWith('/web')), [])
  await context.setOffline(true)
  await page.goto('/portfolio')
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor()
  await clean()
  await context.close()
}
