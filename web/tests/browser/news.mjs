// News on an event: an operator attaches a note, the page lists it and marks it in the chart, and its removal takes it away.
import assert from 'node:assert/strict'
import { confirm, dialogOf, visitConsole } from './operator-visitor.mjs'
import { eventually } from './until.mjs'
import { visit } from './visitor.mjs'

export const name = 'news on an event, from the console to the chart'
const TITLE = 'Harbour office warns of fog'

export async function run({ browser, quiet: exchange }) {
    const { events } = await exchange.read('/v1/pm/events?size=50&currency=USD&status=open')
    const event = events.find((one) => !one.seriesSlug && one.engine === 'CLOB')
    assert.ok(event, 'a question is open')
    const office = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    await office.page.goto(`/events/${event.slug}`)
    const section = office.page.getByRole('region', { name: 'News' })
    await section.getByText('No news is attached').waitFor()
    await section.getByRole('button', { name: 'Add news' }).click()
    const dialog = dialogOf(office.page)
    await dialog.getByLabel('Title').fill(TITLE)
    await dialog.getByLabel('Link').fill('http://example.org/fog')
    await dialog.getByRole('button', { name: 'Attach it' }).click()
    // Only an https address is taken; what was typed stays.
    await dialog.getByRole('alert').filter({ hasText: 'https://' }).waitFor()
    await dialog.getByLabel('Link').fill('https://example.org/fog')
    await confirm(office.page, 'Attach it')
    await section.getByRole('link', { name: TITLE }).waitFor()

    const reader = await visit(browser, exchange)
    await reader.page.goto(`/events/${event.slug}`)
    const list = reader.page.getByTestId('news')
    const link = list.getByRole('link', { name: TITLE })
    await link.waitFor()
    assert.equal(await link.getAttribute('href'), 'https://example.org/fog')
    assert.match(await link.getAttribute('rel'), /noopener/)
    await reader.page.locator(`[data-mark^="Harbour office"]`).waitFor({ state: 'attached' })

    await section.getByRole('button', { name: /^Remove.*Harbour office/ }).click()
    await confirm(office.page, 'Remove')
    await section.getByText('No news is attached').waitFor()
    await reader.page.reload()
    await reader.page.getByRole('heading', { level: 1 }).waitFor()
    await eventually(async () => assert.equal(await list.count(), 0))
    for (const visitor of [office, reader]) {
        await visitor.clean()
        await visitor.context.close()
    }
}
