// Which room a message belongs to. Data messages do not say it, so it is put together from what they are about.

export interface Message {
  type: string
  sequence?: number
  timestamp?: number
  room?: string
  data?: any
}

export function topicOf(message: Message): string | null {
  const data = message.data
  switch (message.type) {
    case 'price_update':
      return `prices:${data.id}`
    case 'orderbook_update':
      return `orderbook:${data.orderbook.marketId}:${data.currency}`
    case 'buy_order':
    case 'sell_order':
      return `activity:${data.event.id}`
    case 'order_updated':
      return `orders:${data.marketId}`
    case 'asset_price':
      return `asset_prices:${data.symbol}`
    case 'game_update':
      return `games:${data.id}`
    default:
      return null
  }
}

/** The message that subscribes to a topic. */
export function subscription(topic: string): Record<string, unknown> {
  const [channel, subject = '', currency] = topic.split(':')
  switch (channel) {
    case 'orderbook':
      return { type: 'subscribe', channel, marketIds: [subject], currency }
    case 'orders':
      return { type: 'subscribe', channel, marketIds: [subject] }
    case 'asset_prices':
      return { type: 'subscribe', channel, symbols: [subject] }
    case 'games':
      return { type: 'subscribe', channel, gameIds: [subject] }
    default:
      return { type: 'subscribe', channel, eventId: subject }
  }
}

/** Messages that tell a whole state, by what it is the state of; the others tell of something that happened. */
export function stateOf(message: Message): string | null {
  if (message.type === 'orderbook_update') return message.data.orderbook.outcomeId
  return ['price_update', 'asset_price', 'game_update'].includes(message.type) ? '' : null
}
