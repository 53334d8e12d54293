// The file that a click makes the browser save: its name and its text. Firefox 140 reports no downloads, so the page's own link is
// caught there instead.
import { readFile } from 'node:fs/promises'

export async function downloaded(page, act) {
  if (process.env.BROWSER !== 'firefox') {
    const [file] = await Promise.all([page.waitForEvent('download'), act()])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const saved = page.evaluate(
    () =>
      new Promise((resolve) => {
        const { createObjectURL } = URL
        const { click } = HTMLAnchorElement.prototype
        let text
        URL.createObjectURL = (blob) => {
          text = blob.text()
          return createObjectURL(blob)
        }
        HTMLAnchorElement.prototype.click = function () {
          Object.assign(HTMLAnchorElement.prototype, { click })
          Object.assign(URL, { createObjectURL })
          resolve(text.then((whole) => ({ name: this.download, text: whole })))
        }
      }),
  )
  await act()
  return saved
}
