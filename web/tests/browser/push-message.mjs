// The service worker gets a push message, as the browser would hand it over, and shows it.
import assert from 'node:assert/strict'
import { eventually, until } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'push message'

export async function run({ browser, quiet: exchange }) {
  const event = await exchange.event('marathon-record-this-season')
  const market = event.markets[0]
  const { page, context, clean } = await visitAs(browser, exchange, exchange.user('ada'), {
    serviceWorkers: 'allow',
    permissions: ['notifications'],
  })
  await page.goto('/')
  await page.evaluate(() => navigator.serviceWorker.ready)
  const worker = await until(() => context.serviceWorkers()[0], { what: 'the service worker' })
  // A browser without a desktop reads a notification, and then grants nobody to show one.
  await worker.evaluate(() => {
    const show = self.registration.showNotification.bind(self.registration)
    self.shown = []
    self.registration.showNotification = async (title, options) => {
      await show(title, options).catch((refusal) => {
        if (!refusal.message.includes('No notification permission')) throw refusal
      })
      self.shown.push({ title, body: options.body, tag: options.tag, url: options.data.url })
    }
  })
  const tools = await context.newCDPSession(page)
  const registered = new Promise((resolve) =>
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => registrations[0] && resolve(registrations[0])),
  )
  await tools.send('ServiceWorker.enable')
  const { registrationId } = await registered
  const message = { title: 'Yes is at 60¢', body: event.title, url: `/events/${event.id}?market=${market.id}`, tag: '3-1' }
  const deliver = (data) =>
    tools.send('ServiceWorker.deliverPushMessage', { origin: new URL(exchange.url).origin, registrationId, data })
  await deliver(JSON.stringify(message))
  const shown = () => worker.evaluate(() => self.shown)
  await eventually(async () => assert.deepEqual(await shown(), [message]))
  // What is not one of ours is shown by name only.
  await deliver('not JSON')
  await eventually(async () => assert.ok((await shown()).some(({ title, url }) => title === 'Bellwether' && url === '/')))
  await clean()
  await context.close()
}
