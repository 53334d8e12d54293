// Pictures of every page and state of the traders. Only if the environment names a folder.
import { pagesOf } from './pages.mjs'
import { setWidth, takeAll, takeBoth, wantsPictures, WIDTHS } from './picture.mjs'
import { visit, visitAs } from './visitor.mjs'

export const name = 'screenshots'
export const wanted = wantsPictures
const BOOK = '/events/rain-in-lagos-on-new-years-day'
const POOL = '/events/ether-above-5000-at-year-end'

/** States of the pages, each with the steps that lead to it at one width. */
const STATES = {
  ticket: async (page, narrow) => {
    await page.goto(POOL)
    if (narrow) await page.getByRole('button', { name: /^Yes \d/ }).last().click()
    const place = narrow ? page.getByRole('dialog') : page.getByRole('complementary', { name: 'Trade' })
    await place.getByLabel('Amount to spend').fill('25')
    await place.locator('[data-field="payout"]').waitFor()
  },
  'ticket-refused': async (page, narrow) => {
    await page.goto(POOL)
    if (narrow) await page.getByRole('button', { name: /^Yes \d/ }).last().click()
    const place = narrow ? page.getByRole('dialog') : page.getByRole('complementary', { name: 'Trade' })
    await place.getByLabel('Amount to spend').fill('90,000,000')
    await place.getByText(/^You have \$/).waitFor()
  },
  ladder: async (page) => {
    await page.goto(BOOK)
    await page.getByRole('radio', { name: 'Ladder' }).check()
    await page.getByRole('button', { name: 'Arm one-click orders' }).click()
    await page.getByTestId('ladder').scrollIntoViewIfNeeded()
  },
  candles: async (page) => {
    await page.goto(BOOK)
    await page.getByRole('radio', { name: 'Candles' }).check()
    await page.locator('.chart svg').first().waitFor()
  },
  suggestions: async (page) => {
    await page.goto('/')
    await page.keyboard.press('/')
    await page.keyboard.type('bitcoin')
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
  },
  'not-there': async (page) => {
    await page.goto('/events/there-is-no-such-question')
    await page.getByText('There is no such question').waitFor()
  },
  'cannot-be-read': async (page) => {
    await page.route('**/v1/pm/portfolio*', (route) => route.abort())
    await page.goto('/portfolio')
    await page.getByText('Your positions could not be loaded').waitFor()
    await page.unroute('**/v1/pm/portfolio*')
  },
  ...Object.fromEntries(
    ['orders', 'history', 'trades', 'activity'].map((tab) => [
      `portfolio-${tab}`,
      async (page) => {
        await page.goto(`/portfolio?tab=${tab}`)
        await page.locator('#lists tbody tr').first().waitFor()
      },
    ]),
  ),
}

export async function run({ browser, busy: exchange }) {
  const { page, context, clean } = await visitAs(browser, exchange, exchange.user('ada'))
  for (const { name, address, ready } of await pagesOf(exchange)) {
    await page.goto(address)
    await page.locator(ready).first().waitFor()
    await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => undefined)
    await takeAll(page, name, { whole: name !== 'browse' })
  }
  for (const [name, reach] of Object.entries(STATES)) {
    for (const width of WIDTHS) {
      await setWidth(page, width)
      await reach(page, width < 1000)
      await takeBoth(page, name)
    }
  }
  await clean()
  await context.close()

  const stranger = await visit(browser, exchange)
  for (const width of WIDTHS) {
    await setWidth(stranger.page, width)
    await stranger.page.goto('/')
    await stranger.page.locator('[data-event]').first().waitFor()
    await takeBoth(stranger.page, 'landing', { whole: true })
    await stranger.page.goto('/portfolio')
    await stranger.page.locator('main form').waitFor()
    await takeBoth(stranger.page, 'portfolio-stranger')
    await stranger.page.goto(BOOK)
    await stranger.page.getByTestId('book').locator('[data-price]').first().waitFor()
    await stranger.page.getByRole('button', { name: 'Log in', exact: true }).click()
    await stranger.page.getByRole('dialog').getByLabel('Email').waitFor()
    await takeBoth(stranger.page, 'log-in')
  }
  await stranger.context.setOffline(true)
  await stranger.page.getByText('You are offline').waitFor()
  await stranger.page.keyboard.press('Escape')
  await takeAll(stranger.page, 'offline')
  await stranger.context.close()
}
