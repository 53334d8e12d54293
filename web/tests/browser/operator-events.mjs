// Drafts: a live preview, a template, a copy, a CSV file that is checked first; one step for many events; a calendar of closings.
import assert from 'node:assert/strict'
import { fitsEverywhere } from './accessibility.mjs'
import { confirm, dialogOf, visitConsole } from './operator-visitor.mjs'
import { eventually } from './until.mjs'

export const name = 'operator: drafts by template, copy and file; many at once; the calendar'

const IN_A_MONTH = new Date(Date.now() + 30 * 86_400_000)
const HEAD = 'title,slug,category,type,closingDate,marketTitle,rules'
const FILE = [
    HEAD,
    `Does the ferry run in snow?,ferry-in-snow,transport,,${IN_A_MONTH.toISOString().slice(0, 19)}Z,,"YES if it sails, at all."`,
    'Who wins the harbour run?,harbour-run,sports,combined,,North side,YES if a northerner is first.',
    'Who wins the harbour run?,harbour-run,sports,combined,,South side,YES if a southerner is first.',
].join('\n')

export async function run({ browser, quiet: exchange }) {
    const { page, context, clean } = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    await page.goto('/events/new')
    const preview = page.getByTestId('preview')

    // Required fields are marked; the preview follows every letter.
    const mark = (label) =>
        page.getByText(label, { exact: true }).evaluate((element) => getComputedStyle(element, '::after').content)
    assert.match(await mark('Title'), /\*/)
    assert.doesNotMatch(await mark('Subcategory'), /\*/)
    await page.getByLabel('Title', { exact: true }).fill('Is the market hall open on Sunday?')
    await page.getByLabel('Category', { exact: true }).fill('politics')
    await page.getByLabel('Rules', { exact: true }).fill('YES if its doors open before noon.')
    await preview.getByRole('heading', { name: 'Is the market hall open on Sunday?' }).waitFor()
    await preview.getByText('YES if its doors open before noon.').waitFor()
    await fitsEverywhere(page, 'operator-preview')

    await page.getByRole('button', { name: 'Save as a template' }).click()
    // What was typed is still there, and goes on to be a draft.
    assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'Is the market hall open on Sunday?')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.waitForURL('**/events/is-the-market-hall-open-on-sunday')
    await page.goto('/events/new')
    await page.getByLabel('Begin from a template').selectOption('Is the market hall open on Sunday?')
    await eventually(async () =>
        assert.equal(await page.getByLabel('Rules', { exact: true }).inputValue(), 'YES if its doors open before noon.'),
    )
    assert.equal(await page.getByLabel('Slug').inputValue(), '')

    // A copy of an event has everything but its slug and dates.
    await page.goto('/events/city-referendum')
    await page.getByRole('link', { name: 'Duplicate' }).click()
    await eventually(async () => assert.match(await page.getByLabel('Title', { exact: true }).inputValue(), /referendum/))
    assert.equal(await page.locator('[data-market-fields]').count(), 3)
    await page.getByLabel('Slug').fill('second-referendum')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.waitForURL('**/events/second-referendum')

    // A file with mistakes makes nothing, and each mistake has its line.
    await page.goto('/events/import')
    const planned = page.getByTestId('planned').locator('[data-planned]')
    const create = page.getByRole('button', { name: /^Create/ })
    const contents = page.getByLabel('Or its contents')
    await contents.fill(`${FILE}\nNo category?,none,,,,,\nTaken?,city-referendum,politics,,,,`)
    await page.getByRole('button', { name: 'Check it' }).click()
    const problems = page.getByTestId('problems')
    await problems.getByRole('row', { name: /^5 .*category/ }).waitFor()
    await problems.getByRole('row', { name: /^6 .*city-referendum.*already/ }).waitFor()
    assert.ok(await create.isDisabled())
    await fitsEverywhere(page, 'operator-import')
    await contents.fill(FILE)
    await page.getByRole('button', { name: 'Check it' }).click()
    await eventually(async () => assert.equal(await planned.count(), 2))
    await create.click()
    await page.getByText('2 of 2 made').waitFor()
    const run = await exchange.operate('GET', '/admin/v1/events/harbour-run')
    assert.deepEqual(
        [run.status, run.type, run.markets.map((market) => market.title)],
        ['draft', 'combined', ['North side', 'South side']],
    )

    // Both open at once; a second step closes what can be closed.
    await page.goto('/events?status=draft')
    for (const slug of ['ferry-in-snow', 'harbour-run']) await page.locator(`[data-event="${slug}"] input`).check()
    await page.getByTestId('bulk').getByRole('button', { name: 'Open…' }).click()
    await fitsEverywhere(page, 'operator-bulk')
    await confirm(page, 'Let it trade')
    for (const slug of ['ferry-in-snow', 'harbour-run'])
        assert.equal((await exchange.operate('GET', `/admin/v1/events/${slug}`)).status, 'open')

    // It closes on its day.
    const day = (at) => at.toISOString().slice(0, 10)
    await page.goto(`/events/calendar?month=${day(IN_A_MONTH).slice(0, 7)}`)
    const cell = page.locator(`[data-day="${day(IN_A_MONTH)}"]`)
    const more = cell.getByRole('button', { name: /more$/ })
    await cell.getByRole('link').first().waitFor()
    if ((await more.count()) > 0) await more.click()
    await cell.getByRole('link', { name: /Does the ferry run in snow/ }).waitFor()
    await fitsEverywhere(page, 'operator-closings')

    await page.goto('/events?q=harbour-run')
    await page.locator('[data-event="harbour-run"] input').check()
    await page.getByTestId('bulk').getByRole('button', { name: 'Close…' }).click()
    await confirm(page, 'Close for good')
    assert.equal((await exchange.operate('GET', '/admin/v1/events/harbour-run')).status, 'closed')
    assert.equal(await dialogOf(page).count(), 0)

    // Markets are named by their titles.
    await page.goto('/solvency')
    const names = page.getByLabel('Backing of markets').getByRole('link')
    await names.first().waitFor()
    await eventually(async () => {
        for (const name of await names.allInnerTexts()) assert.doesNotMatch(name, /^(…|[0-9a-f]{8}-.*)$/)
    })
    await clean()
    await context.close()
}
