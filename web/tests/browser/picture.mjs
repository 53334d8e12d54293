// Pictures for people to look at: both themes and three widths, in the folder that SCREENSHOTS names.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

export const WIDTHS = [360, 768, 1280]
const HEIGHT_MAX = 6000
const HEIGHTS = { 360: 740, 768: 1024, 1280: 900 }

export const wantsPictures = () => !!process.env.SCREENSHOTS

/** What loads when it comes into view is there, and bars at the bottom are at the bottom: the window is as high as the page. */
async function unroll(page) {
  const { width } = page.viewportSize()
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.min(height, HEIGHT_MAX) })
  const isDrawn = () => {
    const charts = document.querySelectorAll('[role=img][aria-label^="Depth"], [role=img][aria-label^="Price impact"]')
    return [...charts].every((chart) => chart.querySelector('canvas'))
  }
  await page.waitForFunction(isDrawn, undefined, { timeout: 5000 }).catch(() => undefined)
}

/** Of the page as it stands at one width, in both themes. `whole`: from its top to its end. */
export async function takeBoth(page, name, { whole = false } = {}) {
  const folder = process.env.SCREENSHOTS
  await mkdir(folder, { recursive: true })
  if (whole) await unroll(page)
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(folder, `${name}-${page.viewportSize().width}-${colorScheme}.png`), fullPage: whole })
  }
  if (whole) await setWidth(page, page.viewportSize().width)
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
