// What a notification says.
import { expect, it } from 'vitest'
import type { Notification } from '../../shared/api/types'
import { badge, told } from './told'

const notification = (some: Partial<Notification>) => ({ currency: 'USD', ...some }) as Notification

it('tells a fill by its side, size and price', () => {
  const fill = { type: 'FILL', side: 'BUY', size: '12.5', price: '0.45' } as unknown as Partial<Notification>
  expect(told(notification(fill), 'Yes')).toBe('Bought 12.5 Yes at 45¢')
  expect(told(notification({ ...fill, side: 'SELL' }), 'No')).toBe('Sold 12.5 No at 45¢')
})

it('tells of money that came, and of none', () => {
  const payout = { type: 'PAYOUT', amount: '78.2' } as unknown as Partial<Notification>
  expect(told(notification(payout), 'Yes')).toBe('Won $78.20')
  expect(told(notification({ ...payout, type: 'RESOLUTION' }), 'Yes')).toBe('Resolved: your shares paid nothing')
})

it('tells the price that an alert waited for', () => {
  const alert = { type: 'PRICE_ALERT', price: '0.6', currency: 'NGN' } as unknown as Partial<Notification>
  expect(told(notification(alert), 'Up')).toBe('Up reached ₦60')
})

it('shows no more than two digits on the bell', () => {
  expect([badge(1), badge(99), badge(100)]).toEqual(['1', '99', '99+'])
})
