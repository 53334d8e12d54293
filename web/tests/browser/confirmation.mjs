// A large order is confirmed by its own button alone: not by Enter held or pressed twice, not by a second click or tap.
import assert from 'node:assert/strict'
import { dollarsOf, ownQuestion } from './own-question.mjs'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'only its own button confirms a large order'

export async function run({ browser, quiet: exchange }) {
  const [efe, chidi] = [exchange.user('efe'), exchange.user('chidi')]
  const question = await ownQuestion(exchange, { slug: 'does-the-bakery-open', title: 'Does the bakery open?' })
  await question.mint(chidi, 400)
  await question.place(chidi, { side: 'SELL', price: 0.4, quantity: 300 })
  const count = async () => (await question.orders(efe)).length
  const large = String(Math.ceil((await dollarsOf(exchange, efe)) * 0.6))

  const { page, context, clean } = await visitAs(browser, exchange, efe)
  await page.goto(question.address)
  const form = page.getByRole('complementary', { name: 'Trade' }).getByRole('form', { name: 'Order ticket' })
  await form.getByText(/^Cash \$\d/).waitFor()
  const [size, confirmation] = [form.getByLabel('Amount to spend'), form.getByTestId('confirmation')]
  const [change, confirm] = ['Change it', 'Confirm: Buy Yes'].map((name) => confirmation.getByRole('button', { name }))
  const buy = form.getByRole('button', { name: 'Buy Yes', exact: true })
  const has = (locator) => locator.evaluate((element) => element === document.activeElement)
  const asksOnly = async () => {
    await eventually(async () => assert.ok(await has(change), 'the focus is on the way back'))
    assert.equal(await count(), 0, 'nothing was sent')
  }
  const quoted = () => form.getByTestId('quote').locator('[data-field="total"]').waitFor()

  // Enter twice, as fast as keys are pressed; and before there is a quote, which is waited for.
  await size.fill(large)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await asksOnly()
  // Escape leads back to where one was.
  await page.keyboard.press('Escape')
  await confirmation.waitFor({ state: 'detached' })
  assert.ok(await has(size))
  await quoted()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await asksOnly()
  await page.keyboard.press('Escape')

  // Enter held.
  for (let times = 0; times < 30; times += 1) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await asksOnly()

  // Enter in a field asks again, and confirms nothing.
  await size.press('Enter')
  await form.getByRole('radio', { name: 'Buy', exact: true }).press('Enter')
  assert.ok(await confirmation.isVisible())
  assert.equal(await count(), 0)
  await change.click()
  await confirmation.waitFor({ state: 'detached' })

  // A second click on the place of the first.
  await buy.dblclick()
  await confirmation.waitFor()
  assert.equal(await count(), 0, 'nothing was sent')
  assert.equal(await size.inputValue(), Number(large).toLocaleString('en-US'))

  await confirm.click()
  await page.locator('[data-toast="good"]', { hasText: 'Bought' }).waitFor()
  assert.equal(await count(), 1)
  assert.ok(await has(size), 'the next order can be typed')

  // A small one by keyboard: a button that is busy keeps the focus, and Enter that is held sends one.
  await form.getByRole('radio', { name: 'Limit' }).check()
  await form.getByLabel(/^Limit price/).fill('5')
  await form.getByLabel('Shares', { exact: true }).last().fill('20')
  await buy.focus()
  await page.keyboard.press('Space')
  await page.locator('[data-toast="good"]', { hasText: 'in the book' }).waitFor()
  assert.ok(await has(buy))
  assert.equal(await count(), 2)
  await form.getByLabel('Shares', { exact: true }).last().fill('20')
  for (let times = 0; times < 30; times += 1) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await eventually(async () => assert.equal(await count(), 3))
  assert.equal(await form.getByText('How many shares?').count(), 0, 'a held key is one press')
  await clean()
  await context.close()
  await question.place(chidi, { side: 'SELL', price: 0.4, quantity: 100 })
  await onAPhone(browser, exchange, question, efe)
}

/** The buttons are in view, and a second tap answers nothing. */
async function onAPhone(browser, exchange, question, efe) {
  const { page, context, clean } = await visitAs(browser, exchange, efe, { viewport: { width: 390, height: 844 } })
  const before = (await question.orders(efe)).length
  await page.goto(question.address)
  await page.getByRole('button', { name: /^Yes/ }).last().click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText(/^Cash \$\d/).waitFor()
  await sheet.getByLabel('Amount to spend').fill(String(Math.ceil((await dollarsOf(exchange, efe)) * 0.6)))
  await sheet.getByTestId('quote').locator('[data-field="payout"]').waitFor()
  await sheet.getByRole('button', { name: 'Buy Yes', exact: true }).dblclick()
  const confirmation = sheet.getByTestId('confirmation')
  for (const name of ['Change it', 'Confirm: Buy Yes']) {
    await eventually(async () => {
      const { y, height } = await confirmation.getByRole('button', { name }).boundingBox()
      assert.ok(y >= 0 && y + height <= 844, `${name} ends at ${y + height}`)
    })
  }
  await page.keyboard.press('Escape')
  await confirmation.waitFor({ state: 'detached' })
  assert.ok(await sheet.isVisible(), 'the sheet stays')
  assert.equal((await question.orders(efe)).length, before, 'nothing was sent')
  await clean()
  await context.close()
}
