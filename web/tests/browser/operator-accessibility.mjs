// axe-core finds nothing serious on any page or dialog of the console, light or dark; and nothing scrolls sideways at 360 pixels.
import assert from 'node:assert/strict'
import { inBothThemes, problems } from './accessibility.mjs'
import { CONSOLE_PAGES, furnishOnce } from './operator-pages.mjs'
import { DIALOGS, openDialog, STATES } from './operator-states.mjs'
import { goInside, visitConsole } from './operator-visitor.mjs'
import { eventually } from './until.mjs'
import { visit } from './visitor.mjs'

export const name = 'operator: accessibility of every page, light and dark, and 360 pixels'

export async function run({ browser, busy: exchange }) {
    await furnishOnce(exchange)
    const found = []
    const door = await visit(browser, { url: exchange.demo.adminUrl })
    await door.page.goto('/')
    await door.page.getByLabel('Operator token').waitFor()
    found.push(...(await problems(door.page)).map((problem) => `door: ${problem}`))
    await door.page.getByRole('link', { name: 'Make your token' }).click()
    await door.page.getByRole('button', { name: 'Make a token' }).click()
    await door.page.getByTestId('token-hash').waitFor()
    found.push(...(await inBothThemes(door.page, 'token')))
    await door.page.setViewportSize({ width: 360, height: 740 })
    assert.ok((await door.page.evaluate(() => document.documentElement.scrollWidth)) <= 360)
    await door.clean()
    await door.context.close()

    const { page, context, clean } = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    for (const { name, address, ready } of CONSOLE_PAGES) {
        await page.setViewportSize({ width: 1280, height: 900 })
        await goInside(page, address)
        await page.locator(ready).first().waitFor()
        found.push(...(await inBothThemes(page, name)))
        await page.setViewportSize({ width: 360, height: 740 })
        await eventually(async () => {
            const width = await page.evaluate(() => document.documentElement.scrollWidth)
            assert.ok(width <= 360, `${name} is ${width} pixels wide at 360`)
        })
    }
    for (const [name, reach] of Object.entries(STATES)) {
        const end = await reach(page)
        found.push(...(await inBothThemes(page, name)))
        await end?.()
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    for (const dialog of DIALOGS) {
        await openDialog(page, dialog)
        found.push(...(await inBothThemes(page, dialog[0])))
    }
    const all = [...new Set(found)]
    assert.equal(all.length, 0, all.join('\n'))
    await clean()
    await context.close()
}
