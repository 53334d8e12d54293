// States of the console that an address alone does not show: its dialogs, each behind a button, and forms with something in them.
// For pictures and for the walk that looks at them with axe-core.
import { dialogOf, goInside } from './operator-visitor.mjs'

const FILM = '/events/number-one-film-of-the-holiday-weekend'
const BRIDGE = '/events/a-new-bridge-this-year'

/** Name, address, button, and what the open dialog shows at last. */
export const DIALOGS = [
    ['finalise', BRIDGE, 'Finalise…', '[data-testid=payouts] table'],
    ['withdraw', BRIDGE, 'Withdraw…', 'button'],
    ['grow', FILM, 'Grow…', 'input'],
    ['terms', FILM, 'Terms…', 'input'],
    ['pause', FILM, 'Pause…', 'button'],
    ['call-off', FILM, 'Call off…', '[data-testid=payouts] table'],
    ['move-fees', '/', 'Move fees…', 'input'],
    ['cancel-only', '/', 'Switch cancel only on…', 'button'],
    ['new-operator', '/operators', 'New operator…', 'input'],
    ['change-role', '/operators', 'Change role…', 'input'],
    ['confirm-person', '/operators', 'Confirm person…', 'button'],
    ['policy', '/operators', 'Change…', 'input'],
    ['approve-reset', '/password-resets', 'Approve…', 'input'],
    ['new-user', '/users', 'New user…', 'input'],
    ['credit', '/users/ada', 'Credit…', 'input'],
    ['debit', '/users/ada', 'Debit…', 'input'],
    ['suspend', '/users/ada', 'Suspend…', 'input'],
    ['freeze', '/users/ada', 'Freeze…', 'button'],
    ['cancel-orders', '/users/ada', 'Cancel orders…', 'input'],
    ['new-series', '/series', 'New series…', 'input'],
    ['push-price', '/series', 'Push a price…', 'input'],
    ['score', '/sports', 'Score…', 'input'],
    ['result', '/sports', 'Result…', 'input'],
    ['create-events', '/sports', 'Create events…', 'input'],
]

export async function openDialog(page, [, address, button, ready]) {
    await page.goto(address)
    await page.getByRole('button', { name: button, exact: true }).first().click()
    await dialogOf(page).locator(ready).first().waitFor()
}

/** Each answers how to end it, if something must be undone. */
export const STATES = {
    edit: async (page) => {
        await goInside(page, '/events/first-snow-on-the-plateau/edit')
        await page.locator('form').first().waitFor()
    },
    'new-event-filled': async (page) => {
        await page.goto('/events/new')
        await page.getByLabel('Title', { exact: true }).fill('Is the market hall open on Sunday?')
        await page.getByLabel('Category', { exact: true }).fill('politics')
        await page.getByLabel('Rules', { exact: true }).fill('YES if its doors open before noon.')
        await page.getByRole('heading', { name: 'Is the market hall open on Sunday?' }).waitFor()
    },
    'import-checked': async (page) => {
        await page.goto('/events/import')
        await page.getByLabel('Or its contents').fill('slug,title\ncity-referendum,Once more\n')
        await page.getByRole('button', { name: 'Check it' }).click()
        await page.locator('main table').first().waitFor()
    },
    bulk: async (page) => {
        await page.goto('/events?status=open')
        await page.locator('[data-event]').first().waitFor()
        await page.locator('[data-event] input[type=checkbox]').first().check()
        await page.getByTestId('bulk').waitFor()
    },
    proposal: async (page) => {
        await page.goto('/proposals')
        const id = await page.locator('[data-proposal-id]').first().getAttribute('data-proposal-id')
        await page.goto(`/proposals/${id}`)
        await page.locator(`[data-proposal-id="${id}"]`).waitFor()
    },
    'not-there': async (page) => {
        await page.goto('/events/there-is-no-such-event')
        await page.locator('main').getByRole('heading').first().waitFor()
    },
    'not-ready': async (page) => {
        const reasons = [{ code: 'draining', message: 'The node is stopping' }]
        await page.route('**/admin/v1/signals', (route) =>
            route.fulfill({ json: { ready: false, reasons, sequence: 1, sampleSeconds: 60, samples: [] } }),
        )
        await page.goto('/')
        await page.getByTestId('not-ready').waitFor()
        return () => page.unroute('**/admin/v1/signals')
    },
    unreachable: async (page) => {
        await page.goto('/users')
        await page.locator('[data-user]').first().waitFor()
        await page.route('**/admin/v1/status', () => undefined)
        await page.getByText('The exchange cannot be reached').waitFor()
        return () => page.unroute('**/admin/v1/status')
    },
}
