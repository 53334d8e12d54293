// Pictures for people to look at: both themes and three widths, in the folder that SCREENSHOTS names.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

export const WIDTHS = [360, 768, 1280]
const HEIGHTS = { 360: 740, 768: 1024, 1280: 900 }

export const wantsPictures = () => !!process.env.SCREENSHOTS

/** Of the page as it stands at one width, in both themes. `whole`: from its top to its end. */
export async function takeBoth(page, name, { whole = false } = {}) {
  const folder = process.env.SCREENSHOTS
  await mkdir(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(folder, `${name}-${page.viewportSize().width}-${colorScheme}.png`), fullPage: whole })
  }
}

/** Of the page as it stands, at every width. */
export async function takeAll(page, name, options) {
  for (const width of WIDTHS) {
    await setWidth(page, width)
    // Charts follow a new width a moment later.
    await page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))))
    await takeBoth(page, name, options)
  }
}

export const setWidth = (page, width) => page.setViewportSize({ width, height: HEIGHTS[width] })
