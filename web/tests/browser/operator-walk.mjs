// An operator writes an event, opens it, closes it and says how it ended; the policy wants two, so a second operator approves; the
// trader who was right is paid. Every number on the way is the API's.
import assert from 'node:assert/strict'
import { appoint, confirm, dialogOf, goInside, visitConsole } from './operator-visitor.mjs'
import { money } from './shown.mjs'
import { eventually } from './until.mjs'
import { headersOf, visit } from './visitor.mjs'

export const name = 'operator: from a draft to a payout by two, money and roles'
const TITLE = 'Does the night ferry run on Friday?'
const SLUG = 'does-the-night-ferry-run-on-friday'
const LOT = 100
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-/

export async function run({ browser, quiet: exchange }) {
    const [ada, bola] = [exchange.user('ada'), exchange.user('bola')]
    const first = await visitConsole(browser, exchange, await wrongThenRight(browser, exchange))
    const { page } = first
    const second = await visitConsole(browser, exchange, await appoint(browser, exchange, page, 'second', 'Approver'))
    await requireTwo(page, exchange)

    const event = await createAndOpen(page, exchange)
    const before = await dollarsOf(exchange, ada)
    await trade(exchange, event, ada, bola)
    await resolveByTwo(page, second.page, exchange, event)
    await paid(page, exchange, ada, before)

    await seedAPool(page, exchange)
    await creditOnce(page, exchange, bola)
    await brake(page, exchange)
    await offline(page)
    await backToOne(page, second.page, exchange)
    await viewerLooks(browser, page, exchange)
    await logged(page)
    for (const visitor of [first, second]) {
        await visitor.clean()
        await visitor.context.close()
    }
}

async function dollarsOf(exchange, user) {
    const { assets } = await exchange.read('/v1/wallet/assets', user)
    return assets.find((asset) => asset.symbol === 'USD').availableBalance
}

/** Checks that an unknown token is refused; returns the valid one. */
async function wrongThenRight(browser, exchange) {
    const { page, context, clean } = await visit(browser, { url: exchange.demo.adminUrl })
    await page.goto('/events')
    await page.getByLabel('Operator token').fill('op_nobody-has-this-token')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This token is not known').waitFor()
    await clean()
    await context.close()
    return exchange.demo.operatorToken
}

async function requireTwo(page, exchange) {
    await page.getByRole('button', { name: 'Change…' }).click()
    await dialogOf(page).getByLabel('Two persons are required').check()
    await confirm(page, 'Change the policy')
    await page.locator('[data-field="two-required"]', { hasText: 'Required' }).waitFor()
    const policy = await exchange.operate('GET', '/admin/v1/policy')
    assert.equal(policy.twoRequired, true)
}

async function createAndOpen(page, exchange) {
    await page.goto('/events')
    await page.getByRole('link', { name: 'New event' }).click()
    await page.getByLabel('Title', { exact: true }).fill(TITLE)
    assert.equal(await page.getByLabel('Slug').inputValue(), SLUG)
    await page.getByLabel('Category', { exact: true }).fill('transport')
    await page.getByLabel('Rules', { exact: true }).fill('YES if it leaves the quay before midnight.')
    await page.getByLabel('Resolution source').fill('The harbour office')
    await page.getByLabel('Picture').fill('https://example.org/ferry.png')
    await page.getByLabel('Hashtags').fill('#ferry, harbour')
    await page.getByLabel('Countries').fill('Nigeria')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('alert').filter({ hasText: 'two letters' }).waitFor()
    await page.getByLabel('Countries').fill('ng gh')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
    assert.equal((await exchange.operate('GET', `/admin/v1/events/${SLUG}`)).status, 'draft')

    // A draft can still be changed.
    await page.getByRole('link', { name: 'Edit' }).click()
    assert.equal(await page.getByLabel('Picture').inputValue(), 'https://example.org/ferry.png')
    assert.equal(await page.getByLabel('Countries').inputValue(), 'NG, GH')
    await page.getByLabel('Description').fill('The ten o’clock boat.')
    await page.getByLabel('Hashtags').fill('ferry')
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await page.getByText('The ten o’clock boat.').waitFor()

    await page.getByRole('button', { name: 'Open…' }).click()
    await confirm(page, 'Let it trade')
    await page.getByRole('button', { name: 'Pause…' }).waitFor()
    const event = await exchange.event(SLUG)
    assert.equal(event.status, 'open')
    assert.equal(event.imageUrl, 'https://example.org/ferry.png')
    assert.deepEqual([event.hashtags, event.countryCodes], [['ferry'], ['NG', 'GH']])
    return event
}

