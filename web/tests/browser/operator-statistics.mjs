// Trading over time on the overview: the figures are those of the API, a trade changes them, and pools have titles.
import assert from 'node:assert/strict'
import { visitConsole } from './operator-visitor.mjs'
import { money } from './shown.mjs'
import { eventually } from './until.mjs'

export const name = 'operator: volume, fees, traders and pools over time'

export async function run({ browser, quiet: exchange }) {
    const sums = async (query = '') => {
        const { buckets, pools } = await exchange.operate('GET', `/admin/v1/statistics?${query}`)
        const sum = (of) => buckets.reduce((total, bucket) => total + of(bucket), 0)
        return { volume: sum((one) => one.volume), fees: sum((one) => one.fees), pools }
    }
    const before = await sums()
    const { events } = await exchange.read('/v1/pm/events?size=50&currency=USD&status=open')
    const event = events.find((one) => one.engine === 'AMM')
    assert.ok(event, 'a pool is open')
    const market = event.markets[0]
    const order = { side: 'BUY', type: 'MARKET', currency: 'USD', amount: 20, outcomeId: market.outcome1Id }
    await exchange.place(exchange.user('ada'), event, market, order)
    const after = await sums()
    assert.ok(after.volume > before.volume && after.fees >= before.fees, 'the trade is counted')
    assert.equal(after.pools[0].marketId, market.id, 'its pool changed last')

    const { page, context, clean } = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    await page.goto('/')
    const section = page.getByTestId('statistics')
    await eventually(async () => {
        const shown = await sums()
        assert.equal(await section.locator('[data-field="volume"]').innerText(), money(shown.volume))
        assert.equal(await section.locator('[data-field="fees"]').innerText(), money(shown.fees))
    })
    assert.equal(await section.getByRole('img').count(), 4)
    const pool = section.locator(`[data-pool="${market.id}"]`)
    assert.match(await pool.innerText(), new RegExp(event.title.replace(/[^\w ]/g, '.')))
    assert.equal(await pool.getByRole('link').getAttribute('href'), `/events/${event.slug}`)

    // Another currency and other buckets.
    await section.getByRole('radio', { name: '30 days' }).check()
    await section.getByRole('radio', { name: 'NGN' }).check()
    await eventually(async () => assert.match(await section.locator('[data-field="volume"]').innerText(), /^₦/))
    await clean()
    await context.close()
}
