// What an operator does about an account and its money: suspend with and without its orders, freeze and release, cancel orders,
// credit above the cap, move fees. Every number is the API's.
import assert from 'node:assert/strict'
import { confirm, dialogOf, finaliseThere, followProposal, visitConsole } from './operator-visitor.mjs'
import { money } from './shown.mjs'
import { eventually } from './until.mjs'

export const name = 'operator: suspend, freeze, cancel orders, caps and fees'
// Other walks do not log in as this person.
const USER = 'funmi'
const SLUG = 'does-the-mill-open-on-monday'

export async function run({ browser, quiet: exchange }) {
    const { page, context, clean } = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    const event = await openEvent(exchange)
    await suspendAndCancel(page, exchange, event)
    await suspendAndKeep(page, exchange, event)
    await freeze(page, exchange, event)
    await creditAboveTheCap(page, exchange)
    await moveFees(page, exchange, event)
    await clean()
    await context.close()
}

async function openEvent(exchange) {
    await exchange.operate('POST', '/admin/v1/events', {
        slug: SLUG,
        title: 'Does the mill open on Monday?',
        type: 'single',
        engine: 'CLOB',
        currencies: ['USD', 'NGN'],
        category: 'business',
        markets: [{ title: 'Does the mill open on Monday?', feePercentage: 2 }],
    })
    await exchange.operate('POST', `/admin/v1/events/${SLUG}/open`)
    return exchange.event(SLUG)
}

const stateOf = async (exchange) => (await exchange.operate('GET', `/admin/v1/users/${USER}`)).user

function order(exchange, event, more = {}) {
    const [market] = event.markets
    const body = { side: 'BUY', type: 'LIMIT', currency: 'USD', outcomeId: market.outcome1Id, price: 0.1, quantity: 50 }
    return exchange.place(exchange.user(USER), event, market, { ...body, ...more })
}

async function step(page, label, action) {
    await page.getByRole('button', { name: label }).click()
    await confirm(page, action)
}

async function suspendAndCancel(page, exchange, event) {
    await order(exchange, event)
    await order(exchange, event, { currency: 'NGN', quantity: 100 })
    const { openOrders } = await stateOf(exchange)
    await page.goto(`/users/${USER}`)
    await page.getByRole('button', { name: 'Suspend…' }).click()
    await dialogOf(page).getByText(`Their open orders are cancelled: ${openOrders} now.`).waitFor()
    assert.equal(await dialogOf(page).getByLabel('Keep open orders').isChecked(), false)
    await confirm(page, 'Suspend')
    await page.getByRole('button', { name: 'Resume…' }).waitFor()
    const { suspended, openOrders: left } = await stateOf(exchange)
    assert.deepEqual([suspended, left], [true, 0])
    await step(page, 'Resume…', 'Resume')
    await page.getByRole('button', { name: 'Suspend…' }).waitFor()
    assert.equal((await stateOf(exchange)).suspended, false)
}

async function suspendAndKeep(page, exchange, event) {
    await order(exchange, event)
    await order(exchange, event, { price: 0.2 })
    await page.goto(`/users/${USER}`)
    await page.getByRole('button', { name: 'Suspend…' }).click()
    await dialogOf(page).getByLabel('Keep open orders').check()
    await confirm(page, 'Suspend')
    await page.getByRole('button', { name: 'Resume…' }).waitFor()
    assert.equal((await stateOf(exchange)).openOrders, 2)

    // The person cannot cancel them, so an operator can: here none of the wrong currency, then those of the event.
    const cancel = async (choose, action, said) => {
        await page.getByRole('button', { name: 'Cancel orders…' }).click()
        await choose(dialogOf(page))
        await confirm(page, action)
        await page.locator('[data-toast="good"]', { hasText: said }).waitFor()
    }
    await cancel((dialog) => dialog.getByRole('radio', { name: 'NGN' }).check(), 'Cancel these orders', '0 orders')
    assert.equal((await stateOf(exchange)).openOrders, 2)
    await cancel((dialog) => dialog.getByLabel('Only of the event').fill(SLUG), 'Cancel these orders', '2 orders')
    assert.equal((await stateOf(exchange)).openOrders, 0)
    await step(page, 'Resume…', 'Resume')
    await page.getByRole('button', { name: 'Suspend…' }).waitFor()
    await order(exchange, event)
    await cancel(async () => undefined, 'Cancel all open orders', '1 order cancelled')
    assert.equal((await stateOf(exchange)).openOrders, 0)
}

