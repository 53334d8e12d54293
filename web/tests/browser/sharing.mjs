// A question on another site: the embedded page shows its prices and nothing personal, no other page can be framed, and a link
// that is copied leads back. Starts an exchange with a public address.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { startExchange } from './exchange.mjs'
import { problems } from './accessibility.mjs'
import { eventually } from './until.mjs'
import { visit, visitAs } from './visitor.mjs'

export const name = 'embedded on another site, and a copied link'
const SLUG = 'rain-in-lagos-on-new-years-day'
const isFirefox = process.env.BROWSER === 'firefox'
const PUBLIC = 'https://venue.example.org'

/** Another site, which shows an address in a frame. */
async function otherSite(atEnd) {
  const server = createServer((request, response) => {
    const address = new URL(request.url, 'http://localhost').searchParams.get('address') ?? 'about:blank'
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>A site</title><iframe width="480" height="240" src="${encodeURI(address)}"></iframe>`)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => new Promise((resolve) => server.close(resolve)))
  return `http://localhost:${server.address().port}`
}

export async function run({ browser, executable, atEnd }) {
  const exchange = await startExchange(executable, ['--no-bots', '--public-url', PUBLIC])
  atEnd(exchange.stop)
  const event = await exchange.event(SLUG)
  const site = await otherSite(atEnd)

  // In a frame, by a person who is logged in: the frame looks at nothing of that.
  const member = await visitAs(browser, exchange, exchange.user('ada'))
  await member.context.addInitScript(() => {
    window.touched = []
    for (const name of ['getItem', 'setItem', 'key']) {
      const usual = Storage.prototype[name]
      Storage.prototype[name] = function (...given) {
        window.touched.push(name)
        return usual.apply(this, given)
      }
    }
    const usual = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')
    Object.defineProperty(Document.prototype, 'cookie', {
      ...usual,
      get() {
        window.touched.push('cookie')
        return usual.get.call(this)
      },
    })
  })
  const sent = []
  member.page.on('request', async (request) => {
    if (new URL(request.url()).pathname.startsWith('/embed')) sent.push((await request.allHeaders()).cookie)
  })
  const asked = []
  member.page.on('request', (request) => {
    if (request.url().startsWith(exchange.url)) asked.push(request.url().slice(exchange.url.length))
  })
  const framed = async (path) => {
    await member.page.goto(`${site}/?address=${encodeURIComponent(exchange.url + path)}`)
    return member.page.frames()[1]
  }
  const frame = await framed(`/embed/${SLUG}`)
  const link = frame.getByRole('link', { name: event.title })
  await link.waitFor()
  assert.equal(await link.getAttribute('href'), `${PUBLIC}/events/${SLUG}`)
  const shown = await frame.locator('main').innerText()
  assert.match(shown, /%/)
  assert.equal(await frame.locator('button, input, form').count(), 0, 'there is no ticket')
  assert.deepEqual(await frame.evaluate(() => window.touched), [], 'neither cookies nor storage were looked at')
  await eventually(async () => assert.ok(sent.length >= 3, 'page, style and script were read'))
  assert.ok(asked.length >= 3, 'a frame that is shown reads its parts')
  assert.deepEqual([...new Set(sent)], [undefined], 'no cookie was sent')
  // Every other page refuses to be framed.
  for (const path of [`/events/${SLUG}`, '/', '/docs']) {
    asked.length = 0
    // Firefox counts the refusal of a frame as a failure of the page around it, at times.
    const refused = await framed(path).catch((error) => {
      if (!isFirefox) throw error
    })
    // The page alone was read, and none of its scripts, styles and pictures.
    await eventually(async () => assert.deepEqual(asked, [path]))
    // Only Chromium tells the address of its error page.
    if (!isFirefox) await eventually(async () => assert.match(refused.url(), /^chrome-error:/))
  }
  await member.context.close()

  // On its own it is clean: no violation of its policy, no problem for a screen reader, in both themes and on a phone.
  const embedded = await visit(browser, exchange, { viewport: { width: 320, height: 240 } })
  await embedded.page.goto(`/embed/${SLUG}`)
  for (const colorScheme of ['light', 'dark']) {
    await embedded.page.emulateMedia({ colorScheme })
    assert.deepEqual(await problems(embedded.page), [])
  }
  assert.ok((await embedded.page.evaluate(() => document.documentElement.scrollWidth)) <= 320)
  await embedded.clean()
  await embedded.context.close()

  // A copied link leads to the question, without the market and the side that were chosen.
  const { page, context, clean } = await visit(browser, exchange, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`/events/${SLUG}?outcome=NO`)
  assert.equal(await page.locator('link[rel=canonical]').getAttribute('href'), `${PUBLIC}/events/${SLUG}`)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(copied, `${exchange.url}/events/${SLUG}`)
  await page.goto(copied)
  await page.getByRole('heading', { level: 1, name: event.title }).waitFor()
  // The feeds are where readers look for them.
  const feeds = page.getByRole('contentinfo').getByRole('link', { name: /RSS|calendar/ })
  for (const [index, type] of ['application/rss+xml', 'text/calendar'].entries()) {
    const address = await feeds.nth(index).getAttribute('href')
    const response = await fetch(exchange.url + address)
    assert.ok(response.ok && response.headers.get('content-type').startsWith(type), address)
    assert.ok((await response.text()).includes(`${PUBLIC}/events/`))
  }
  await clean()
  await context.close()
}
