import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inTurn } from './turns'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

it('runs one piece per task, in their order', () => {
  const ran: string[] = []
  inTurn(() => ran.push('first'))
  inTurn(() => ran.push('second'))
  expect(ran).toEqual([])
  vi.advanceTimersToNextTimer()
  expect(ran).toEqual(['first'])
  vi.advanceTimersToNextTimer()
  expect(ran).toEqual(['first', 'second'])
})

it('runs a piece that is needed soon before those that wait', () => {
  const ran: string[] = []
  inTurn(() => ran.push('first'))
  inTurn(() => ran.push('soon'), { soon: true })
  vi.runAllTimers()
  expect(ran).toEqual(['soon', 'first'])
})

it('leaves out a piece that was taken back', () => {
  const ran: string[] = []
  const takeBack = inTurn(() => ran.push('first'))
  inTurn(() => ran.push('second'))
  takeBack()
  vi.runAllTimers()
  expect(ran).toEqual(['second'])
})

it('goes on after a piece that failed, and after a pause', () => {
  const ran: string[] = []
  inTurn(() => {
    throw new Error('broken')
  })
  inTurn(() => ran.push('second'))
  expect(() => vi.advanceTimersToNextTimer()).toThrow('broken')
  vi.runAllTimers()
  inTurn(() => ran.push('third'))
  vi.runAllTimers()
  expect(ran).toEqual(['second', 'third'])
})
