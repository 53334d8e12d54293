// Pictures of every page and dialog of the console. Only if the environment names a folder.
import { CONSOLE_PAGES, furnishOnce } from './operator-pages.mjs'
import { dialogOf, goInside, visitConsole } from './operator-visitor.mjs'
import { setWidth, takeBoth, wantsPictures, WIDTHS } from './picture.mjs'
import { visit } from './visitor.mjs'

export const name = 'operator: screenshots'
export const wanted = wantsPictures
const DIALOGS = [
    ['finalise', '/events/a-new-bridge-this-year', 'Finalise…'],
    ['new-operator', '/operators', 'New operator…'],
    ['change-role', '/operators', 'Change role…'],
    ['policy', '/operators', 'Change…'],
    ['approve-reset', '/password-resets', 'Approve…'],
    ['suspend', '/users/ada', 'Suspend…'],
    ['cancel-orders', '/users/ada', 'Cancel orders…'],
    ['move-fees', '/', 'Move fees…'],
    ['score', '/sports', 'Score…'],
    ['result', '/sports', 'Result…'],
    ['new-series', '/series', 'New series…'],
]

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
        for (const [name, address, button] of DIALOGS) {
            await page.goto(address)
            await page.getByRole('button', { name: button, exact: true }).first().click()
            await dialogOf(page).getByRole('heading').first().waitFor()
            if (name === 'finalise') await dialogOf(page).locator('[data-testid=payouts] table').waitFor()
            await takeBoth(page, `operator-${name}`)
        }
    }
    await clean()
    await context.close()
}
