// Results of a series that rest on pushed prices are finalised together. A series ends on the quarter of an hour, for which no test
// waits: the exchange's answers are played here, and its own rules are tested where the clock is.
import assert from 'node:assert/strict'
import { confirm, dialogOf, visitConsole } from './operator-visitor.mjs'

export const name = 'operator: all results of a series at once'
const SERIES = 'crypto-btc-15min'

function result(index, proposedBy) {
    return {
        proposalId: `00000000-0000-7000-8000-00000000000${index}`,
        type: 'resolution',
        about: `${SERIES}-${index}`,
        eventId: `00000000-0000-7000-9000-00000000000${index}`,
        verdict: { type: 'outcomes', outcomes: [{ marketId: 'm', outcome: 'YES' }] },
        evidence: { text: 'Opened at 10.00 and closed at 11.00.', link: '' },
        proposedBy,
        alsoBy: ['otto'],
        seriesSlug: SERIES,
        role: 'operator',
        proposedAt: '2026-01-01T00:00:00Z',
        finalFrom: '2026-01-01T00:00:00Z',
    }
}

export async function run({ browser, quiet: exchange }) {
    const { page, context, clean } = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    let waiting = [1, 2, 3].map((index) => result(index, 'pia'))
    const asked = []
    await page.route('**/admin/v1/status', async (route) => {
        const response = await route.fetch()
        const status = await response.json()
        const policy = { ...status.policy, twoRequired: true }
        await route.fulfill({ response, json: { ...status, policy, pendingProposals: waiting.length } })
    })
    await page.route('**/admin/v1/proposals', (route) => route.fulfill({ json: { proposals: waiting } }))
    await page.route('**/admin/v1/series/*/finalise', (route) => {
        asked.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`)
        const finalised = waiting.length
        waiting = []
        return route.fulfill({ json: { finalised } })
    })
    for (const address of ['/', '/proposals']) {
        await page.goto(address)
        const group = page.locator(`[data-series-results="${SERIES}"]`)
        await group.getByText('3 results wait, because pia, otto pushed a price.').waitFor()
        assert.equal(await group.locator('[data-proposal]').count(), 2)
        await group.getByRole('button', { name: 'Show all 3' }).click()
        assert.equal(await group.locator('[data-proposal]').count(), 3)
    }
    await page.getByRole('button', { name: 'Finalise all of this series…' }).click()
    await dialogOf(page).getByText('3 results can be finalised now').waitFor()
    await confirm(page, 'Finalise and pay')
    await page.locator('[data-toast="good"]', { hasText: '3 results finalised and paid' }).waitFor()
    await page.getByText('Nothing waits for approval').waitFor()
    assert.deepEqual(asked, [`POST /admin/v1/series/${SERIES}/finalise`])

    // One who pushed a price finalises none of them.
    waiting = [result(1, 'first')]
    await page.goto('/proposals')
    const group = page.locator(`[data-series-results="${SERIES}"]`)
    await group.getByText('You proposed it').first().waitFor()
    assert.ok(await group.getByRole('button', { name: 'Finalise all of this series…' }).isDisabled())
    await page.unrouteAll({ behavior: 'wait' })
    await clean()
    await context.close()
}