async function trade(exchange, event, ada, bola) {
    const market = event.markets[0]
    const order = { side: 'BUY', type: 'LIMIT', currency: 'USD', quantity: LOT }
    await exchange.place(bola, event, market, { ...order, outcomeId: market.outcome2Id, price: 0.4 })
    await exchange.place(ada, event, market, { ...order, outcomeId: market.outcome1Id, price: 0.6 })
}

async function resolveByTwo(page, secondPage, exchange, event) {
    const market = event.markets[0]
    await eventually(async () =>
        assert.equal(await page.locator('[data-listing="USD"] [data-field="collateral"]').innerText(), money(LOT)),
    )
    await page.getByRole('button', { name: 'Close…' }).click()
    await confirm(page, 'Close for good')

    await page.getByRole('button', { name: 'Resolve…' }).click()
    const dialog = dialogOf(page)
    assert.ok(
        await dialog.getByRole('button', { name: 'Propose', exact: true }).isDisabled(),
        'nothing is sent before it was seen',
    )
    await dialog.getByRole('radio', { name: 'YES', exact: true }).check()
    const preview = await exchange.operate('POST', `/admin/v1/events/${SLUG}/preview`, {
        outcomes: [{ marketId: market.id, outcome: 'YES' }],
    })
    const payout = preview.payouts.find((one) => one.currency === 'USD')
    assert.equal(payout.toUsers, LOT)
    const row = dialog.locator('[data-payout="USD"]')
    assert.equal(await row.locator('[data-field="to-users"]').innerText(), money(payout.toUsers))
    await dialog.getByLabel('Evidence', { exact: true }).fill('It left at 22:04.')
    await dialog.getByLabel('Link to the evidence').fill('https://example.org/log')
    await confirm(page, 'Propose')

    // The proposer cannot finalise it.
    const card = page.locator(`[data-proposal="${SLUG}"]`)
    await card.getByText('another approver has to finalise it').waitFor()
    assert.ok(await card.getByRole('button', { name: 'Finalise…' }).isDisabled())

    await secondPage.goto('/')
    await secondPage.locator(`[data-proposal="${SLUG}"]`).getByRole('button', { name: 'Finalise…' }).click()
    assert.equal(
        await dialogOf(secondPage).locator('[data-total="USD"] dd').innerText(),
        money(preview.totals.find((total) => total.currency === 'USD').amount),
    )
    await confirm(secondPage, 'Finalise and pay')
    await secondPage.locator('[data-toast="good"]', { hasText: 'Finalised and paid' }).waitFor()
}

async function paid(page, exchange, ada, before) {
    assert.equal((await exchange.event(SLUG)).status, 'resolved')
    const after = await dollarsOf(exchange, ada)
    assert.equal(after, before - 0.6 * LOT + LOT, 'a share that was right pays a dollar')
    await page.getByTestId('verdict').filter({ hasText: 'It left at 22:04.' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Resolve…' }).count(), 0)
    await page.goto('/users/ada')
    await eventually(async () =>
        assert.equal(await page.locator('[data-wallet="USD"] [data-field="available"]').innerText(), money(after)),
    )
}

async function seedAPool(page, exchange) {
    const slug = 'which-boat-is-first'
    await page.goto('/events/new')
    await page.getByLabel('Title', { exact: true }).fill('Which boat is first?')
    await page.getByLabel('Category', { exact: true }).fill('transport')
    await page.getByRole('radio', { name: 'Combined', exact: true }).check()
    await page.getByRole('radio', { name: 'Pool', exact: true }).check()
    await page.getByLabel('NGN', { exact: true }).uncheck()
    await page.getByLabel('Title of market 1').fill('The grey one')
    await page.getByLabel('Title of market 2').fill('The green one')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByText('Seed each pool in each currency first.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Open…' }).isDisabled())
    for (const price of ['0.60', '0.40']) {
        await page.getByRole('button', { name: 'Seed…' }).first().click()
        await dialogOf(page).getByLabel('Amount of the house, USD').fill('500')
        await dialogOf(page).getByLabel('Price of YES to begin with').fill(price)
        await confirm(page, 'Seed $500.00')
        await page.locator('[data-toast="good"]', { hasText: 'The pool is seeded' }).last().waitFor()
        const seeded = price === '0.60' ? 1 : 2
        await eventually(async () => assert.equal(await page.getByRole('button', { name: 'Grow…' }).count(), seeded))
    }
    await page.getByRole('button', { name: 'Open…' }).click()
    await confirm(page, 'Let it trade')
    await eventually(async () => assert.equal((await exchange.event(slug)).status, 'open'))
    const { markets } = await exchange.operate('GET', `/admin/v1/events/${slug}`)
    assert.deepEqual(
        markets.map((market) => market.listings[0].yesPrice),
        [0.6, 0.4],
    )
}

