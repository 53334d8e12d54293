// Somebody at the operator console, signed in by its own door.
import assert from 'node:assert/strict'
import { visit } from './visitor.mjs'

export async function visitConsole(browser, exchange, token, options = {}) {
    const visitor = await visit(browser, { url: exchange.demo.adminUrl }, options)
    await visitor.page.goto('/')
    await signIn(visitor.page, token)
    return visitor
}

export async function signIn(page, token) {
    await page.getByLabel('Operator token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByTestId('operator').waitFor()
    // No script can read the token, and the page keeps it nowhere.
    const kept = await page.evaluate(
        () => document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage),
    )
    assert.ok(!kept.includes(token) && !kept.includes('bellwether_operator'))
}

/** The dialog that is open. */
export const dialogOf = (page) => page.locator('dialog[open]')

/** Presses a button of the open dialog and waits until it has closed. */
export async function confirm(page, name) {
    await dialogOf(page).getByRole('button', { name, exact: true }).click()
    await dialogOf(page).waitFor({ state: 'hidden' })
}

/** To another page of the console without loading it anew, as a link would. */
export function goInside(page, address) {
    return page.evaluate((target) => {
        history.pushState({}, '', target)
        dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    }, address)
}
