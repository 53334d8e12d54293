// Push messages: this browser's subscription, and what the exchange knows of it.
import { answer, api } from '../../shared/api/client'
import { registeredWorker } from '../installing'

export type PushState = 'unsupported' | 'denied' | 'off' | 'on'

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return 'PushManager' in window && 'Notification' in window ? registeredWorker() : undefined
}

export async function pushState(): Promise<PushState> {
  const worker = await registration()
  if (!worker) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return (await worker.pushManager.getSubscription()) ? 'on' : 'off'
}

export async function subscribe(): Promise<PushState> {
  const worker = await registration()
  if (!worker) return 'unsupported'
  if ((await Notification.requestPermission()) !== 'granted') return pushState()
  const { publicKey } = await answer(api.GET('/v1/pm/push-subscriptions'))
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint = '', keys = {} } = made.toJSON()
  const body = { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } }
  try {
    await answer(api.POST('/v1/pm/push-subscriptions', { body }))
  } catch (error) {
    await made.unsubscribe()
    throw error
  }
  return 'on'
}

export async function unsubscribe(): Promise<PushState> {
  const subscription = await (await registration())?.pushManager.getSubscription()
  if (!subscription) return pushState()
  const { subscriptions } = await answer(api.GET('/v1/pm/push-subscriptions'))
  const known = subscriptions.find((one) => one.endpoint === subscription.endpoint)
  await subscription.unsubscribe()
  if (known) {
    const params = { path: { subscriptionId: known.id } }
    await answer(api.DELETE('/v1/pm/push-subscriptions/{subscriptionId}', { params }))
  }
  return 'off'
}
