// The last hour on the overview: the node's samples, drawn at once at every visit; and why a node is not ready.
import assert from 'node:assert/strict'
import { fitsEverywhere } from './accessibility.mjs'
import { visitConsole } from './operator-visitor.mjs'
import { money } from './shown.mjs'
import { eventually } from './until.mjs'

export const name = 'operator: the last hour of the node'

const MINUTES = 60
const REASONS = [
    ['draining', 'The node is stopping'],
    ['log_lag', 'The node is 4000 sequences behind the log; 1000 are allowed'],
]

/** An hour of samples, as a node that has run for longer has them. */
function hour() {
    const begin = Date.now() - MINUTES * 60_000
    return Array.from({ length: MINUTES }, (_, minute) => ({
        at: new Date(begin + (minute + 1) * 60_000).toISOString(),
        seconds: 60,
        requests: 120 + minute * 6,
        errors: 0,
        commands: 30,
        // A minute without a response has no times.
        ...(minute === 7 ? {} : { p50Micros: 400, p99Micros: 2500 + minute }),
        currencies: [
            { currency: 'USD', volume: 1.25, fees: 0.01, trades: 2, traders: minute % 5 },
            { currency: 'NGN', volume: 100, fees: 1, trades: 1, traders: 1 },
        ],
    }))
}

export async function run({ browser, quiet: exchange }) {
    const answered = await exchange.operate('GET', '/admin/v1/signals')
    assert.ok(answered.samples.length <= MINUTES && answered.sampleSeconds === 60, 'the node keeps an hour')
    assert.deepEqual([answered.ready, answered.reasons], [true, []])
    const { page, context, clean } = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    const section = page.getByTestId('last-hour')
    const field = (name) => section.locator(`[data-field="${name}"]`).innerText()

    // A node that has just started says that it has nothing yet.
    await page.route('**/admin/v1/signals', (route) => route.fulfill({ json: { ...answered, samples: [] } }))
    await page.goto('/')
    await section.getByText('No line yet').waitFor()
    await page.unroute('**/admin/v1/signals')

    await page.route('**/admin/v1/signals', (route) => route.fulfill({ json: { ...answered, samples: hour() } }))
    await page.reload()
    await eventually(async () => assert.equal(await section.getByRole('img').locator('canvas').count(), 5))
    // 120 + 59 · 6 responses in the last minute.
    assert.equal(await field('throughput'), '7.9/s')
    assert.deepEqual([await field('p50'), await field('p99')], ['0.4 ms', '99 % under 2.6 ms'])
    assert.deepEqual([await field('volume'), await field('fees')], [money(75), money(0.6)])
    assert.equal(await field('traders'), 'at most 4 in a minute')
    await section.getByRole('radio', { name: 'NGN' }).check()
    await eventually(async () => assert.match(await field('volume'), /^₦6,000/))
    assert.equal(await page.getByTestId('not-ready').count(), 0, 'a node that is ready says nothing')
    await page.unroute('**/admin/v1/signals')
    await notReady(page, answered)
    await clean()
    await context.close()
}

/** The reasons stand above the charts in the node's own words, and go when the node is ready. */
async function notReady(page, answered) {
    const reasons = REASONS.map(([code, message]) => ({ code, message }))
    const notice = page.getByTestId('not-ready')
    for (const samples of [[], hour()]) {
        await page.unroute('**/admin/v1/signals')
        await page.route('**/admin/v1/signals', (route) =>
            route.fulfill({ json: { ...answered, ready: false, reasons, samples } }),
        )
        await page.reload()
        await notice.getByText('This node is not ready').waitFor()
        assert.deepEqual(
            await notice.getByRole('listitem').allInnerTexts(),
            REASONS.map(([, message]) => message),
        )
    }
    const charts = page.getByTestId('last-hour').getByRole('img')
    await charts.first().waitFor()
    assert.ok((await notice.boundingBox()).y < (await charts.first().boundingBox()).y, 'the notice is above the charts')
    await fitsEverywhere(page, 'operator-not-ready')
    await page.unroute('**/admin/v1/signals')
    await page.reload()
    await page.getByTestId('last-hour').getByText('No line yet').or(charts.first()).first().waitFor()
    assert.equal(await notice.count(), 0)
}
