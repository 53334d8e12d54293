// A visitor of the operator console, signed in on its own page.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { watchSent } from './sent.mjs'
import { headersOf, visit } from './visitor.mjs'

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

/** A new operator makes a token on the console's own page, signed in nowhere. Nothing leaves the browser. */
export async function makeToken(browser, exchange) {
    const { page, context, clean } = await visit(browser, { url: exchange.demo.adminUrl })
    const sent = []
    watchSent(page, ({ method, url, body }) => sent.push(`${method} ${url} ${body}`))
    await page.goto('/')
    await page.getByRole('link', { name: 'Make your token' }).click()
    await page.getByRole('button', { name: 'Make a token' }).click()
    const token = await page.getByTestId('token').innerText()
    const hash = await page.getByTestId('token-hash').innerText()
    assert.match(token, /^op_[0-9a-f]{64}$/)
    assert.equal(hash, createHash('sha256').update(token).digest('hex'))
    const kept = await page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage))
    assert.ok(!kept.includes(token) && !sent.some((line) => line.includes(token.slice(3)) || line.includes(hash)))
    await clean()
    await context.close()
    return { token, hash }
}

/** The token in the output of `bellwether operator token` or `operator reset`, with its hash. */
export function printedToken(printed) {
    const [, token] = /^token +(op_[0-9a-f]{64})$/m.exec(printed)
    return { token, hash: createHash('sha256').update(token).digest('hex') }
}

/** Posts from a script of the page, past its disabled buttons; answers the status and the reason. */
export async function postPastThePage(page, path) {
    const headers = { ...(await headersOf(page)), 'Content-Type': 'application/json' }
    return page.evaluate(
        async ([target, headers]) => {
            const response = await fetch(target, { method: 'POST', headers })
            const { code, error } = await response.json()
            return [response.status, code ?? error]
        },
        [path, headers],
    )
}

/** Fills in the form for a new operator, and stops before its button. */
export async function nameOperator(page, name, role, hash) {
    await page.goto('/operators')
    await page.getByRole('button', { name: 'New operator…' }).click()
    await dialogOf(page).getByLabel('Name').fill(name)
    await dialogOf(page).getByRole('radio', { name: role, exact: true }).check()
    await dialogOf(page).getByLabel('Hash of the token').fill(hash)
}

/** One more operator by one approver alone; answers the new operator's token. */
export async function appoint(browser, exchange, page, name, role) {
    const { token, hash } = await makeToken(browser, exchange)
    await nameOperator(page, name, role, hash)
    await confirm(page, 'Create operator')
    await operatorCard(page, name).waitFor()
    return token
}

export const operatorCard = (page, name) => page.locator(`[data-operator="${name}"]`)
/** What the card of an operator says. */
export const fieldOf = (page, name, field) => operatorCard(page, name).locator(`[data-field="${field}"]`)

/** Follows the message that says that a request became a proposal; answers the proposal's card. */
export async function followProposal(page) {
    await page.locator('[data-toast]').getByRole('link', { name: 'Open the proposal' }).last().click()
    await page.waitForURL('**/proposals/*')
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const card = page.locator(`[data-proposal-id="${id}"]`)
    await card.waitFor()
    return { id, card }
}

/** Finalises a proposal on the page of the proposals. */
export async function finaliseThere(page, id, action = 'Finalise') {
    await page.goto(`/proposals/${id}`)
    await page.locator(`[data-proposal-id="${id}"]`).getByRole('button', { name: 'Finalise…' }).click()
    await confirm(page, action)
    await page.getByText('This proposal no longer waits').waitFor()
}
