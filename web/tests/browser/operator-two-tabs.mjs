// Two operators in one browser: a tab of the console shows whose session its cookie is, and no act is recorded for another one.
import assert from 'node:assert/strict'
import { appoint, confirm, dialogOf, operatorCard, signIn, visitConsole } from './operator-visitor.mjs'
import { eventually } from './until.mjs'

export const name = 'operator: a tab acts for the operator that it shows'
const SLUG = 'does-the-tide-reach-the-wall'
const NAME = 'gina'

export async function run({ browser, quiet: exchange }) {
    const owner = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    const [{ page }, first] = [owner, await owner.page.getByTestId('operator').innerText()]
    // The first code of the traders' page, which knows no operator, must not run here.
    const traders = []
    page.on('request', (request) => new URL(request.url()).pathname.startsWith('/v1/') && traders.push(request.url()))
    const token = await appoint(browser, exchange, page, NAME, 'Operator')
    const title = 'Does the tide reach the wall?'
    await exchange.operate('POST', '/admin/v1/events', {
        ...{ slug: SLUG, title, type: 'single', engine: 'CLOB', currencies: ['USD'], category: 'weather' },
        markets: [{ title, rules: 'YES if it does.' }],
    })

    await toldByNobody(page, owner.context, exchange, token)
    await toldByAnotherTab(page, owner.context, exchange, first)

    assert.deepEqual(traders, [])
    await page.goto('/operators')
    await operatorCard(page, NAME).getByRole('button', { name: 'Revoke…' }).click()
    await confirm(page, 'Revoke')
    await owner.clean()
    await owner.context.close()
}

const operatorOf = (page) => page.getByTestId('operator')

/** The first tab hears nothing of the sign-in: the exchange alone knows that the session is another operator's. */
async function toldByNobody(page, context, exchange, token) {
    await page.addInitScript(() => delete window.BroadcastChannel)
    await page.goto(`/events/${SLUG}`)
    await page.getByRole('button', { name: 'Open…' }).click()
    // The console reads again and again; only the act is let through, so that it meets the new session first.
    const reads = (route) => (route.request().method() === 'GET' ? route.abort() : route.continue())
    await page.route('**/admin/v1/**', reads)
    const other = await context.newPage()
    await other.goto('/token')
    const status = await other.evaluate(async (token) => {
        const headers = { 'X-Bellwether-Page': '1', 'Content-Type': 'application/json' }
        return (await fetch('/web/session', { method: 'POST', headers, body: JSON.stringify({ token }) })).status
    }, token)
    assert.equal(status, 200)
    await dialogOf(page).getByRole('button', { name: 'Let it trade' }).click()
    const told = page.locator('[data-toast]', { hasText: `This browser is now logged in as ${NAME}.` })
    await told.getByText('Nothing was done.').waitFor()
    await operatorOf(page).getByText(NAME).waitFor()
    await page.unroute('**/admin/v1/**', reads)

    assert.equal((await exchange.operate('GET', `/admin/v1/events/${SLUG}`)).status, 'draft')
    const { entries } = await exchange.operate('GET', `/admin/v1/audit?event=${SLUG}`)
    assert.deepEqual(entries.map(({ action }) => action), ['create_event'])
    await other.close()
}

/** Who signs out and in elsewhere changes this tab too. */
async function toldByAnotherTab(page, context, exchange, first) {
    const shown = await context.newPage()
    await shown.goto(`/events/${SLUG}`)
    await operatorOf(shown).getByText(NAME).waitFor()
    await shown.evaluate(() => (window.sameDocument = true))
    await shown.getByRole('button', { name: 'Open…' }).click()
    const other = await context.newPage()
    await other.goto('/')
    await other.getByRole('button', { name: 'Sign out' }).click()
    await shown.getByLabel('Operator token').waitFor()
    assert.equal(await dialogOf(shown).count(), 0)
    await signIn(other, exchange.demo.operatorToken)
    await eventually(async () => assert.equal(await operatorOf(shown).innerText(), first))
    assert.equal(await shown.evaluate(() => window.sameDocument), true, 'without a reload')
    await shown.close()
    await other.close()
}
