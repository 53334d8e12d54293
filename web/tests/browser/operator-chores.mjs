// The rest of an operator's day, each thing done on its page and asserted against the API: accounts, series and prices, a game with
// its linked events, a market called off.
import assert from 'node:assert/strict'
import { confirm, dialogOf, visitConsole } from './operator-visitor.mjs'
import { money } from './shown.mjs'
import { eventually } from './until.mjs'
import { visit } from './visitor.mjs'

export const name = 'operator: users, series, prices, sports, terms'
const USER = 'walker_1'
const GAME = 'console-derby'

export async function run({ browser, quiet: exchange }) {
    const { page, context, clean } = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    await account(page, exchange)
    await series(page, exchange)
    await price(page, exchange)
    await game(browser, page, exchange)
    await grouped(page, exchange)
    await clean()
    await context.close()
}

async function account(page, exchange) {
    await page.goto('/users')
    await page.getByRole('button', { name: 'New user…' }).click()
    await dialogOf(page).getByLabel('Email').fill('walker@example.org')
    await dialogOf(page).getByLabel('Tag').fill(USER)
    await confirm(page, 'Create user')
    await page.getByRole('heading', { level: 1, name: USER }).waitFor()
    const of = async () => (await exchange.operate('GET', `/admin/v1/users/${USER}`)).user
    assert.equal((await of()).hasPassword, false)
    // What is not there cannot go out, and the exchange says so.
    await page.getByRole('button', { name: 'Debit…' }).click()
    await dialogOf(page).getByRole('radio', { name: 'Naira' }).check()
    await dialogOf(page).getByLabel('Amount').fill('100')
    await dialogOf(page).getByLabel('Reference').fill('chores 1')
    await dialogOf(page).getByRole('button', { name: 'Review' }).click()
    await dialogOf(page)
        .getByRole('button', { name: `Yes, debit ${money(100, '₦')}` })
        .click()
    await dialogOf(page)
        .getByRole('alert')
        .filter({ hasText: /balance/i })
        .waitFor()
}

