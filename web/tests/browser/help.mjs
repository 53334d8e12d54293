// Help with its playground, and the proof of solvency that the browser checks.
import assert from 'node:assert/strict'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'help, and the proof of the own account'

export async function run({ browser, quiet: exchange }) {
  const { page, context, clean } = await visitAs(browser, exchange, exchange.user('ada'))
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Help' }).click()
  await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor()
  // 20 dollars at 25 cents without a fee are 80 shares.
  const set = (label, value) => page.getByRole('slider', { name: new RegExp(`^${label}`) }).fill(String(value))
  await set('Price of a share', 25)
  await set('You spend', 20)
  await set('Fee of the market', 0)
  const result = page.getByRole('status').filter({ hasText: 'You get' })
  await eventually(async () => assert.match(await result.innerText(), /80 shares[\s\S]*\+\$60\.00[\s\S]*−\$20\.00/))

  await page.getByRole('link', { name: 'your browser checks it' }).click()
  await page.getByRole('button', { name: 'Check my account' }).click()
  const verdict = page.getByTestId('inclusion')
  await verdict.getByText('Your account is counted in full').waitFor()

  // A proof of another balance is found out.
  await page.route('**/v1/pm/solvency/me', async (route) => {
    const response = await route.fetch()
    const proof = await response.json()
    proof.leaf.balances.USD.free += 1
    await route.fulfill({ response, json: proof })
  })
  await page.getByRole('button', { name: 'Check my account' }).click()
  await verdict.getByText('The proof does not hold').waitFor()
  await clean()
  await context.close()
}
