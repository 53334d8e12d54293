// Pictures of every page and state of the traders. Only if the environment names a folder.
import { furnishOnce } from './operator-pages.mjs'
import { pagesOf } from './pages.mjs'
import { setWidth, takeAll, takeBoth, wantsPictures, WIDTHS } from './picture.mjs'
import { BARE, leave, STATES } from './states.mjs'
import { visit, visitAs } from './visitor.mjs'

export const name = 'screenshots'
export const wanted = wantsPictures
const BOOK = '/events/rain-in-lagos-on-new-years-day'

/** What a person sees who is not logged in. */
const STRANGER = {
  landing: { whole: true, address: '/', ready: '[data-event]' },
  'portfolio-stranger': { address: '/portfolio', ready: 'main form' },
  'account-stranger': { address: '/account', ready: 'main form' },
  'log-in': {
    address: BOOK,
    ready: '[data-testid=book] [data-price]',
    async act(page) {
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
      await page.getByRole('dialog').getByLabel('Email').waitFor()
    },
  },
  'log-in-refused': {
    address: '/account',
    ready: 'main form',
    async act(page) {
      await page.getByLabel('Email').fill('nobody@example.org')
      await page.getByLabel('Password').fill('not the password')
      await page.locator('main').getByRole('button', { name: 'Log in' }).click()
      await page.locator('main').getByRole('alert').waitFor()
    },
  },
}

export async function run({ browser, busy: exchange }) {
  await furnishOnce(exchange)
  const { page, context, clean } = await visitAs(browser, exchange, exchange.user('ada'))
  for (const { name, address, ready } of await pagesOf(exchange)) {
    await page.goto(address)
    await page.locator(ready).first().waitFor()
    await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => undefined)
    await takeAll(page, name, { whole: name !== 'browse' })
  }
  for (const [name, reach] of Object.entries(STATES)) {
    for (const width of WIDTHS) {
      await leave(page)
      await setWidth(page, width)
      await reach(page, width < 1000)
      await takeBoth(page, name)
    }
  }
  await clean()
  await context.close()

  // Somebody who has traded nothing.
  const newcomer = await visitAs(browser, exchange, exchange.user('funmi'))
  await newcomer.page.goto('/portfolio')
  await newcomer.page.locator('#lists').waitFor()
  await takeAll(newcomer.page, 'portfolio-other', { whole: true })
  await newcomer.context.close()

  const stranger = await visit(browser, exchange)
  for (const width of WIDTHS) {
    await setWidth(stranger.page, width)
    for (const [name, { address, ready, act, whole }] of Object.entries(STRANGER)) {
      await stranger.page.goto(address)
      await stranger.page.locator(ready).first().waitFor()
      await act?.(stranger.page)
      await takeBoth(stranger.page, name, { whole })
    }
    for (const { name, address, ready } of BARE) {
      await stranger.page.goto(address)
      await stranger.page.locator(ready).first().waitFor()
      await takeBoth(stranger.page, name)
    }
  }
  await stranger.page.goto(BOOK)
  await stranger.page.getByTestId('book').locator('[data-price]').first().waitFor()
  await stranger.context.setOffline(true)
  await stranger.page.getByText('You are offline').waitFor()
  await takeAll(stranger.page, 'offline')
  await stranger.context.close()
}
