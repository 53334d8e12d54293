// Paths and their parameters.
import { expect, it } from 'vitest'
import { match } from './match'

it('matches whole paths only', () => {
  expect(match('/', '/')).toEqual({})
  expect(match('/events/:slug', '/events/rain%20now/')).toEqual({ slug: 'rain now' })
  expect(match('/events/:slug', '/events')).toBeNull()
  expect(match('/events/:slug', '/events/a/b')).toBeNull()
  expect(match('/events/:slug', '/events/%E0%A4%A')).toBeNull()
})
