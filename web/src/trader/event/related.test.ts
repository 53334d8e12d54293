// Related questions.
import { expect, test } from 'vitest'
import { related } from './related'

const event = (id: string, hashtags: string[] = [], seriesSlug?: string) => ({ id, hashtags, seriesSlug })

test('common hashtags come first, and a series is there once', () => {
  const others = [
    event('self', ['rain']),
    event('liveliest'),
    event('round-1', [], 'btc'),
    event('round-2', [], 'btc'),
    event('kin', ['lagos', 'rain']),
  ]
  expect(related(event('self', ['rain']), others, 9).map(({ id }) => id)).toEqual(['kin', 'liveliest', 'round-1'])
  expect(related(event('self', [], 'btc'), others, 2).map(({ id }) => id)).toEqual(['liveliest', 'kin'])
})
