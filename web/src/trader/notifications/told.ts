// A notification in words.
import type { Notification } from '../../shared/api/types'
import { count, money, price, shares } from '../../shared/numbers/format'
import * as texts from '../texts/notifications'

/** `label` is what the outcome is called. */
export function told(notification: Notification, label: string): string {
  const { currency } = notification
  const amount = money(notification.amount ?? 0, currency)
  switch (notification.type) {
    case 'FILL': {
      const verb = notification.side === 'SELL' ? texts.sold : texts.bought
      const fill = texts.filled(verb, shares(notification.size ?? 0), label, price(notification.price ?? 0, currency))
      const { fills = 1 } = notification
      return fills > 1 ? texts.inFills(fill, fills, count(fills), amount) : fill
    }
    case 'PAYOUT':
      return texts.won(amount)
    case 'RESOLUTION':
      return texts.resolvedYourSharesPaidNothing
    case 'REFUND':
      return texts.refunded(amount)
    case 'PRICE_ALERT':
      return texts.reached(label, price(notification.price ?? 0, currency))
  }
}

/** The number on the bell: at most two digits. */
export function badge(unread: number): string {
  return unread > 99 ? '99+' : String(unread)
}