async function creditOnce(page, exchange, user) {
    const before = await dollarsOf(exchange, user)
    await page.goto('/users')
    await page.getByRole('link', { name: 'bola', exact: true }).click()
    const credit = async () => {
        await page.getByRole('button', { name: 'Credit…' }).click()
        await dialogOf(page).getByRole('radio', { name: 'US dollars' }).check()
        await dialogOf(page).getByLabel('Amount').fill('25.50')
        await dialogOf(page).getByLabel('Reference').fill('walk 4711')
        // Pressed twice, it reviews and does no more.
        await dialogOf(page).getByRole('button', { name: 'Review' }).focus()
        await page.keyboard.press('Enter')
        await page.keyboard.press('Enter')
        assert.equal(
            await dialogOf(page).locator('[data-field="after"]').innerText(),
            money((await dollarsOf(exchange, user)) + 25.5),
        )
        const change = dialogOf(page).getByRole('button', { name: 'Change it' })
        assert.ok(await change.evaluate((button) => button === document.activeElement))
    }
    await credit()
    assert.equal(await dollarsOf(exchange, user), before, 'nothing moves before it was confirmed')
    await confirm(page, 'Yes, credit $25.50')
    await eventually(async () =>
        assert.equal(
            await page.locator('[data-wallet="USD"] [data-field="available"]').innerText(),
            money(before + 25.5),
        ),
    )
    // The same credit again moves nothing, and says so.
    await credit()
    await confirm(page, 'Yes, credit $25.50')
    await page.getByText('nothing moved now').first().waitFor()
    assert.equal(await dollarsOf(exchange, user), before + 25.5)
    // Escape leads back to what was filled in, and then out.
    await credit()
    await page.keyboard.press('Escape')
    await dialogOf(page).getByRole('button', { name: 'Review' }).waitFor()
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'hidden' })
}

async function brake(page, exchange) {
    await page.goto('/')
    for (const [ask, answer, on] of [
        ['Switch cancel only on…', 'Switch it on', true],
        ['Let trading go on…', 'Let trading go on', false],
    ]) {
        await page.getByRole('button', { name: ask }).click()
        await confirm(page, answer)
        await eventually(async () => assert.equal(await page.getByTestId('cancel-only').innerText(), on ? 'On' : 'Off'))
        assert.equal((await exchange.operate('GET', '/admin/v1/status')).cancelOnly.length, on ? 1 : 0)
        assert.equal(await page.getByTestId('cancel-only-bar').count(), on ? 1 : 0)
    }
}

/** Without the exchange the page keeps what it knew, says so, and finds back. */
async function offline(page) {
    await page.context().setOffline(true)
    await page.getByText('The exchange cannot be reached').waitFor()
    await page.getByTestId('journal').waitFor()
    await page.context().setOffline(false)
    await page.getByText('The exchange cannot be reached').waitFor({ state: 'hidden' })
    // A hanging request counts as unreachable too.
    await page.route('**/admin/v1/status', () => undefined)
    await page.getByText('The exchange cannot be reached').waitFor()
    await page.unroute('**/admin/v1/status')
    await page.getByText('The exchange cannot be reached').waitFor({ state: 'hidden' })
}

