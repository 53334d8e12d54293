// A person who forgot the password asks for a new one on the traders' page, reads the code to an operator, who approves it in the
// console; only the person's own browser sets the password.
import assert from 'node:assert/strict'
import { fitsEverywhere } from './accessibility.mjs'
import { confirm, dialogOf, visitConsole } from './operator-visitor.mjs'
import { watchSent } from './sent.mjs'
import { visit } from './visitor.mjs'

export const name = 'a forgotten password, from the request to a login'
const USER = { email: 'forgetful@example.org', tag: 'forgetful_1', password: 'a new password' }

export async function run({ browser, quiet: exchange }) {
    await exchange.operate('POST', '/admin/v1/users', { email: USER.email, tag: USER.tag })
    const person = await visit(browser, exchange)
    const { page } = person
    const sent = []
    watchSent(page, ({ body }) => sent.push(body))
    const code = await ask(page)
    const token = await page.evaluate(() => JSON.parse(localStorage.getItem('bellwether.password-reset')).token)
    assert.match(token, /^[0-9a-f]{64}$/)
    assert.ok(!sent.some((body) => body.includes(token)), 'only the hash of the token leaves the browser')

    await setPassword(page)
    await page.getByRole('alert').filter({ hasText: 'Not approved yet' }).waitFor()
    await fitsEverywhere(page, 'reset-code')
    await approve(browser, exchange, code)

    // A reload, or a day's work in between, loses nothing.
    await page.goto('/forgot-password')
    assert.equal(await page.getByTestId('reset-code').locator('[aria-hidden]').innerText(), code)
    await setPassword(page)
    await page.getByText('Your new password is set').waitFor()
    assert.equal(await page.evaluate(() => localStorage.getItem('bellwether.password-reset')), null)
    await page.getByLabel('Email').fill(USER.email)
    await page.getByLabel('Password').fill(USER.password)
    await page.locator('main').getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('link', { name: `Account of ${USER.tag}` }).waitFor()
    await person.clean()
    await person.context.close()
}

async function ask(page) {
    await page.goto('/')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.getByLabel('Email of your account').fill(USER.email)
    await page.getByRole('button', { name: 'Get a code' }).click()
    const heading = page.getByRole('heading', { name: 'Your code' })
    await heading.waitFor()
    assert.ok(await heading.evaluate((element) => element === document.activeElement), 'a screen reader goes on there')
    const code = await page.getByTestId('reset-code').locator('[aria-hidden]').innerText()
    assert.match(code, /^[A-HJ-NP-Z2-9]{6}$/)
    return code
}

async function setPassword(page) {
    assert.equal(await page.getByLabel('Keep my API keys').isChecked(), false)
    await page.getByLabel('New password').fill(USER.password)
    await page.getByRole('button', { name: 'Set the new password' }).click()
}

async function approve(browser, exchange, code) {
    const { page, context, clean } = await visitConsole(browser, exchange, exchange.demo.operatorToken)
    await page.getByRole('link', { name: 'Password resets' }).click()
    const row = page.locator(`[data-reset="${code}"]`)
    assert.match(await row.innerText(), /forgetful_1[\s\S]*forgetful@example\.org[\s\S]*waiting/i)
    await row.getByRole('button', { name: 'Approve…' }).click()
    // Another code than the one on the person's page approves nothing.
    const wrong = code.startsWith('A') ? `B${code.slice(1)}` : `A${code.slice(1)}`
    await dialogOf(page).getByLabel('Code that the person reads out').fill(wrong)
    await dialogOf(page).getByRole('button', { name: 'Approve' }).click()
    await dialogOf(page).getByRole('alert').filter({ hasText: 'no open request with this code' }).waitFor()
    await dialogOf(page).getByLabel('Code that the person reads out').fill(code.toLowerCase())
    await confirm(page, 'Approve')
    await row.getByText('approved').waitFor()
    const { resets } = await exchange.operate('GET', '/admin/v1/password-resets')
    assert.equal(resets.find((reset) => reset.code === code).approved, true)
    await clean()
    await context.close()
}
