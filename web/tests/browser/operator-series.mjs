// Results of a series that rest on pushed prices are finalised together. A series ends an interval on the quarter of an hour, for
// which no test waits: the example `pushed_series` writes a venue that has lived through some.
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { fitsEverywhere } from './accessibility.mjs'
import { newFolder, removeFolder, runProgram, startExchange } from './exchange.mjs'
import { confirm, dialogOf, postPastThePage, printedToken, visitConsole } from './operator-visitor.mjs'

export const name = 'operator: all results of a series at once'
const SERIES = 'harbour-oil-15min'
/** What the house gets back: the pools of three events. */
const SEEDS = 150

export async function run({ browser, executable, atEnd }) {
    const folder = await newFolder()
    atEnd(() => removeFolder(folder))
    const token = async () => printedToken(await runProgram(executable, ['operator', 'token']))
    const [pia, otto] = [await token(), await token()]
    await runProgram(join(dirname(executable), 'examples', 'pushed_series'), [folder, pia.hash, otto.hash])
    const exchange = await startExchange(executable, ['--no-bots'], folder)
    atEnd(() => exchange.stop())

    await refusedToThePusher(browser, exchange, pia.token)
    const { page, context, clean } = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    const { proposals } = await exchange.operate('GET', '/admin/v1/proposals')
    const house = await houseDollars(exchange)
    for (const address of ['/', '/proposals']) {
        await page.goto(address)
        await resultsOf(page).getByText('3 results wait, because pia and otto pushed a price.').waitFor()
        assert.equal(await resultsOf(page).locator('[data-proposal]').count(), 2)
        await resultsOf(page).getByRole('button', { name: 'Show all 3' }).click()
        assert.equal(await resultsOf(page).locator('[data-proposal]').count(), 3)
        const verdicts = await resultsOf(page).locator('.verdict').allInnerTexts()
        assert.deepEqual(verdicts.sort(), ['Down', 'Up', 'Up'])
    }
    await fitsEverywhere(page, 'operator-series-results')
    await pricesOfTheFirst(page)
    await finaliseButton(page).click()
    await dialogOf(page).getByText('3 results can be finalised now').waitFor()
    await fitsEverywhere(page, 'operator-series-finalise')
    await confirm(page, 'Finalise and pay')
    await page.locator('[data-toast="good"]', { hasText: '3 results finalised and paid' }).waitFor()
    await page.getByText('Nothing waits for approval').waitFor()
    await paid(exchange, proposals)
    assert.equal(await houseDollars(exchange), house + SEEDS)
    await logged(page)
    await clean()
    await context.close()
}

const resultsOf = (page) => page.locator(`[data-series-results="${SERIES}"]`)
const finaliseButton = (page) => resultsOf(page).getByRole('button', { name: 'Finalise all of this series…' })

/** An approver who pushed a price finalises none of them. */
async function refusedToThePusher(browser, exchange, token) {
    const { page, context, clean } = await visitConsole(browser, exchange, token)
    await page.goto('/proposals')
    await resultsOf(page).getByText('You proposed it').first().waitFor()
    assert.ok(await finaliseButton(page).isDisabled())
    assert.deepEqual(await postPastThePage(page, `/admin/v1/series/${SERIES}/finalise`), [422, 'NEEDS_ANOTHER'])
    await clean()
    await context.close()
}

/** What the approver compares with another source is on the page of the event, one link away. */
async function pricesOfTheFirst(page) {
    const card = resultsOf(page).locator('[data-proposal]').first()
    assert.match(await card.innerText(), /Proposed by pia \(approver\) and otto,/)
    await card.getByRole('link').first().click()
    const fact = (name) => page.locator('.facts div', { hasText: name }).locator('dd')
    await fact('At the close').filter({ hasText: /^72/ }).waitFor()
    assert.match(await fact('OIL at the opening').innerText(), /^70/)
    await page.goBack()
}

/** The price rose, fell and rose. */
async function paid(exchange, proposals) {
    const payouts = []
    for (const { about } of proposals) {
        const { status, resolution } = await exchange.operate('GET', `/admin/v1/events/${about}`)
        assert.equal(status, 'resolved')
        payouts.push([about, resolution.markets[0].yesPayout])
    }
    // An event's slug ends with its beginning.
    assert.deepEqual(
        payouts.sort().map(([, payout]) => payout),
        [1, 0, 1],
    )
}

async function houseDollars(exchange) {
    const { house } = await exchange.operate('GET', '/admin/v1/status')
    return house.find(({ currency }) => currency === 'USD').availableBalance
}

async function logged(page) {
    await page.goto('/audit')
    const entry = page.locator('[data-action="finalise_series"]')
    await entry.filter({ hasText: 'first' }).first().waitFor()
    assert.equal(await entry.first().locator('[data-field="action"]').innerText(), 'Finalise results of a series')
}