async function series(page, exchange) {
    await page.goto('/series')
    await page.getByRole('button', { name: 'New series…' }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('Name').fill('Cocoa')
    await dialog.getByLabel('Slug').fill('console-cocoa')
    await dialog.getByLabel('Asset').fill('COCOA')
    await dialog.getByLabel('Category').selectOption('FINANCE')
    await dialog.getByLabel('Rhythm').selectOption('SIX_HOURLY')
    await dialog.getByRole('radio', { name: 'Pool' }).check()
    await dialog.getByLabel('Seed of each pool, USD').fill('50')
    // Thousands are set apart with each key.
    const naira = dialog.getByLabel('Seed of each pool, NGN')
    await naira.fill('')
    await naira.pressSequentially('5000')
    assert.equal(await naira.inputValue(), '5,000')
    await naira.press('Backspace')
    assert.equal(await naira.inputValue(), '500')
    await naira.press('0')
    await confirm(page, 'Create series')
    const card = page.locator('[data-series="console-cocoa"]')
    const of = async () =>
        (await exchange.operate('GET', '/admin/v1/series')).series.find((one) => one.slug === 'console-cocoa')
    assert.deepEqual((await of()).seed, { USD: 50, NGN: 5000 })
    for (const [ask, answer, paused] of [
        ['Pause…', 'Pause', true],
        ['Resume…', 'Resume', false],
    ]) {
        await card.getByRole('button', { name: ask }).click()
        await confirm(page, answer)
        await eventually(async () => assert.equal((await of()).paused, paused))
    }
}

async function price(page, exchange) {
    await page.getByRole('button', { name: 'Push a price…' }).click()
    await dialogOf(page).getByLabel('Asset').fill('COCOA')
    await dialogOf(page).getByLabel('Price').fill('7412.25')
    await dialogOf(page).getByLabel('Source').fill('desk')
    await confirm(page, 'Record the price')
    await page.getByRole('tab', { name: /Feeds/ }).click()
    await eventually(async () =>
        assert.equal(await page.locator('[data-asset="COCOA"] [data-field="value"]').innerText(), '7,412.25'),
    )
    const { assets } = await exchange.operate('GET', '/admin/v1/feeds')
    assert.equal(assets.find((asset) => asset.symbol === 'COCOA').value, 7412.25)
}

async function game(browser, page, exchange) {
    const [ada, bola] = [exchange.user('ada'), exchange.user('bola')]
    const { leagues, teams } = await exchange.operate('GET', '/admin/v1/sports')
    const [home, away] = teams
    await page.goto('/sports')
    await page.getByRole('button', { name: 'Import…' }).click()
    await dialogOf(page).getByLabel('Or its contents').fill('{ not json')
    await dialogOf(page).getByRole('button', { name: 'Import', exact: true }).click()
    await dialogOf(page).getByRole('alert').filter({ hasText: 'not JSON' }).waitFor()
    const file = {
        games: [
            {
                slug: GAME,
                sport: 'soccer',
                league: leagues[0].key,
                home: home.slug,
                away: away.slug,
                startDate: '2035-06-01T19:00:00Z',
            },
        ],
    }
    await dialogOf(page).getByLabel('Or its contents').fill(JSON.stringify(file))
    await confirm(page, 'Import')
    const row = page.locator(`[data-game="${GAME}"]`)
    await row.getByRole('button', { name: 'Create events…' }).click()
    await confirm(page, 'Create the drafts')
    await eventually(async () => assert.equal(await page.locator(`[data-event^="${GAME}-"]`).count(), 3))
    await exchange.operate('POST', `/admin/v1/events/${GAME}-winner/open`)

    const event = await exchange.event(`${GAME}-winner`)
    const market = event.markets[0]
    const order = { side: 'BUY', type: 'LIMIT', currency: 'USD', quantity: 50 }
    await exchange.place(bola, event, market, { ...order, outcomeId: market.outcome2Id, price: 0.5 })
    await exchange.place(ada, event, market, { ...order, outcomeId: market.outcome1Id, price: 0.5 })
    await page.goto('/sports')
    await score(browser, exchange, page, row, [home.name, away.name])
    await row.getByRole('button', { name: 'Result…' }).click()
    await dialogOf(page).getByLabel(home.name).fill('2')
    await dialogOf(page).getByLabel(away.name).fill('1')
    const preview = await exchange.operate('POST', `/admin/v1/sports/games/${GAME}/preview`, { home: 2, away: 1 })
    await eventually(async () =>
        assert.equal(
            await dialogOf(page).locator('[data-total="USD"] dd').innerText(),
            money(preview.totals.find((total) => total.currency === 'USD').amount),
        ),
    )
    await confirm(page, 'Record and pay')
    await row.getByText('2 : 1').waitFor()
    assert.equal((await exchange.event(`${GAME}-winner`)).status, 'resolved')
}

/** The score of a game in play is on the page of the match, and the next one comes by itself. It pays nothing. */
async function score(browser, exchange, page, row, teams) {
    const trader = await visit(browser, exchange)
    await trader.page.goto(`/sports/${GAME}`)
    const state = trader.page.getByTestId('match-state')
    await state.waitFor()
    const show = async (goals, clock) => {
        await row.getByRole('button', { name: 'Score…' }).click()
        for (const [index, team] of teams.entries()) await dialogOf(page).getByLabel(team).fill(goals[index])
        await dialogOf(page).getByLabel('Clock').fill(clock)
        await confirm(page, 'Show it')
        await row.getByText(`${goals.join(' : ')} (${clock})`).waitFor()
        await state.getByText(`In play · ${clock}`).waitFor()
        await trader.page.getByText(goals.join(' : '), { exact: true }).waitFor()
    }
    await show(['1', '0'], "44'")
    await show(['1', '1'], 'half time')
    const { games } = await exchange.operate('GET', '/admin/v1/sports')
    const stands = games.find((one) => one.slug === GAME)
    assert.deepEqual([stands.status, stands.score], ['LIVE', { home: 1, away: 1 }])
    // Without a number there is no score to show.
    await row.getByRole('button', { name: 'Score…' }).click()
    await dialogOf(page).getByLabel(teams[0]).fill('two')
    await dialogOf(page).getByRole('button', { name: 'Show it' }).click()
    await dialogOf(page).getByRole('alert').filter({ hasText: 'Say the score.' }).waitFor()
    await page.keyboard.press('Escape')
    assert.equal((await exchange.event(`${GAME}-winner`)).status, 'closed', 'trading ended when the game began')
    await trader.clean()
    await trader.context.close()
}

async function grouped(page, exchange) {
    const slug = 'console-summit'
    await exchange.operate('POST', '/admin/v1/events', {
        slug,
        title: 'What comes of the summit?',
        type: 'grouped',
        engine: 'CLOB',
        currencies: ['USD'],
        category: 'politics',
        markets: ['A treaty', 'A date', 'A walkout'].map((title) => ({ title })),
    })
    await exchange.operate('POST', `/admin/v1/events/${slug}/open`)
    await page.goto(`/events/${slug}`)
    const of = async () => exchange.operate('GET', `/admin/v1/events/${slug}`)
    const card = (index) => page.locator('[data-market]').nth(index)
    await card(0).getByRole('button', { name: 'Terms…' }).click()
    await dialogOf(page).getByLabel('Fee in percent').fill('1.25')
    await dialogOf(page).getByLabel('Smallest order, USD').fill('3')
    await confirm(page, 'Change the terms')
    // A higher smallest order is announced, and what changes with it.
    await card(0).locator('[data-field="announced"]').getByText('Fee 1.25%').waitFor()
    await card(0).locator('[data-field="announced-minimum"]').getByText('$3.00').waitFor()
    assert.equal(await card(0).locator('[data-field="fee"]').innerText(), '0%')
    const { announcedTerms, minimumOrderAmount } = (await of()).markets[0]
    assert.deepEqual([announcedTerms.minimumOrderAmount.USD, minimumOrderAmount.USD], [3, 1])
    await card(1).getByRole('button', { name: 'Pause…' }).click()
    await confirm(page, 'Pause trading')
    await card(1).getByRole('button', { name: 'Resume…' }).waitFor()
    await card(2).getByRole('button', { name: 'Call off…' }).click()
    await dialogOf(page).getByLabel('What a YES share pays').fill('0.35')
    await confirm(page, 'Call off and pay')
    await eventually(async () =>
        assert.deepEqual(
            (await of()).markets.map((market) => market.status),
            ['open', 'paused', 'cancelled'],
        ),
    )
    await page.getByRole('button', { name: 'Close…' }).first().click()
    await confirm(page, 'Close for good')
    await page.getByRole('button', { name: 'Resolve…' }).waitFor()
    await rulings(page, exchange, slug, (await of()).markets)
    await page.getByRole('button', { name: 'Resolve…' }).click()
    await dialogOf(page)
        .getByRole('radiogroup', { name: 'Outcome of A treaty' })
        .getByRole('radio', { name: 'NO' })
        .check()
    await dialogOf(page)
        .getByRole('radiogroup', { name: 'Outcome of A date' })
        .getByRole('radio', { name: 'YES' })
        .check()
    await dialogOf(page).getByLabel('Evidence', { exact: true }).fill('The communiqué.')
    await confirm(page, 'Resolve and pay')
    await eventually(async () => assert.equal((await of()).status, 'resolved'))
    assert.deepEqual(
        (await of()).resolution.markets.map((market) => market.yesPayout),
        [0, 1, 0.35],
    )
}

/** A verdict on several markets names each by its title: on the list of proposals, and on the event once it was withdrawn. */
async function rulings(page, exchange, slug, [treaty, date]) {
    const outcomes = [
        { marketId: treaty.marketId, outcome: 'NO' },
        { marketId: date.marketId, outcome: 'YES' },
    ]
    const { proposalId } = await exchange.operate('POST', `/admin/v1/events/${slug}/propose`, {
        outcomes,
        evidence: { text: 'The communiqué.', link: '' },
    })
    const named = async (place) =>
        eventually(async () =>
            assert.deepEqual(await place.getByRole('listitem').allInnerTexts(), ['A treaty: NO', 'A date: YES']),
        )
    await page.goto(`/proposals/${proposalId}`)
    const card = page.locator(`[data-proposal-id="${proposalId}"]`)
    await card.getByRole('link', { name: 'What comes of the summit?' }).waitFor()
    await named(card)
    await exchange.operate('POST', `/admin/v1/proposals/${proposalId}/withdraw`, { reason: 'Too early.' })
    await page.goto(`/events/${slug}`)
    await named(page.getByTestId('verdict'))
}
