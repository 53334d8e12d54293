// axe-core finds nothing in states that an address alone does not show, nor on the pages without a frame: light, dark, and
// at 360 pixels, where nothing scrolls sideways.
import assert from 'node:assert/strict'
import { inBothThemes, narrowest } from './accessibility.mjs'
import { furnishOnce } from './operator-pages.mjs'
import { setWidth } from './picture.mjs'
import { BARE, leave, LOOKED_AT, STATES } from './states.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'accessibility of states and bare pages, light and dark, and 360 pixels'

async function look(page, name) {
  const { width } = page.viewportSize()
  const found = await inBothThemes(page, `${name} at ${width}`)
  if (width === 360 && (await narrowest(page)) > 360) found.push(`${name} scrolls sideways at 360`)
  return found
}

export async function run({ browser, busy: exchange }) {
  await furnishOnce(exchange)
  const found = []
  const { page, context, clean } = await visitAs(browser, exchange, exchange.user('ada'))
  for (const width of [1280, 360]) {
    await leave(page)
    await setWidth(page, width)
    for (const name of LOOKED_AT) {
      await leave(page)
      await STATES[name](page, width < 1000)
      found.push(...(await look(page, name)))
    }
    for (const { name, address, ready } of BARE) {
      await page.goto(address)
      await page.locator(ready).first().waitFor()
      found.push(...(await look(page, name)))
    }
  }
  const all = [...new Set(found)]
  assert.equal(all.length, 0, all.join('\n'))
  await clean()
  await context.close()
}
