// Two persons are two persons: a token that only its owner sees, roles, suspension; and where two are required, what one approver
// asks for is a proposal that another person finalises.
import assert from 'node:assert/strict'
import {
    appoint,
    confirm,
    dialogOf,
    fieldOf,
    finaliseThere,
    followProposal,
    makeToken,
    nameOperator,
    operatorCard,
    postPastThePage,
    visitConsole,
} from './operator-visitor.mjs'
import { watchSent } from './sent.mjs'
import { eventually } from './until.mjs'

export const name = 'operator: tokens, roles and two persons'

export async function run({ browser, quiet: exchange }) {
    const first = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    const { page } = first
    await oneApproverIsTooFew(page, exchange)
    const token = await createdByHash(browser, exchange, page)
    await roleAndSuspension(browser, exchange, page, token)
    const bea = await visitConsole(browser, exchange, token)
    await changePolicy(page, true, 'Change the policy')
    await eventually(async () =>
        assert.equal(await fieldOf(page, 'bea', 'person').innerText(), 'A person of its own'),
    )

    await appointedByTwo(browser, exchange, page, bea.page)
    await withdrawn(page, bea.page, exchange)
    await changePolicy(page, false, 'Propose the change')
    const { id } = await followProposal(page)
    await finaliseThere(bea.page, id)
    assert.equal((await exchange.operate('GET', '/admin/v1/policy')).twoRequired, false)

    await confirmedPerson(browser, exchange, page, bea.page)
    await leaveOne(page, exchange)
    for (const visitor of [first, bea]) {
        await visitor.clean()
        await visitor.context.close()
    }
}

async function operators(exchange) {
    const { operators } = await exchange.operate('GET', '/admin/v1/operators')
    return new Map(operators.map((operator) => [operator.name, operator]))
}

async function changePolicy(page, two, action) {
    await page.goto('/operators')
    await page.getByRole('button', { name: 'Change…' }).click()
    await dialogOf(page).getByLabel('Two persons are required').setChecked(two)
    await confirm(page, action)
}

/** A lone approver cannot ask for two: nothing could be finalised any more. */
async function oneApproverIsTooFew(page, exchange) {
    await page.goto('/operators')
    await page.getByRole('button', { name: 'Change…' }).click()
    await dialogOf(page).getByLabel('Two persons are required').check()
    await dialogOf(page).getByRole('button', { name: 'Change the policy' }).click()
    await dialogOf(page).getByRole('alert').filter({ hasText: 'Two approvers are needed' }).waitFor()
    await page.keyboard.press('Escape')
    assert.equal((await exchange.operate('GET', '/admin/v1/policy')).twoRequired, false)
}

async function createdByHash(browser, exchange, page) {
    const { token, hash } = await makeToken(browser, exchange)
    // A token in place of its hash is not sent on.
    const sent = []
    watchSent(page, ({ body }) => sent.push(body))
    await nameOperator(page, 'bea', 'Operator', token)
    await dialogOf(page).getByText('This is the token itself').first().waitFor()
    await dialogOf(page).getByRole('button', { name: 'Create operator' }).click()
    await dialogOf(page).getByRole('alert').filter({ hasText: 'only for its hash' }).waitFor()
    assert.ok(!sent.some((body) => body.includes(token)))
    await dialogOf(page).getByLabel('Hash of the token').fill(hash)
    await confirm(page, 'Create operator')
    await operatorCard(page, 'bea').waitFor()
    assert.equal(await fieldOf(page, 'bea', 'role').innerText(), 'Operator')
    assert.equal(await fieldOf(page, 'bea', 'person').innerText(), 'One person with first')
    assert.deepEqual((await operators(exchange)).get('bea').onePersonWith, ['first'])
    return token
}

