// A narrow page has one bar at its bottom: the places, or on a question its two prices. Then the places are in the header's menu,
// and nothing of the page stays under the bar.
import assert from 'node:assert/strict'
import { eventually } from './until.mjs'
import { visit } from './visitor.mjs'

export const name = 'one bar at the bottom'
const EVENT = '/events/rain-in-lagos-on-new-years-day'

/** What is fixed to the bottom edge and seen. */
const barsOf = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => getComputedStyle(element).position === 'fixed' && element.checkVisibility())
      .map((element) => [element, element.getBoundingClientRect()])
      .filter(([, { height, bottom }]) => height > 0 && height < 200 && bottom > innerHeight - 100)
      .map(([element, { bottom }]) => ({ name: element.getAttribute('aria-label') ?? element.className, isAtEdge: Math.abs(bottom - innerHeight) < 1 })),
  )

export async function run({ browser, quiet: exchange }) {
  const { page, context, clean } = await visit(browser, exchange, { viewport: { width: 360, height: 740 } })
  for (const width of [360, 800, 960]) {
    await page.setViewportSize({ width, height: 740 })
    await page.goto(EVENT)
    await page.locator('.phone').waitFor()
    await eventually(async () => {
      const bars = await barsOf(page)
      assert.equal(bars.length, 1, JSON.stringify(bars))
      assert.ok(bars[0].name.includes('phone') && bars[0].isAtEdge, JSON.stringify(bars))
    })
    // The last line of the page is above the bar.
    await eventually(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      const [last, bar] = await Promise.all([
        page.getByRole('navigation', { name: 'More' }).boundingBox(),
        page.locator('.phone').boundingBox(),
      ])
      assert.ok(last.y + last.height <= bar.y, `the footer ends at ${last.y + last.height}, the bar begins at ${bar.y}`)
    })
  }
  // Its prices light up when they change.
  const [bola, event] = [exchange.user('bola'), await exchange.event(EVENT.split('/').at(-1))]
  const offer = { side: 'BUY', type: 'LIMIT', quantity: 40, currency: 'USD' }
  const [{ asks }] = await exchange.read(`/v1/pm/books?outcomeId=${event.markets[0].outcome1Id}`)
  const price = Math.round((1 - asks[0].price + 0.01) * 100) / 100
  const made = await exchange.place(bola, event, event.markets[0], { ...offer, price, outcomeId: event.markets[0].outcome2Id })
  await page.locator('.phone [data-moved="down"]').first().waitFor()
  if (made.order.status === 'open') await exchange.write(bola, 'DELETE', `/v1/pm/orders/${made.order.id}`)

  // Every place is one tap away, and two at most.
  await page.setViewportSize({ width: 360, height: 740 })
  const menu = page.getByRole('button', { name: 'Menu' })
  const places = page.getByRole('navigation', { name: 'Pages, in the menu' })
  await menu.click()
  await places.waitFor()
  assert.deepEqual(await places.getByRole('link').allInnerTexts(), ['Markets', 'Up or down', 'Sports', 'Portfolio', 'Account'])
  await page.keyboard.press('Escape')
  await places.waitFor({ state: 'hidden' })
  await menu.click()
  await places.getByRole('link', { name: 'Portfolio' }).click()
  await page.waitForURL('**/portfolio')
  // Elsewhere the places are at the bottom, and the header has no second way to them.
  await page.getByRole('navigation', { name: 'Pages, at the bottom' }).waitFor()
  await eventually(async () => assert.equal((await barsOf(page)).length, 1))
  assert.equal(await menu.count(), 0)
  await clean()
  await context.close()
}
