// A notification in words.
import type { Notification } from '../../shared/api/types'
import { money, price, shares } from '../../shared/numbers/format'

/** `label` is what the outcome is called. */
export function told(notification: Notification, label: string): string {
  const { currency } = notification
  const amount = money(notification.amount ?? 0, currency)
  switch (notification.type) {
    case 'FILL': {
      const verb = notification.side === 'SELL' ? 'Sold' : 'Bought'
      return `${verb} ${shares(notification.size ?? 0)} ${label} at ${price(notification.price ?? 0, currency)}`
    }
    case 'PAYOUT':
      return `Won ${amount}`
    case 'RESOLUTION':
      return 'Resolved: your shares paid nothing'
    case 'REFUND':
      return `Refunded ${amount}`
    case 'PRICE_ALERT':
      return `${label} reached ${price(notification.price ?? 0, currency)}`
  }
}

/** The number on the bell: at most two digits. */
export function badge(unread: number): string {
  return unread > 99 ? '99+' : String(unread)
}
