// States of the traders' pages that an address alone does not show, each with the steps that lead to it. For pictures and for
// the walk that looks at them with axe-core. `narrow`: the ticket is a sheet over the page.
import { STILL_BOOK } from './pages.mjs'

const BOOK = '/events/rain-in-lagos-on-new-years-day'
const POOL = '/events/ether-above-5000-at-year-end'

/** A sheet goes back in the history when its page grows wide, which would cut the next page short: first to nowhere. */
export const leave = (page) => page.goto('about:blank')

async function ticketOf(page, narrow) {
  if (narrow) await page.getByRole('button', { name: /^Yes \d/ }).last().click()
  return narrow ? page.getByRole('dialog') : page.getByRole('complementary', { name: 'Trade' })
}

async function openTicket(page, narrow, amount) {
  await page.goto(POOL)
  const place = await ticketOf(page, narrow)
  await place.getByLabel('Amount to spend').fill(amount)
  return place
}

/** The exchange allows few keys, so the answer is made up; no key is. */
async function openKeyDialog(page) {
  const body = {
    ...{ id: 'a', name: 'A program of mine', publicKey: `pk_${'5'.repeat(32)}`, secretKey: `sk_${'7'.repeat(64)}` },
    signingInstructions: {
      payloadFormat: '{timestamp}.{METHOD}.{path}.{bodyHash}',
      algorithm: 'HMAC-SHA256',
      timestampWindowSeconds: 30,
    },
  }
  await page.route('**/v1/user/me/api-keys', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 201, json: body }) : route.fallback(),
  )
  await page.goto('/account')
  await page.getByLabel('Name of a new key').fill('A program of mine')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'I have kept the secret' }).waitFor()
  await page.unroute('**/v1/user/me/api-keys')
}

const list = (tab) => async (page) => {
  await page.goto(`/portfolio?tab=${tab}`)
  await page.locator('#lists tbody tr').first().waitFor()
  await page.locator('#lists').evaluate((lists) => lists.scrollIntoView())
}

export const STATES = {
  ticket: async (page, narrow) => {
    const place = await openTicket(page, narrow, '25')
    await place.locator('[data-field="payout"]').waitFor()
  },
  'ticket-refused': async (page, narrow) => {
    const place = await openTicket(page, narrow, '90,000,000')
    await place.getByText(/^You have \$/).waitFor()
  },
  'ticket-confirm': async (page, narrow) => {
    await page.goto('/events/housing-bill-this-session')
    const place = await ticketOf(page, narrow)
    await place.getByRole('radio', { name: 'Limit' }).check()
    await place.getByText(/^Cash \$\d/).waitFor()
    // All of the cash is more than half of it.
    await place.getByRole('button', { name: 'Max' }).click()
    await place.getByRole('button', { name: 'Buy Yes' }).click()
    await place.getByTestId('confirmation').waitFor()
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
  // The places of a phone, on a page whose bottom has the two prices.
  menu: async (page, narrow) => {
    await page.goto(BOOK)
    await page.getByTestId('book').locator('[data-price]').first().waitFor()
    if (!narrow) return
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('navigation', { name: 'Pages, in the menu' }).waitFor()
  },
  suggestions: async (page) => {
    await page.goto('/')
    await page.keyboard.press('/')
    await page.keyboard.type('bitcoin')
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
  },
  filtered: async (page) => {
    await page.goto('/?category=sports&status=any&order=ending')
    await page.locator('[data-event]').first().waitFor()
  },
  'watchlist-empty': async (page) => {
    await page.goto('/?watchlist=true')
    await page.getByText('You watch nothing yet').waitFor()
  },
  round: async (page) => {
    await page.goto('/series')
    const first = page.locator('article a').first()
    await page.goto(await first.getAttribute('href'))
    await page.goto(await page.locator('[data-event] a').first().getAttribute('href'))
    await page.locator('main h1').waitFor()
    await page.locator('svg').first().waitFor()
  },
  closed: async (page) => {
    await page.goto('/events/a-new-bridge-this-year')
    await page.locator('main h1').waitFor()
    await page.getByText('Rules', { exact: true }).first().waitFor()
  },
  bell: async (page) => {
    await page.goto('/')
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await page.getByRole('region', { name: 'Notifications' }).locator('li').first().waitFor()
  },
  alert: async (page) => {
    await page.goto(BOOK)
    await page.getByRole('button', { name: 'Price alert' }).click()
    const dialog = page.getByRole('dialog', { name: 'Price alert' })
    await dialog.getByLabel(/^Price/).fill('150')
    await dialog.getByRole('button', { name: 'Set the alert' }).click()
    await dialog.getByRole('alert').waitFor()
  },
  amend: async (page) => {
    await page.goto(BOOK)
    await page.getByRole('button', { name: 'Amend' }).first().click()
    await page.getByRole('dialog').locator('input').first().waitFor()
  },
  'amend-confirm': async (page) => {
    await page.goto(`/events/${STILL_BOOK}`)
    await page.getByRole('button', { name: 'Amend' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Price/).fill('98')
    await dialog.getByRole('button', { name: 'Amend order', exact: true }).click()
    await dialog.getByTestId('confirmation').waitFor()
  },
  'cancel-all': async (page) => {
    await page.goto(BOOK)
    await page.getByRole('button', { name: 'Cancel all' }).first().click()
    await page.getByRole('dialog').getByRole('button').first().waitFor()
  },
  sets: async (page) => {
    await page.goto(BOOK)
    await page.getByTestId('sets').getByText('Complete sets').first().click()
    await page.getByRole('button', { name: 'Make sets' }).first().scrollIntoViewIfNeeded()
  },
  'key-made': openKeyDialog,
  'not-there': async (page) => {
    await page.goto('/events/there-is-no-such-question')
    await page.getByText('There is no such question').waitFor()
  },
  nowhere: async (page) => {
    await page.goto('/no-such-page')
    await page.getByText('There is nothing here').waitFor()
  },
  'cannot-be-read': async (page) => {
    await page.route('**/v1/pm/portfolio*', (route) => route.abort())
    await page.goto('/portfolio')
    await page.getByText('Your positions could not be loaded').waitFor()
    await page.unroute('**/v1/pm/portfolio*')
  },
  'portfolio-orders': list('orders'),
  'portfolio-history': list('history'),
  'portfolio-trades': list('trades'),
  'portfolio-activity': list('activity'),
  // The last: the choice of the currency stays.
  naira: async (page) => {
    await page.goto('/events/naira-below-1500-by-year-end')
    await page.getByRole('radio', { name: '₦' }).first().check({ force: true })
    await page.getByText('₦').first().waitFor()
  },
}

/** States whose colours or roles no other walk looks at. */
export const LOOKED_AT = [
  ...['ticket-confirm', 'ladder', 'filtered', 'round', 'closed', 'bell', 'alert', 'amend', 'cancel-all', 'key-made'],
  'amend-confirm',
  'menu',
  'portfolio-activity',
  'portfolio-orders',
]

/** Pages without the frame of the others. */
export const BARE = [
  { name: 'embed', address: `/embed${BOOK.slice('/events'.length)}`, ready: 'main h1' },
  { name: 'offline-page', address: '/offline.html', ready: 'h1' },
]
