// A form that is submitted: busy while it runs, and with the reason if it fails.
import { expect, test } from 'vitest'
import { Attempt } from './attempt.svelte'

const submission = { preventDefault: () => undefined } as SubmitEvent

test('an attempt is busy until it ends, and a new one clears the problem of the last', async () => {
  let fails = true
  const attempt = new Attempt(async () => {
    expect([attempt.busy, attempt.problem]).toEqual([true, ''])
    if (fails) throw new Error('Refused')
  })
  await attempt.submit(submission)
  expect([attempt.busy, attempt.problem]).toEqual([false, 'Refused'])
  fails = false
  await attempt.submit(submission)
  expect([attempt.busy, attempt.problem]).toEqual([false, ''])
})

test('a form can explain errors in its own words', async () => {
  const attempt = new Attempt(
    () => Promise.reject(new Error('401')),
    () => 'The token is not known.',
  )
  await attempt.submit(submission)
  expect(attempt.problem).toBe('The token is not known.')
})
