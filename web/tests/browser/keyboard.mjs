// No mouse at all: from the top of an event's page to an order in the book.
import assert from 'node:assert/strict'
import { visitAs } from './visitor.mjs'

export const name = 'the keyboard alone places an order'
const STEPS_MAX = 90

async function tabTo(page, what, matches) {
  for (let step = 0; step < STEPS_MAX; step += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      const label = element?.labels?.[0]?.innerText ?? element?.innerText ?? ''
      const box = element?.closest('label') ?? element
      const style = box ? getComputedStyle(box) : undefined
      return {
        label: (element?.getAttribute('aria-label') ?? label).trim(),
        group: element?.closest('[role=radiogroup]')?.getAttribute('aria-label') ?? '',
        outlined: style?.outlineStyle !== 'none' && style?.outlineWidth !== '0px',
      }
    })
    if (!matches(focused)) continue
    assert.ok(focused.outlined, `${what} shows that it has the focus`)
    return
  }
  throw new Error(`${what} cannot be reached by Tab`)
}

export async function run({ browser, quiet: exchange }) {
  const ada = exchange.user('ada')
  const event = await exchange.event('housing-bill-this-session')
  const { page, context, clean } = await visitAs(browser, exchange, ada)
  await page.goto(`/events/${event.slug}`)
  await page.getByRole('complementary', { name: 'Trade' }).waitFor()

  await tabTo(page, 'the order type', ({ group }) => group === 'Order type')
  await page.keyboard.press('ArrowRight')
  await tabTo(page, 'the outcome', ({ group }) => group === 'Outcome')
  await page.keyboard.press('ArrowRight')
  await tabTo(page, 'the price', ({ label }) => label.startsWith('Limit price'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('13')
  await tabTo(page, 'the size', ({ label, group }) => label === 'Shares' && !group)
  await page.keyboard.type('25')
  await page.keyboard.press('Enter')
  await page.locator('[data-toast="good"]', { hasText: 'in the book' }).waitFor()

  const { orders } = await exchange.read(`/v1/pm/orders?status=open&eventId=${event.id}`, ada)
  assert.deepEqual(
    orders.map(({ outcome, price, size, side }) => ({ outcome, price, size, side })),
    [{ outcome: 'NO', price: 0.13, size: 25, side: 'BUY' }],
  )
  await clean()
  await context.close()
}
