// Pictures of every page, for people to look at: light and dark, desk and phone. Only if the environment names a folder.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pagesOf } from './pages.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'screenshots'
export const wanted = () => !!process.env.SCREENSHOTS

export async function run({ browser, busy: exchange }) {
  const folder = process.env.SCREENSHOTS
  await mkdir(folder, { recursive: true })
  const ada = exchange.user('ada')
  const { page, context, clean } = await visitAs(browser, exchange, ada)
  const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }
  for (const { name, address, ready } of await pagesOf(exchange)) {
    await page.goto(address)
    await page.locator(ready).first().waitFor()
    await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => undefined)
    for (const [device, size] of Object.entries(sizes)) {
      await page.setViewportSize(size)
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme })
        await page.screenshot({
          path: join(folder, `${name}-${device}-${colorScheme}.png`),
          fullPage: device === 'phone' && name !== 'browse',
        })
      }
    }
    await page.setViewportSize(sizes.desktop)
  }
  await page.setViewportSize(sizes.phone)
  await page.goto('/events/ether-above-5000-at-year-end')
  await page
    .getByRole('button', { name: /^Yes \d/ })
    .last()
    .click()
  await page.getByRole('dialog').getByLabel('Amount to spend').fill('25')
  await page.getByRole('dialog').locator('[data-field="payout"]').waitFor()
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(folder, `ticket-phone-${colorScheme}.png`) })
  }
  await clean()
  await context.close()
}
