// Push messages: this browser's subscription, and what the exchange knows of it.
import { answer, api, onePerson } from '../../shared/api/client'
import { registeredWorker } from '../installing'

export type PushState = 'unsupported' | 'denied' | 'off' | 'on'

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return 'PushManager' in window && 'Notification' in window ? registeredWorker() : undefined
}

/** The subscription of this browser that the person who is logged in has; another person's is none. */
async function ownSubscription(held: PushSubscription | null) {
  if (!held) return undefined
  const { subscriptions } = await answer(api.GET('/v1/pm/push-subscriptions'))
  return subscriptions.find((one) => one.endpoint === held.endpoint)
}

export async function pushState(): Promise<PushState> {
  const worker = await registration()
  if (!worker) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return (await ownSubscription(await worker.pushManager.getSubscription())) ? 'on' : 'off'
}

export async function subscribe(): Promise<PushState> {
  const worker = await registration()
  if (!worker) return 'unsupported'
  const stays = onePerson()
  if ((await Notification.requestPermission()) !== 'granted') return pushState()
  const { publicKey, subscriptions } = await answer(api.GET('/v1/pm/push-subscriptions'))
  // A subscription of another person would go on to bring that person's messages.
  const held = await worker.pushManager.getSubscription()
  if (held && !subscriptions.some((one) => one.endpoint === held.endpoint)) await held.unsubscribe()
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint = '', keys = {} } = made.toJSON()
  const body = { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } }
  try {
    stays()
    await answer(api.POST('/v1/pm/push-subscriptions', { body }))
  } catch (error) {
    await made.unsubscribe()
    throw error
  }
  return 'on'
}

export async function unsubscribe(): Promise<PushState> {
  const held = await (await registration())?.pushManager.getSubscription()
  if (!held) return pushState()
  await end(held)
  return 'off'
}

/** Before a logout: this browser gets no more messages of the person. Without a worker it never got any. */
export async function leavePush(): Promise<void> {
  const worker = await globalThis.navigator?.serviceWorker?.getRegistration()
  const held = await worker?.pushManager?.getSubscription()
  if (held) await end(held)
}

async function end(held: PushSubscription): Promise<void> {
  // The browser forgets it in any case: then messages have nowhere to go, whatever the exchange still knows.
  const known = await ownSubscription(held).finally(() => held.unsubscribe())
  if (!known) return
  const params = { path: { subscriptionId: known.id } }
  await answer(api.DELETE('/v1/pm/push-subscriptions/{subscriptionId}', { params }))
}
