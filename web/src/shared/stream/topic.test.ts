// Topics lead to rooms and messages back to topics.
import { expect, it } from 'vitest'
import { subscription, topicOf } from './topic'

it('knows where a message belongs', () => {
  expect(topicOf({ type: 'price_update', data: { id: 'E' } })).toBe('prices:E')
  expect(topicOf({ type: 'orderbook_update', data: { orderbook: { marketId: 'M' }, currency: 'NGN' } })).toBe(
    'orderbook:M:NGN',
  )
  expect(topicOf({ type: 'sell_order', data: { event: { id: 'E' } } })).toBe('activity:E')
  expect(topicOf({ type: 'order_updated', data: { marketId: 'M' } })).toBe('orders:M')
  expect(topicOf({ type: 'game_update', data: { id: 'G' } })).toBe('games:G')
  expect(topicOf({ type: 'pong' })).toBeNull()
})

it('subscribes by what each channel asks for', () => {
  expect(subscription('prices:E')).toEqual({ type: 'subscribe', channel: 'prices', eventId: 'E' })
  expect(subscription('orderbook:M:USD')).toEqual({
    type: 'subscribe',
    channel: 'orderbook',
    marketIds: ['M'],
    currency: 'USD',
  })
  expect(subscription('games:G')).toEqual({ type: 'subscribe', channel: 'games', gameIds: ['G'] })
  expect(subscription('orders:M')).toEqual({ type: 'subscribe', channel: 'orders', marketIds: ['M'] })
})
