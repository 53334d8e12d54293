// axe-core finds nothing on any page, light or dark, on a desk and at 360 pixels; and nothing scrolls sideways there.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pagesOf } from './pages.mjs'
import { until } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'accessibility of every page, light and dark, and 360 pixels'
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules about colours, the only ones that the theme of a page can break. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** What axe-core finds by all of its rules, or by those that are given, however small. */
export async function problems(page, rules) {
  // It is long, and stays until the page is loaded again.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  return page.evaluate(async (rules) => {
    const chosen = rules ? { runOnly: { type: 'rule', values: rules } } : {}
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'], ...chosen })
    return violations
      .flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
      )
  }, rules)
}

/** Each theme, with the rules that are asked in it. */
const THEMES = [['light'], ['dark', COLOURS]]

/** The problems of a page in both themes, each with where it is. */
export async function inBothThemes(page, name) {
  const found = []
  for (const [colorScheme, rules] of THEMES) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await problems(page, rules)).map((problem) => `${name}, ${colorScheme}: ${problem}`))
  }
  return found
}

/** No violation in either theme, and no sideways scrolling on a phone. Leaves pictures where SCREENSHOTS says. */
export async function fitsEverywhere(page, name) {
  const desk = page.viewportSize()
  for (const [colorScheme, rules] of THEMES) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await problems(page, rules), [])
    for (const [device, size] of Object.entries({ desktop: desk, phone: { width: 360, height: 740 } })) {
      await page.setViewportSize(size)
      // Charts follow a new width a moment later.
      const width = () => page.evaluate(() => document.documentElement.scrollWidth)
      await until(async () => (await width()) <= size.width, { what: `${name} to fit into ${size.width} pixels` })
      const folder = process.env.SCREENSHOTS
      if (folder)
        await page.screenshot({
          path: join(folder, `${name}-${device}-${colorScheme}.png`),
          fullPage: device === 'phone',
        })
    }
    await page.setViewportSize(desk)
  }
}

/** The width of a page on a phone; charts follow a new width a moment later. */
export async function narrowest(page) {
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  return until(async () => (await width()) <= 360 && 360).catch(width)
}

export async function run({ browser, busy: exchange }) {
  const ada = exchange.user('ada')
  const { page, context, clean } = await visitAs(browser, exchange, ada)
  const found = []
  for (const { name, address, ready } of await pagesOf(exchange)) {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(address)
    await page.locator(ready).first().waitFor()
    // What is folded away counts too.
    const folded = page.getByTestId('sets').getByText('Complete sets')
    if ((await folded.count()) > 0) await folded.click()
    found.push(...(await inBothThemes(page, name)))
    await page.setViewportSize({ width: 360, height: 740 })
    const width = await narrowest(page)
    if (width > 360) found.push(`${name} is ${width} pixels wide at 360`)
    found.push(...(await inBothThemes(page, `${name} at 360`)))
  }
  // The dialogs are pages of their own.
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/events/ether-above-5000-at-year-end')
  await page
    .getByRole('button', { name: /^Yes \d/ })
    .last()
    .click()
  await page.getByRole('dialog').getByLabel('Amount to spend').fill('5')
  await page.getByRole('dialog').locator('[data-field="payout"]').waitFor()
  found.push(...(await inBothThemes(page, 'ticket')))
  const all = [...new Set(found)]
  assert.equal(all.length, 0, all.join('\n'))
  await clean()
  await context.close()
}
