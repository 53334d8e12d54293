// A visitor with a browser. Records everything that must not happen: page errors, violations of the content security policy,
// requests to anywhere else, dialogs.
import assert from 'node:assert/strict'
import { PATIENCE_MILLISECONDS } from './until.mjs'

export async function visit(browser, exchange, options = {}) {
  const context = await browser.newContext({
    baseURL: exchange.url,
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    // A worker would answer requests that a test wants to see or to cut.
    serviceWorkers: 'block',
    ...options,
  })
  const trouble = []
  await context.addInitScript(() => {
    window.violations = []
    document.addEventListener('securitypolicyviolation', (event) =>
      window.violations.push(`${event.violatedDirective} ${event.blockedURI}`),
    )
  })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MILLISECONDS)
  // Firefox reports a connection that ends with its page as an error of the page.
  const isEnd = ({ message }) => process.env.BROWSER === 'firefox' && /\bws:\/\/\S+ (was interrupted|at)|connection to the server at ws:/.test(message)
  page.on('pageerror', (error) => isEnd(error) || trouble.push(`error: ${error.stack ?? error.message}`))
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) trouble.push(`console: ${message.text()}`)
  })
  const origin = new URL(exchange.url)
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (!['data:', 'blob:'].includes(url.protocol) && url.host !== origin.host)
      trouble.push(`request to ${request.url()}`)
  })
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== origin.host) trouble.push(`socket to ${socket.url()}`)
  })
  return {
    page,
    context,
    /** Nothing went wrong unseen. */
    async clean() {
      const violations = page.isClosed() ? [] : await page.evaluate(() => window.violations)
      // Firefox asks for an icon by itself where a page names none.
      const isOwn = (line) => process.env.BROWSER === 'firefox' && line.includes('/favicon.ico')
      assert.deepEqual([...trouble, ...violations].filter((line) => !isOwn(line)), [])
    },
  }
}

/** Logs in through the page's own dialog. */
export async function logIn(page, user) {
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** The headers of a request past the page: that a page asks, and whom it shows. */
export function headersOf(page) {
  return page.evaluate(async () => {
    const headers = { 'X-Bellwether-Page': '1' }
    const { user, operator } = await (await fetch('/web/session', { headers })).json()
    return { ...headers, 'X-Bellwether-As': (user ?? operator).id }
  })
}

// A person logs in once: more often than every two minutes is not allowed. What a first visit got, later ones bring along.
const sessions = new Map()

export async function visitAs(browser, exchange, user, options = {}) {
  const key = exchange.url + user.email
  const visitor = await visit(browser, exchange, { ...options, storageState: sessions.get(key) })
  await visitor.page.goto('/account')
  if (!sessions.has(key)) {
    await visitor.page.getByLabel('Email').fill(user.email)
    await visitor.page.getByLabel('Password').fill(user.password)
    await visitor.page.locator('main').getByRole('button', { name: 'Log in' }).click()
  }
  await visitor.page.getByRole('button', { name: 'Log out' }).waitFor()
  sessions.set(key, await visitor.context.storageState())
  return visitor
}

/** After a login by hand: later visits may bring it along. */
export async function rememberSession(exchange, user, context) {
  sessions.set(exchange.url + user.email, await context.storageState())
}
