// Amounts as people type them: in the signs of their browser, with what was understood, and refused where they have two readings.
import assert from 'node:assert/strict'
import { watchSent } from './sent.mjs'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'amounts are read in the signs of the reader, or refused'
const SLUG = 'ether-above-5000-at-year-end'

export async function run({ browser, quiet: exchange }) {
  await inGerman(browser, exchange)
  await inEnglish(browser, exchange)
}

async function ticketOf(browser, exchange, locale) {
  const visitor = await visitAs(browser, exchange, exchange.user('dayo'), { locale })
  const { page } = visitor
  // Firefox 140 has one language for all pages.
  if (process.env.BROWSER === 'firefox')
    await page.addInitScript((language) => Object.defineProperty(navigator, 'language', { get: () => language }), locale)
  const sent = []
  watchSent(page, ({ method, url, body }) => method === 'POST' && sent.push({ url, body }))
  await page.goto(`/events/${SLUG}`)
  const form = page.getByRole('form', { name: 'Order ticket' })
  const size = form.getByLabel('Amount to spend')
  await form.getByText(/^Cash \$\d/).waitFor()
  // The chart asks for quotes too, without a bound.
  const bodies = () => sent.filter(({ url }) => url.endsWith('/quote')).map(({ body }) => JSON.parse(body))
  const asked = () => bodies().filter(({ maxSlippage }) => maxSlippage !== undefined).map(({ amount }) => amount)
  return {
    ...visitor,
    form,
    size,
    asked,
    ordered: () => sent.filter(({ url }) => url.endsWith('/orders')),
    /** Types it, and waits for the quote of that amount. */
    async quotes(typed, amount) {
      await size.fill('')
      await size.pressSequentially(typed)
      await eventually(async () => assert.equal(asked().at(-1), amount, typed))
    },
  }
}

/** Copies what an element shows, as a person does, and pastes it over what is in the field. */
async function copied(page, shown, field) {
  await field.blur()
  await shown.evaluate((element) => getSelection().selectAllChildren(element))
  await page.keyboard.press('Control+c')
  await field.selectText()
  await field.press('Control+v')
}

async function inGerman(browser, exchange) {
  const { page, context, clean, form, size, asked, quotes } = await ticketOf(browser, exchange, 'de-DE')
  await quotes('12,5', 12.5)
  await quotes('1234', 1234)
  assert.equal(await size.inputValue(), '1.234', 'thousands are set apart while typing')
  await size.press('Backspace')
  assert.equal(await size.inputValue(), '123')
  await quotes('1.234,50', 1234.5)
  await form.getByText('Understood as $1.234,50').waitFor()

  const cash = page.getByTestId('cash')
  assert.match(await cash.innerText(), /^\$\d{1,3}(\.\d{3})+,\d\d$/)
  await copied(page, cash, size)
  await form.getByText(`Understood as ${await cash.innerText()}`).waitFor()
  await eventually(async () => assert.equal(asked().at(-1), Number((await cash.innerText()).replace(/[$.]/g, '').replace(',', '.'))))

  // What the page fills in is read as the page means it.
  await size.fill('')
  await form.getByRole('button', { name: '+$100' }).click()
  await form.getByRole('button', { name: '+$100' }).click()
  await eventually(async () => assert.equal(asked().at(-1), 200))

  const before = asked().length
  for (const typed of ['1.234', '12.5', '0.125']) {
    await size.fill(typed)
    await form.getByRole('button', { name: 'Buy Yes', exact: true }).click()
    await form.getByText(typed === '1.234' ? '1.234 can mean 1234 or 1,234.' : 'A number, such as 25 or 12,50').waitFor()
  }
  assert.ok(asked().slice(before).every((amount) => amount === 200), `${asked()}`)
  await clean()
  await context.close()
}

async function inEnglish(browser, exchange) {
  const { page, context, clean, form, size, asked, ordered, quotes } = await ticketOf(browser, exchange, 'en-US')
  await quotes('1,234.5', 1234.5)
  await form.getByText('Understood as $1,234.50').waitFor()
  const before = asked().length
  for (const typed of ['0,125', '12,5', '1,2345', '1.234,500', '₦50']) {
    await size.fill(typed)
    await form.getByRole('button', { name: 'Buy Yes', exact: true }).click()
    await form.getByText('A number, such as 25 or 12.50').waitFor()
  }
  // Pasted over what the page has set apart.
  await size.fill('12345')
  await eventually(async () => assert.equal(asked().at(-1), 12345))
  assert.equal(await size.inputValue(), '12,345')
  await copied(page, await shownIn(page, '1,345'), size)
  await form.getByText('1,345 can mean 1345 or 1.345.').waitFor()
  await form.getByRole('button', { name: 'Buy Yes', exact: true }).click()
  assert.deepEqual(ordered(), [], 'nothing was sent')
  assert.ok(asked().slice(before).every((amount) => amount === 12345), `${asked()}`)
  await clean()
  await context.close()
}

/** Any text of the page that a person could copy. */
async function shownIn(page, text) {
  await page.evaluate((words) => (document.querySelector('footer p, footer a').textContent = words), text)
  return page.locator('footer').getByText(text, { exact: true })
}
