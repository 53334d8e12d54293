// Make a key on the page, use its secret as a program would, rotate it, revoke it.
import assert from 'node:assert/strict'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'create, use, rotate and revoke an API key'

export async function run({ browser, quiet: exchange }) {
  const bola = exchange.user('bola')
  const { page, context, clean } = await visitAs(browser, exchange, bola)
  const check = async (keys) => (await exchange.send(keys, 'POST', '/v1/auth/check', {})).status
  const shownKeys = async () => ({
    publicKey: await page.locator('[data-key="public"]').innerText(),
    secretKey: await page.locator('[data-key="secret"]').innerText(),
  })
  const finish = async () => {
    await page.getByRole('button', { name: 'I have kept the secret' }).click()
    await page.locator('[data-key="secret"]').waitFor({ state: 'detached' })
  }

  await page.getByLabel('Name of a new key').fill('from the page')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.locator('[data-key="secret"]').waitFor()
  const first = await shownKeys()
  assert.match(first.secretKey, /^sk_/)
  assert.equal(await check(first), 200)
  const example = await page.getByRole('region', { name: 'Signing example' }).innerText()
  assert.ok(example.includes(first.secretKey) && example.includes(exchange.url))
  // It stays until it is said to be kept.
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('[data-key="secret"]').count(), 1)
  await finish()

  const row = page.locator('[data-key-name="from the page"]')
  assert.ok((await row.innerText()).includes(first.publicKey))
  assert.ok(!(await page.content()).includes(first.secretKey), 'the secret is gone from the page')

  await row.getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click()
  await page.locator('[data-key="secret"]').waitFor()
  const second = await shownKeys()
  assert.equal(second.publicKey, first.publicKey)
  assert.notEqual(second.secretKey, first.secretKey)
  assert.equal(await check(first), 401)
  assert.equal(await check(second), 200)
  await finish()

  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await row.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await check(second), 401))
  await clean()
  await context.close()
}