async function roleAndSuspension(browser, exchange, page, token) {
    const bea = await visitConsole(browser, exchange, token)
    await operatorCard(page, 'bea').getByRole('button', { name: 'Change role…' }).click()
    await dialogOf(page).getByRole('radio', { name: 'Approver', exact: true }).check()
    await confirm(page, 'Change the role')
    await eventually(async () => assert.equal(await fieldOf(page, 'bea', 'role').innerText(), 'Approver'))
    assert.equal((await operators(exchange)).get('bea').role, 'approver')

    await operatorCard(page, 'bea').getByRole('button', { name: 'Suspend…' }).click()
    await confirm(page, 'Suspend')
    await eventually(async () => assert.equal(await fieldOf(page, 'bea', 'state').innerText(), 'Suspended'))
    // The session is over, and the token opens no other one.
    await bea.page.getByLabel('Operator token').fill(token)
    await bea.page.getByRole('button', { name: 'Sign in' }).click()
    await bea.page.getByText('suspended').waitFor()
    await operatorCard(page, 'bea').getByRole('button', { name: 'Reinstate…' }).click()
    await confirm(page, 'Reinstate')
    await eventually(async () => assert.equal(await fieldOf(page, 'bea', 'state').innerText(), 'Active'))
    await bea.page.getByRole('button', { name: 'Sign in' }).click()
    await bea.page.getByTestId('operator').waitFor()
    await bea.clean()
    await bea.context.close()
}

/** Where two are required an operator is proposed; the proposer's own yes is refused, another person's counts. */
async function appointedByTwo(browser, exchange, page, secondPage) {
    const { hash } = await makeToken(browser, exchange)
    await nameOperator(page, 'cleo', 'Viewer', hash)
    await dialogOf(page).getByText('It becomes a proposal').waitFor()
    await confirm(page, 'Propose operator')
    assert.equal((await operators(exchange)).has('cleo'), false)
    const { id, card } = await followProposal(page)
    assert.match(await card.innerText(), /New operator\s+cleo as viewer/i)
    await card.getByText('You proposed it').waitFor()
    assert.ok(await card.getByRole('button', { name: 'Finalise…' }).isDisabled())
    assert.deepEqual(await postPastThePage(page, `/admin/v1/proposals/${id}/finalise`), [422, 'NEEDS_ANOTHER'])
    await finaliseThere(secondPage, id)
    const cleo = (await operators(exchange)).get('cleo')
    assert.deepEqual([cleo.role, cleo.onePersonWith], ['viewer', []])
}

/** A role is proposed as well, and anyone who runs the venue can take a proposal back. */
async function withdrawn(page, secondPage, exchange) {
    await secondPage.goto('/operators')
    await operatorCard(secondPage, 'cleo').getByRole('button', { name: 'Change role…' }).click()
    await dialogOf(secondPage).getByRole('radio', { name: 'Operator', exact: true }).check()
    await confirm(secondPage, 'Propose: change the role')
    const { id } = await followProposal(secondPage)
    await page.goto(`/proposals/${id}`)
    await page.locator(`[data-proposal-id="${id}"]`).getByRole('button', { name: 'Withdraw…' }).click()
    await dialogOf(page).getByLabel('Why').fill('Not yet')
    await confirm(page, 'Withdraw')
    await page.getByText('This proposal no longer waits').waitFor()
    assert.equal((await operators(exchange)).get('cleo').role, 'viewer')
    // Suspending is the one act that never waits.
    await operatorCardAfter(page, '/operators', 'cleo').then((card) =>
        card.getByRole('button', { name: 'Suspend…' }).click(),
    )
    await confirm(page, 'Suspend')
    await eventually(async () => assert.equal((await operators(exchange)).get('cleo').suspended, true))
}

async function operatorCardAfter(page, address, name) {
    await page.goto(address)
    return operatorCard(page, name)
}

/** That an operator is another person is never one person's word, not even where one is enough for all else. */
async function confirmedPerson(browser, exchange, page, secondPage) {
    await appoint(browser, exchange, page, 'dora', 'Operator')
    await operatorCard(page, 'dora').getByRole('button', { name: 'Confirm person…' }).click()
    await dialogOf(page).getByText('first', { exact: true }).waitFor()
    await confirm(page, 'Propose it')
    const { id, card } = await followProposal(page)
    await card.getByText('You proposed it').waitFor()
    await finaliseThere(secondPage, id)
    assert.deepEqual((await operators(exchange)).get('dora').onePersonWith, [])
}

/** The walks that follow begin with one approver. */
async function leaveOne(page, exchange) {
    await page.goto('/operators')
    for (const name of ['bea', 'cleo', 'dora']) {
        await operatorCard(page, name).getByRole('button', { name: 'Revoke…' }).click()
        await confirm(page, 'Revoke')
        await eventually(async () => assert.equal((await operators(exchange)).get(name).revoked, true))
    }
    await page.getByText('3 former operators').waitFor()
}
