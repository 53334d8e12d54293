// An operator uploads pictures for an event and an outcome; traders see them on the card, the event and its outcomes, in boxes
// that do not move, and the category's icon where a picture is missing or cannot be loaded.
import assert from 'node:assert/strict'
import { crc32, deflateSync } from 'node:zlib'
import { fitsEverywhere } from './accessibility.mjs'
import { visitConsole } from './operator-visitor.mjs'
import { eventually } from './until.mjs'
import { visit } from './visitor.mjs'

export const name = 'operator: pictures for events and outcomes'
const TITLE = 'Does the lighthouse shine tonight?'
const SLUG = 'does-the-lighthouse-shine-tonight'
const OWN = /^\/pictures\/[0-9a-f]{64}\.jpg$/

export async function run({ browser, quiet: exchange }) {
    const operator = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    const address = await createWithPicture(operator.page, exchange)
    const grouped = await pictureAnOutcome(operator.page, exchange, address)
    await operator.clean()
    await operator.context.close()

    await shownToTraders(browser, exchange, grouped)
    await fallsBack(browser, exchange)
}

async function createWithPicture(page, exchange) {
    await page.goto('/events')
    await page.getByRole('link', { name: 'New event' }).click()
    await page.getByLabel('Title', { exact: true }).fill(TITLE)
    await page.getByLabel('Category', { exact: true }).fill('weather')
    const file = page.locator('input[type=file]').first()
    await file.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') })
    await page.getByText('only PNG, JPEG and WebP are accepted').waitFor()
    await file.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(5 << 20) })
    await page.getByText('The file is larger than 4 MiB').waitFor()

    await file.setInputFiles({ name: 'tower.png', mimeType: 'image/png', buffer: png(900, 600) })
    await loaded(page.getByTestId('picture'), 640)
    // The preview has it as traders see it, beside the title.
    await loaded(page.getByTestId('preview-picture').locator('img'), 128)
    const address = await page.getByLabel('Picture', { exact: true }).inputValue()
    assert.match(address, OWN)
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
    await loaded(page.getByTestId('picture'), 640)
    await exchange.operate('POST', `/admin/v1/events/${SLUG}/open`, {})
    const event = await exchange.event(SLUG)
    assert.deepEqual([event.imageUrl, event.image128Url], [address, address.replace('.jpg', '-128.jpg')])
    return address
}

/** A draft with two outcomes, of which the second gets a picture in the console. */
async function pictureAnOutcome(page, exchange, address) {
    const slug = 'which-lamp-is-lit'
    await exchange.operate('POST', '/admin/v1/events', {
        slug,
        title: 'Which lamp is lit?',
        type: 'grouped',
        engine: 'CLOB',
        currencies: ['USD'],
        category: 'weather',
        imageUrl: address,
        markets: [{ title: 'Red' }, { title: 'Green' }],
    })
    await page.goto(`/events/${slug}/edit`)
    await page.locator('[data-market-fields="2"] input[type=file]').setInputFiles({
        name: 'green.png',
        mimeType: 'image/png',
        buffer: png(300, 300),
    })
    await loaded(page.locator('[data-market-fields="2"]').getByTestId('picture'), 300)
    const shown = page.getByTestId('preview-picture')
    await loaded(shown.nth(1).locator('img'), 128)
    assert.deepEqual(await shown.locator('img').evaluateAll((images) => images.map((image) => image.alt)), [
        'Picture: Which lamp is lit?',
        'Picture: Green',
    ])
    await fitsEverywhere(page, 'operator-preview-pictures')
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await page.getByRole('heading', { level: 1, name: 'Which lamp is lit?' }).waitFor()
    await exchange.operate('POST', `/admin/v1/events/${slug}/open`, {})
    const event = await exchange.event(slug)
    assert.deepEqual([event.imageUrl, event.markets[0].imageUrl], [address, ''], 'the rest stays')
    assert.match(event.markets[1].imageUrl, OWN)
    return event
}

async function shownToTraders(browser, exchange, grouped) {
    const { page, context, clean } = await visit(browser, exchange)
    await page.goto('/?order=newest')
    const card = page.locator(`[data-event="${SLUG}"]`)
    await loaded(card.locator('img'), 128)
    assert.equal(await card.locator('img').getAttribute('alt'), `Picture: ${TITLE}`)
    assert.equal(await card.locator('img').getAttribute('loading'), 'lazy')
    const without = page.locator('article[data-event]').filter({ hasNot: page.locator('img') }).first()
    // To a tenth of a pixel: browsers round places on the screen.
    const sizeOf = async (one) => {
        const { width, height } = await one.locator('.mark').boundingBox()
        return `${width.toFixed(1)} × ${height.toFixed(1)}`
    }
    assert.equal(await sizeOf(card), await sizeOf(without), 'as large as the icon')

    await page.goto(`/events/${grouped.slug}`)
    await loaded(page.locator('main header img').first(), 128)
    const faces = page.locator('ul[aria-label="Markets of this question"] .face')
    await eventually(async () => assert.equal(await faces.count(), 2, 'both rows keep the place'))
    await loaded(faces.nth(1).locator('img'), 128)
    assert.equal(await faces.nth(0).locator('img').count(), 0)
    await clean()
    await context.close()
}

async function fallsBack(browser, exchange) {
    const { page, context } = await visit(browser, exchange)
    await page.route('**/pictures/**', (route) => route.abort())
    await page.goto('/?order=newest')
    const mark = page.locator(`[data-event="${SLUG}"] .mark`)
    await mark.locator('svg').waitFor()
    assert.equal(await mark.locator('img').count(), 0)
    await context.close()
}

async function loaded(image, width) {
    // The head of a question is shown before the rest of its page, and again with it.
    await eventually(async () => {
        await image.scrollIntoViewIfNeeded()
        assert.equal(await image.evaluate((shown) => shown.complete && shown.naturalWidth), width)
    })
}

/** A picture of two colours. */
function png(width, height) {
    const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([30, 110, 160]))])
    const light = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([250, 210, 90]))])
    const rows = Array.from({ length: height }, (_, y) => (y < height / 3 ? light : row))
    const header = Buffer.alloc(13)
    header.writeUInt32BE(width, 0)
    header.writeUInt32BE(height, 4)
    header.set([8, 2, 0, 0, 0], 8)
    const chunk = (kind, data) => {
        const body = Buffer.concat([Buffer.from(kind), data])
        const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
        length.writeUInt32BE(data.length)
        sum.writeUInt32BE(crc32(body))
        return Buffer.concat([length, body, sum])
    }
    const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]
    return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), ...parts])
}
