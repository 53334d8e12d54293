// On a screen that fingers touch, every target of the frame is large enough.
import assert from 'node:assert/strict'
import { visit } from './visitor.mjs'

export const name = 'targets for fingers'
const TARGET_PIXELS = 44

export async function run({ browser, quiet: exchange }) {
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
