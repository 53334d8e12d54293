// On a screen that fingers touch, every target is large enough: of the frame, of the pages that people trade on, and of the ticket.
import assert from 'node:assert/strict'
import { visit, visitAs } from './visitor.mjs'

export const name = 'targets for fingers'
const TARGET_PIXELS = 44
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
const EVENT = '/events/rain-in-lagos-on-new-years-day'

/** What is smaller than a finger. A link within a sentence is as high as its line. */
export function smallTargets(page) {
  return page.evaluate((least) => {
    const dialog = document.querySelector('dialog[open]')
    const places = dialog ? [dialog] : [...document.querySelectorAll('header, main, footer, nav, [role=status]')]
    const wanted = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab]'
    const isInSentence = (element) => {
      if (element.tagName !== 'A' || getComputedStyle(element).display !== 'inline') return false
      const words = [...element.parentElement.childNodes].filter((node) => node !== element && node.textContent.trim())
      return words.length > 0 && element.closest('p, li, blockquote') !== null
    }
    const box = (element) => {
      // A picture of a control under an invisible one: the label is the target, or what lies over the whole card.
      const label = element.matches('input[type=checkbox], input[type=radio], input[type=range]') && element.closest('label')
      const over = getComputedStyle(element, '::after')
      const covers = over.position === 'absolute' && over.content !== 'none' && over.inset === '0px'
      return (label || (covers && element.offsetParent) || element).getBoundingClientRect()
    }
    // The range of a chart is for the keyboard: fingers go through it.
    const isSeen = (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('.visually-hidden, .skip') &&
      getComputedStyle(element).pointerEvents !== 'none'
    return [...new Set(places.flatMap((place) => [...place.querySelectorAll(wanted)]))]
      .filter((element) => isSeen(element) && !isInSentence(element))
      .map((element) => [element, box(element)])
      .filter(([, { width, height }]) => width > 0 && (width < least - 0.5 || height < least - 0.5))
      .map(([element, { width, height }]) => `${element.outerHTML.slice(0, 110)} ${width.toFixed(1)}x${height.toFixed(1)}`)
  }, TARGET_PIXELS)
}

export async function run({ browser, quiet: exchange }) {
  const found = []
  const look = async (page, where) => found.push(...(await smallTargets(page)).map((line) => `${where}: ${line}`))
  const phone = await visit(browser, exchange, PHONE)
  for (const [address, ready] of [['/', '[data-event]'], [EVENT, '[data-testid=book] [data-price]'], ['/help', 'main h1']]) {
    await phone.page.goto(address)
    await phone.page.locator(ready).first().waitFor()
    await phone.page.waitForLoadState('networkidle')
    await look(phone.page, address)
  }
  await phone.page.goto(EVENT)
  await phone.page.getByRole('button', { name: 'Menu' }).click()
  await phone.page.getByRole('navigation', { name: 'Pages, in the menu' }).waitFor()
  await look(phone.page, 'the menu')
  await phone.clean()
  await phone.context.close()

  const ada = exchange.user('ada')
  const event = await exchange.event('rain-in-lagos-on-new-years-day')
  const market = event.markets[0]
  const order = { side: 'BUY', outcomeId: market.outcome1Id, currency: 'USD' }
  await exchange.place(ada, event, market, { ...order, type: 'MARKET', amount: 20 })
  for (const price of [0.03, 0.04]) await exchange.place(ada, event, market, { ...order, type: 'LIMIT', price, quantity: 60 })
  const { page, context, clean } = await visitAs(browser, exchange, ada, PHONE)
  await page.goto(EVENT)
  await page.getByTestId('own-orders').waitFor()
  await look(page, 'an event with orders')
  const yes = page.getByRole('button', { name: /^Yes \d/ }).last()
  await yes.click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Amount to spend').fill('5')
  await sheet.getByText('Advanced').click()
  await sheet.locator('[data-field="payout"]').waitFor()
  await look(page, 'the ticket')
  await sheet.getByRole('radio', { name: 'Limit', exact: true }).check()
  await look(page, 'the ticket of a limit')
  await sheet.getByRole('button', { name: 'Close' }).click()
  await sheet.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Amend' }).first().click()
  await sheet.waitFor()
  await look(page, 'a dialog')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
  await page.getByRole('radio', { name: 'Ladder' }).check()
  await page.getByTestId('ladder').waitFor()
  await look(page, 'the ladder')
  await page.locator('[data-order]').first().getByRole('button', { name: 'Cancel' }).click()
  await page.locator('[data-toast]').waitFor()
  await look(page, 'a toast')
  for (const tab of ['positions', 'orders', 'history', 'trades', 'activity']) {
    await page.goto(`/portfolio?tab=${tab}`)
    await page.locator('#lists tbody tr').first().waitFor()
    await look(page, `portfolio, ${tab}`)
  }
  await exchange.write(ada, 'DELETE', '/v1/pm/orders', { eventId: event.id })
  const all = [...new Set(found)]
  assert.equal(all.length, 0, all.join('\n'))
  await clean()
  await context.close()
}
