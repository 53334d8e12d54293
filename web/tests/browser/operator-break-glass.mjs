// No approver can act any more: the machine's owner stops the exchange, writes a new approver into its journal and starts it
// again. Every operator sees it on every page and in the audit log; the new approver brings back operators and decides nothing else.
import assert from 'node:assert/strict'
import { fitsEverywhere } from './accessibility.mjs'
import { newFolder, removeFolder, runProgram, startExchange } from './exchange.mjs'
import {
    confirm,
    dialogOf,
    fieldOf,
    finaliseThere,
    followProposal,
    makeToken,
    nameOperator,
    operatorCard,
    postPastThePage,
    printedToken,
    visitConsole,
} from './operator-visitor.mjs'

export const name = 'operator: a break-glass approver, from the stopped exchange to a new operator'
const OPTIONS = ['--no-bots']

export async function run({ browser, executable, atEnd }) {
    const folder = await newFolder()
    atEnd(() => removeFolder(folder))
    const before = await startExchange(executable, OPTIONS, folder)
    atEnd(() => before.stop())
    const viewerToken = await prepare(browser, executable, before)
    await before.stop()

    const { token } = printedToken(await runProgram(executable, ['operator', 'reset', '--data', folder]))
    const exchange = await startExchange(executable, OPTIONS, folder)
    atEnd(() => exchange.stop())
    const first = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    const viewer = await visitConsole(browser, exchange, viewerToken)
    const rescue = await visitConsole(browser, exchange, token)
    for (const { page } of [first, viewer, rescue]) await everyoneSeesIt(page)
    await fitsEverywhere(first.page, 'operator-break-glass')
    await logged(first.page)
    await bringsBackOperators(browser, exchange, rescue.page)
    await decidesNothingElse(first.page, rescue.page)
    for (const visitor of [first, viewer, rescue]) {
        await visitor.clean()
        await visitor.context.close()
    }
}

/** A second approver whose token is lost, a viewer, and the policy that wants two persons. Answers the viewer's token. */
async function prepare(browser, executable, exchange) {
    const token = async () => printedToken(await runProgram(executable, ['operator', 'token']))
    const [lost, vera] = [await token(), await token()]
    const create = (name, role, { hash }) =>
        exchange.operate('POST', '/admin/v1/operators', { name, role, tokenHash: hash })
    await create('lost', 'approver', lost)
    await create('vera', 'viewer', vera)
    await exchange.operate('PUT', '/admin/v1/policy', { twoRequired: true })
    const { page, context, clean } = await visitConsole(browser, exchange, vera.token)
    await page.goto('/operators')
    await operatorCard(page, 'lost').waitFor()
    assert.equal(await page.getByTestId('break-glass-bar').count(), 0)
    await clean()
    await context.close()
    return vera.token
}

async function everyoneSeesIt(page) {
    for (const address of ['/', '/events', '/users']) {
        await page.goto(address)
        await page.getByTestId('break-glass-bar').filter({ hasText: 'made rescue an approver' }).waitFor()
    }
    await page.getByRole('link', { name: 'See the operators' }).click()
    await fieldOf(page, 'rescue', 'break-glass')
        .filter({ hasText: 'finalises proposals about operators, alone, and nothing else' })
        .waitFor()
    assert.equal(await fieldOf(page, 'rescue', 'role').innerText(), 'Approver')
}

async function logged(page) {
    await page.goto('/audit')
    const entry = page.locator('[data-action="break_glass"]')
    await entry.waitFor()
    assert.equal(await entry.locator('[data-field="who"]').innerText(), 'The exchange')
    assert.equal(await entry.locator('[data-field="action"]').innerText(), 'Break-glass approver')
    assert.equal(await entry.locator('[data-field="about"]').innerText(), 'rescue')
}

/** Its own proposal about an operator needs no other person. */
async function bringsBackOperators(browser, exchange, page) {
    const { hash } = await makeToken(browser, exchange)
    await nameOperator(page, 'nina', 'Approver', hash)
    await confirm(page, 'Propose operator')
    const { id } = await followProposal(page)
    await finaliseThere(page, id)
    await page.goto('/operators')
    assert.equal(await fieldOf(page, 'nina', 'role').innerText(), 'Approver')
}

async function decidesNothingElse(page, rescuePage) {
    await page.goto('/operators')
    await page.getByRole('button', { name: 'Change…', exact: true }).click()
    await dialogOf(page).getByLabel('Two persons are required').uncheck()
    await confirm(page, 'Propose the change')
    const { id } = await followProposal(page)
    await rescuePage.goto(`/proposals/${id}`)
    const card = rescuePage.locator(`[data-proposal-id="${id}"]`)
    await card.getByText('A break-glass approver finalises proposals about operators only').waitFor()
    assert.ok(await card.getByRole('button', { name: 'Finalise…' }).isDisabled())
    assert.deepEqual(await postPastThePage(rescuePage, `/admin/v1/proposals/${id}/finalise`), [403, 'forbidden'])
}
