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

it('counts the fills that it gathers', () => {
  const fills = { type: 'FILL', side: 'SELL', size: '0.0019', price: '0.4', amount: '0.00076' }
  const told19 = told(notification({ ...fills, fills: 19 } as unknown as Partial<Notification>), 'Yes')
  expect(told19).toBe('Sold 0.0019 Yes at 40¢ in 19 fills, $0.0008 in all')
  const one = { ...fills, size: '12.5', amount: '5', fills: 1 } as unknown as Partial<Notification>
  expect(told(notification(one), 'Yes')).toBe('Sold 12.5 Yes at 40¢')
  const many = { ...fills, size: '1200', amount: '480', fills: 1_200 } as unknown as Partial<Notification>
  expect(told(notification(many), 'No')).toBe('Sold 1,200 No at 40¢ in 1,200 fills, $480.00 in all')
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
