// Every request of a page with its body. Firefox 140 tells no bodies; there the server before the exchange reads them.
import { watchers } from './pages-front.mjs'

export function watchSent(page, seen) {
  if (process.env.BROWSER !== 'firefox') {
    page.on('request', (request) => seen({ method: request.method(), url: request.url(), body: request.postData() ?? '' }))
    return
  }
  watchers.add(seen)
  page.once('close', () => watchers.delete(seen))
}
