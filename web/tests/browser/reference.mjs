// The reference of the API at /docs: every operation is listed, one is sent without a key, and one is signed with a key that is
// typed in. Nothing violates the page's policy, and nothing is stored.
import assert from 'node:assert/strict'
import { visit } from './visitor.mjs'

export const name = 'the reference of the API, with a read and a signed request'

/** Sends an operation as it is, and returns the status and the text of the answer. */
async function send(page, operation) {
  const block = page.locator(`[id="${operation}"]`)
  await block.locator('.opblock-summary-control').click()
  await block.getByRole('button', { name: 'Try it out' }).click()
  await block.getByRole('button', { name: 'Execute' }).click()
  const row = block.locator('.live-responses-table .response').first()
  await row.waitFor()
  return [(await row.locator('.response-col_status').innerText()).trim(), await row.innerText()]
}

export async function run({ browser, quiet: exchange }) {
  const { page, context, clean } = await visit(browser, exchange)
  const described = await exchange.read('/openapi.json')
  const operations = Object.values(described.paths).flatMap((item) => Object.keys(item)).length
  await page.goto('/docs')
  await page.locator('#reference .opblock').first().waitFor()
  assert.equal(await page.locator('#reference .opblock').count(), operations)

  const [status, events] = await send(page, 'operations-Events-list_events')
  assert.equal(status, '200', events)
  assert.match(events, /"events": \[/)

  const user = exchange.demo.users[0]
  await page.getByLabel('Public key').fill(user.publicKey)
  await page.getByLabel('Secret key').fill(user.secretKey)
  const [signed, answer] = await send(page, 'operations-System-auth_check')
  assert.equal(signed, '200', answer)
  assert.match(answer, /"valid": true/)

  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
  assert.ok(!stored.includes(user.secretKey), 'the key is in the tab alone')
  await page.reload()
  assert.equal(await page.getByLabel('Secret key').inputValue(), '')
  await clean()
  await context.close()
}
