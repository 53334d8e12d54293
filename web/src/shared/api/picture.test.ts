import { expect, test } from 'vitest'
import { isOwnPicture, smallPicture } from './picture'

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

test('only addresses of this venue are pictures', () => {
  expect(isOwnPicture(`/pictures/${HASH}.jpg`)).toBe(true)
  expect(isOwnPicture(`/pictures/${HASH}-128.jpg`)).toBe(true)
  for (const other of [
    '',
    `https://example.org/pictures/${HASH}.jpg`,
    `//example.org/pictures/${HASH}.jpg`,
    `/pictures/${HASH}.jpg?x`,
    `/pictures/${HASH.toUpperCase()}.jpg`,
    `/pictures/../${HASH}.jpg`,
    'javascript:alert(1)',
  ])
    expect(isOwnPicture(other), other).toBe(false)
})

test('the small size is found from either address', () => {
  const small = `/pictures/${HASH}-128.jpg`
  expect(smallPicture({ imageUrl: `/pictures/${HASH}.jpg`, image128Url: small })).toBe(small)
  expect(smallPicture({ imageUrl: `/pictures/${HASH}.jpg`, image128Url: '' })).toBe(small)
  expect(smallPicture({ imageUrl: 'https://example.org/a.png', image128Url: '' })).toBe('')
  expect(smallPicture({})).toBe('')
})
