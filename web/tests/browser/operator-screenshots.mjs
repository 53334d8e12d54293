// Pictures of every page and dialog of the console. Only if the environment names a folder.
import { CONSOLE_PAGES, furnishOnce } from './operator-pages.mjs'
import { DIALOGS, openDialog, STATES } from './operator-states.mjs'
import { goInside, visitConsole } from './operator-visitor.mjs'
import { setWidth, takeBoth, wantsPictures, WIDTHS } from './picture.mjs'
import { visit } from './visitor.mjs'

export const name = 'operator: screenshots'
export const wanted = wantsPictures

export async function run({ browser, busy: exchange }) {
    await furnishOnce(exchange)
    const door = await visit(browser, { url: exchange.demo.adminUrl })
    for (const width of WIDTHS) {
        await setWidth(door.page, width)
        await door.page.goto('/')
        await door.page.getByLabel('Operator token').waitFor()
        await takeBoth(door.page, 'operator-door')
        await door.page.goto('/token')
        await door.page.getByRole('button', { name: 'Make a token' }).click()
        await takeBoth(door.page, 'operator-token-made')
    }
    await door.context.close()

    const { page, context, clean } = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    for (const width of WIDTHS) {
        await setWidth(page, width)
        for (const { name, address, ready } of CONSOLE_PAGES) {
            await goInside(page, address)
            await page.locator(ready).first().waitFor()
            // A line in a chart takes a few readings.
            if (name === 'overview') await page.locator('canvas').first().waitFor()
            await takeBoth(page, `operator-${name}`, { whole: true })
        }
        for (const [name, reach] of Object.entries(STATES)) {
            const end = await reach(page)
            await takeBoth(page, `operator-${name}`, { whole: true })
            await end?.()
        }
        for (const dialog of DIALOGS) {
            await openDialog(page, dialog)
            await takeBoth(page, `operator-${dialog[0]}`)
        }
    }
    await clean()
    await context.close()
}
