// Markup in stored texts stays text in the console too: on lists, on the event, in the dialogs, in the audit log.
import assert from 'node:assert/strict'
import { confirm, dialogOf, visitConsole } from './operator-visitor.mjs'
import { eventually } from './until.mjs'

export const name = 'operator: stored markup is text'

const CORPUS = [
    '<script>window.ran=1</script>',
    '<img src=x onerror="window.ran=1">',
    '"><iframe srcdoc="<script>parent.ran=1</script>">',
    '<a href="javascript:window.ran=1">click</a>',
    '</title><style>*{display:none}</style>',
    '<img src="//example.invalid/beacon.png">',
]

export async function run({ browser, quiet: exchange }) {
    const created = []
    for (const [index, text] of CORPUS.entries()) {
        const body = {
            slug: `console-text-${index}`,
            title: `console text ${index} ${text}`,
            type: 'grouped',
            engine: 'CLOB',
            currencies: ['USD'],
            category: text.slice(0, 40),
            description: `about ${text}`,
            resolutionSource: text,
            additionalContext: `context ${text}`,
            imageUrl: 'https://example.invalid/image.png',
            markets: ['one', 'two'].map((place) => ({
                title: `${place} ${text}`,
                rules: `rule ${text}`,
                yesLabel: `Y${text}`.slice(0, 40),
                noLabel: `N${text}`.slice(0, 40),
            })),
        }
        await exchange.operate('POST', '/admin/v1/events', body)
        created.push(body)
    }
    const { page, context, clean } = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    const unharmed = async () => {
        assert.equal(await page.evaluate(() => window.ran), undefined)
        assert.equal(
            await page
                .locator('main img, main iframe, main script, main link, main style, dialog img, dialog iframe')
                .count(),
            0,
        )
    }
    await page.goto('/events?status=draft&q=console-text')
    await eventually(async () =>
        assert.equal(await page.locator('[data-event^="console-text-"]').count(), CORPUS.length),
    )
    for (const body of created) {
        assert.equal(
            await page.locator(`[data-event="${body.slug}"] a`).evaluate((element) => element.textContent),
            body.title,
        )
    }
    await unharmed()
    for (const body of created) {
        await page.goto(`/events/${body.slug}`)
        await page.locator('[data-market]').first().waitFor()
        assert.equal(
            await page.getByRole('heading', { level: 1 }).evaluate((element) => element.textContent),
            body.title,
        )
        const said = await page.locator('main').evaluate((element) => element.textContent)
        for (const text of [
            body.description,
            body.additionalContext,
            body.resolutionSource,
            body.markets[0].rules,
            body.markets[0].yesLabel,
        ]) {
            assert.ok(said.includes(text), `${text} is there as it was written`)
        }
        await unharmed()
    }
    // A form holds it, evidence says it, and a link that runs something is no link.
    const [body] = created
    await page.goto(`/events/${body.slug}/edit`)
    assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), body.title)
    await exchange.operate('POST', `/admin/v1/events/${body.slug}/open`)
    await exchange.operate('POST', `/admin/v1/events/${body.slug}/close`)
    await page.goto(`/events/${body.slug}`)
    await page.getByRole('button', { name: 'Resolve…' }).click()
    assert.ok((await dialogOf(page).innerText()).includes(body.markets[0].title))
    await dialogOf(page).getByRole('radio', { name: 'NO', exact: true }).first().check()
    await dialogOf(page).getByLabel('Evidence', { exact: true }).fill(CORPUS[1])
    await dialogOf(page).getByRole('radio', { name: 'Propose first' }).check()
    await confirm(page, 'Propose')
    await page.locator('[data-proposal]').getByText(CORPUS[1]).waitFor()
    await unharmed()
    await page.getByRole('button', { name: 'Withdraw…' }).click()
    await dialogOf(page).getByLabel('Why').fill(CORPUS[0])
    await confirm(page, 'Withdraw')
    await page.getByTestId('verdict').filter({ hasText: CORPUS[0] }).waitFor()
    await page.goto(`/audit?event=${body.slug}`)
    await page.locator('[data-action="withdraw"]').waitFor()
    await unharmed()
    await clean()
    await context.close()
}