async function freeze(page, exchange, event) {
    await order(exchange, event)
    await page.goto(`/users/${USER}`)
    await step(page, 'Freeze…', 'Freeze')
    await page.getByText('Frozen: every command of the person is refused').waitFor()
    const { frozen, openOrders } = await stateOf(exchange)
    assert.deepEqual([frozen, openOrders], [true, 0])
    for (const name of ['Credit…', 'Debit…']) assert.ok(await page.getByRole('button', { name }).isDisabled())
    await assert.rejects(order(exchange, event), /401.*not a key of an active account/)
    await page.goto(`/users?q=${USER}`)
    await page.locator(`[data-user="${USER}"]`).getByText('frozen').waitFor()
    await page.goto(`/users/${USER}`)
    await step(page, 'Release…', 'Release')
    await page.getByRole('button', { name: 'Freeze…' }).waitFor()
    assert.equal((await stateOf(exchange)).frozen, false)
    await order(exchange, event)
}

async function dollars(exchange) {
    const { wallets } = await exchange.operate('GET', `/admin/v1/users/${USER}`)
    return wallets.find((wallet) => wallet.currency === 'USD').availableBalance
}

/** More than one operator moves alone is a proposal, and nothing moves before it is finalised. */
async function creditAboveTheCap(page, exchange) {
    const { policy } = await exchange.operate('GET', '/admin/v1/status')
    const amount = policy.entryMax.USD + 0.5
    const before = await dollars(exchange)
    await page.goto(`/users/${USER}`)
    await page.getByRole('button', { name: 'Credit…' }).click()
    await dialogOf(page).getByRole('radio', { name: 'US dollars' }).check()
    await dialogOf(page).getByLabel('Amount').fill(String(amount))
    await dialogOf(page).getByLabel('Reference').fill('accounts 1')
    await dialogOf(page).getByRole('button', { name: 'Review' }).click()
    await dialogOf(page).getByText('it becomes a proposal').waitFor()
    await confirm(page, `Propose to credit ${money(amount)}`)
    assert.equal(await dollars(exchange), before)
    const { id, card } = await followProposal(page)
    assert.match(await card.innerText(), /reference accounts 1/)
    await finaliseThere(page, id)
    assert.equal(await dollars(exchange), before + amount)
}

async function moveFees(page, exchange, event) {
    const [market] = event.markets
    const lot = { side: 'BUY', type: 'LIMIT', currency: 'USD', quantity: 1000 }
    await exchange.place(exchange.user('efe'), event, market, { ...lot, outcomeId: market.outcome2Id, price: 0.5 })
    await exchange.place(exchange.user('dayo'), event, market, { ...lot, outcomeId: market.outcome1Id, price: 0.5 })
    const sums = async () => {
        const { fees, house } = await exchange.operate('GET', '/admin/v1/status')
        const of = (list) => list.find((one) => one.currency === 'USD')
        return { fees: of(fees).amount, house: of(house).availableBalance }
    }
    const before = await sums()
    assert.ok(before.fees > 1, 'the trade paid a fee')
    await page.goto('/')
    await eventually(async () =>
        assert.equal(await page.locator('[data-fees="USD"] dd').innerText(), money(before.fees)),
    )
    await page.getByRole('button', { name: 'Move fees…' }).click()
    await dialogOf(page).getByRole('radio', { name: 'US dollars' }).check()
    await dialogOf(page).getByLabel('Amount').fill('1')
    await dialogOf(page).getByLabel('Reference').fill('accounts 2')
    await dialogOf(page).getByRole('button', { name: 'Propose it' }).click()
    await dialogOf(page).getByRole('alert').filter({ hasText: 'Choose where the fees go' }).waitFor()
    await dialogOf(page).getByRole('radio', { name: 'To the house' }).check()
    await confirm(page, 'Propose it')
    assert.deepEqual(await sums(), before)
    const { id } = await followProposal(page)
    await finaliseThere(page, id)
    const after = await sums()
    assert.deepEqual([after.fees, after.house], [before.fees - 1, before.house + 1])
}