/** A change of the policy takes two as well. */
async function backToOne(page, secondPage, exchange) {
    await page.goto('/operators')
    await page.getByRole('button', { name: 'Change…' }).click()
    await dialogOf(page).getByLabel('Two persons are required').uncheck()
    await confirm(page, 'Propose the change')
    await secondPage.goto('/operators')
    await secondPage.getByRole('button', { name: 'Finalise…' }).click()
    await confirm(secondPage, 'Finalise')
    await eventually(async () => assert.equal((await exchange.operate('GET', '/admin/v1/policy')).twoRequired, false))
}

async function viewerLooks(browser, page, exchange) {
    const {
        page: viewer,
        context,
        clean,
    } = await visitConsole(browser, exchange, await appoint(browser, exchange, page, 'onlooker', 'Viewer'))
    const places = {
        '/': '[data-testid=journal]',
        '/events': '[data-event]',
        '/events/which-boat-is-first': '[data-market]',
        '/proposals': 'text=Nothing waits for approval',
        '/password-resets': 'h1',
        '/users': '[data-user]',
        '/users/ada': '[data-wallet]',
        '/series': '[data-series]',
        '/sports': '[data-game]',
        '/operators': '[data-operator]',
    }
    for (const [address, ready] of Object.entries(places)) {
        await goInside(viewer, address)
        await viewer.locator(ready).first().waitFor()
        const offered = await viewer.locator('main button', { hasText: '…' }).allInnerTexts()
        assert.deepEqual(offered, [], `${address} offers a viewer nothing that changes something`)
    }
    await viewer.goto('/events/new')
    await viewer.getByText('A viewer only looks').waitFor()
    // The page's politeness is not the guard: the exchange refuses it, and says so.
    const headers = { ...(await headersOf(viewer)), 'Content-Type': 'application/json' }
    const status = await viewer.evaluate(
        (headers) =>
            fetch('/admin/v1/cancel-only', { method: 'PUT', headers, body: '{"on":true}' }).then(({ status }) => status),
        headers,
    )
    assert.equal(status, 403)
    await page.goto('/operators')
    await page.locator('[data-operator="onlooker"]').getByRole('button', { name: 'Revoke…' }).click()
    await confirm(page, 'Revoke')
    // Who is revoked stands before the door again.
    await viewer.getByLabel('Operator token').waitFor()
    await clean()
    await context.close()
}

async function logged(page) {
    await page.goto(`/audit?event=${SLUG}`)
    await page.locator('[data-action]').first().waitFor()
    const actions = await page.locator('[data-action]').evaluateAll((rows) => rows.map((row) => row.dataset.action))
    assert.deepEqual(actions, ['finalise', 'propose', 'close_trading', 'open_event', 'edit_event', 'create_event'])
    assert.match(await page.locator('[data-action="finalise"]').innerText(), /second/)

    // The log speaks in words and titles, and names no id.
    const field = (action, name) => page.locator(`[data-action="${action}"] [data-field="${name}"]`).first()
    await eventually(async () => {
        const about = await page.locator('[data-action] [data-field="about"] a').allInnerTexts()
        assert.deepEqual([...new Set(about)], [TITLE])
        assert.match(await field('propose', 'summary').innerText(), new RegExp(`${TITLE.replace('?', '.')} YES`))
    })
    assert.equal(await field('finalise', 'action').innerText(), 'Finalise a proposal')
    assert.equal(await field('finalise', 'who').innerText(), 'second\nApprover')
    assert.doesNotMatch(await page.locator('table').innerText(), ID)
    const time = page.locator('[data-action] time').first()
    await time.hover()
    assert.match(await time.getAttribute('title'), /UTC$/)

    await page.goto('/audit?user=bola')
    await eventually(async () => {
        const about = await page.locator('[data-action="credit_wallet"] [data-field="about"]').allInnerTexts()
        assert.ok(about.length >= 2, 'one credit went through, one had been done before')
        assert.deepEqual([...new Set(about)], ['bola'])
    })
    await page.getByText(/already done before/).first().waitFor()
}
