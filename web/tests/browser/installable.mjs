// The page can be installed, says when it is offline, and has targets for fingers.
import assert from 'node:assert/strict'
import { until } from './until.mjs'
import { visit } from './visitor.mjs'

export const name = 'installed, offline, and by finger'
const TARGET_PIXELS = 44

export async function run({ browser, quiet: exchange }) {
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
  await context.close()

  const phone = await visit(browser, exchange, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  for (const address of ['/', '/events/rain-in-lagos-on-new-years-day', '/help']) {
    await phone.page.goto(address)
    await phone.page.locator('main h1').first().waitFor()
    const places = 'header button, header label, nav[aria-label="Pages, at the bottom"] a, [aria-label="Price chart"] button'
    const small = await phone.page.evaluate(
      ([selector, least]) =>
        [...document.querySelectorAll(selector)]
          .map((element) => [element, element.getBoundingClientRect()])
          .filter(([, box]) => box.width > 0 && (box.width < least - 0.5 || box.height < least - 0.5))
          .map(([element, box]) => `${element.outerHTML.slice(0, 90)} ${box.width}x${box.height}`),
      [places, TARGET_PIXELS],
    )
    assert.deepEqual(small, [], address)
  }
  await phone.clean()
  await phone.context.close()
}
