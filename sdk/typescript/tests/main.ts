/**
 * Runs all tests in one process, against the executable that `BELLWETHER` names. A word selects the files whose names
 * contain it: `node build/tests/main.js cuts`.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'

const FILES = [
  'decimal',
  'signing',
  'retry',
  'changes',
  'socket',
  'transport',
  'contract',
  'trading',
  'reading',
  'stream',
  'limits',
  'crashes',
  'sandbox',
  'documents',
  'package',
  'browser',
  'cuts',
]

const words = process.argv.slice(2)
const chosen = FILES.filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
assert(chosen.length > 0, `no file of tests is called ${words.join(' ')}`)
for (const file of chosen) await import(`./${file}.test.js`)

test('the exchange stops in order, and its journal gives the same state', async () => {
  const { exchange } = await import('./shared.js')
  await exchange.stop()
})
