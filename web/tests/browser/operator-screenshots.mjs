// Pictures of every page of the console, for people to look at: light and dark, desk and phone. Only if the environment names a folder.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CONSOLE_PAGES, furnishOnce } from './operator-pages.mjs'
import { dialogOf, goInside, visitConsole } from './operator-visitor.mjs'
import { visit } from './visitor.mjs'

export const name = 'operator: screenshots'
export const wanted = () => !!process.env.SCREENSHOTS
const DIALOGS = [
    ['new-operator', '/operators', 'New operator…'],
    ['change-role', '/operators', 'Change role…'],
    ['policy', '/operators', 'Change…'],
    ['approve-reset', '/password-resets', 'Approve…'],
    ['suspend', '/users/ada', 'Suspend…'],
    ['cancel-orders', '/users/ada', 'Cancel orders…'],
    ['move-fees', '/', 'Move fees…'],
]
const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }

export async function run({ browser, busy: exchange }) {
    await furnishOnce(exchange)
    const folder = process.env.SCREENSHOTS
    await mkdir(folder, { recursive: true })
    const picture = async (page, name, device) => {
        for (const colorScheme of ['light', 'dark']) {
            await page.emulateMedia({ colorScheme })
            await page.screenshot({ path: join(folder, `operator-${name}-${device}-${colorScheme}.png`) })
        }
    }
    const door = await visit(browser, { url: exchange.demo.adminUrl })
    for (const [device, size] of Object.entries(SIZES)) {
        await door.page.setViewportSize(size)
        await door.page.goto('/')
        await door.page.getByLabel('Operator token').waitFor()
        await picture(door.page, 'door', device)
        await door.page.goto('/token')
        await door.page.getByRole('button', { name: 'Make a token' }).click()
        await picture(door.page, 'token-made', device)
    }
    await door.context.close()

    const { page, context, clean } = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    for (const [device, size] of Object.entries(SIZES)) {
        await page.setViewportSize(size)
        for (const { name, address, ready } of CONSOLE_PAGES) {
            await goInside(page, address)
            await page.locator(ready).first().waitFor()
            // A line in a chart takes a few readings.
            if (name === 'overview') await page.locator('canvas').first().waitFor()
            await picture(page, name, device)
        }
        await page.goto('/events/a-new-bridge-this-year')
        await page.getByRole('button', { name: 'Finalise…' }).click()
        await dialogOf(page).locator('[data-testid=payouts] table').waitFor()
        await picture(page, 'finalise', device)
        for (const [name, address, button] of DIALOGS) {
            await page.goto(address)
            await page.getByRole('button', { name: button, exact: true }).first().click()
            await dialogOf(page).getByRole('heading').first().waitFor()
            await picture(page, name, device)
        }
    }
    await clean()
    await context.close()
}
