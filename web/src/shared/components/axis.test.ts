// An axis has room for its longest label.
import { expect, it } from 'vitest'
import { axisWidth } from './axis'

it('is as wide as the longest label, and not narrower than usual', () => {
  expect(axisWidth(undefined, null)).toBe(56)
  expect(axisWidth(undefined, ['0', '1'])).toBe(56)
  expect(axisWidth(undefined, ['100,000', '10,000,000.5', null])).toBe(106)
})
