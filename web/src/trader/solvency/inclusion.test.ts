// The example of docs/proofs.md holds, and no part of it can be changed.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { problemOf, type Proof } from './inclusion'

const document = readFileSync(new URL('../../../../docs/proofs.md', import.meta.url), 'utf8')
const example = () => JSON.parse(/```json\n([\s\S]*?)```/.exec(document)![1]!) as Proof
const ROOT = example().root

test('the example of the document is in its root', () => {
  expect(problemOf(example(), ROOT)).toBeUndefined()
})

test('another root, place, balance, neighbour or sum is found out', () => {
  const changes: ((proof: any) => void)[] = [
    (proof) => (proof.index = 0),
    (proof) => (proof.leaves = 4),
    (proof) => (proof.leaf.balances.USD.free = 899),
    (proof) => (proof.leaf.positions[0].yesHeld = 24),
    (proof) => (proof.siblings[0].sums.USD.money = -12.5),
    (proof) => proof.siblings.pop(),
    (proof) => proof.siblings.push(proof.siblings[0]),
    (proof) => (proof.rootSums.NGN.money = 5000),
    (proof) => (proof.sequence += 1),
    (proof) => (proof.at = '2030-01-01T00:00:00.000001Z'),
    (proof) => (proof.nonce = 'no hash'),
  ]
  for (const change of changes) {
    const proof = example()
    change(proof)
    expect(problemOf(proof, ROOT), change.toString()).toBeDefined()
  }
  expect(problemOf(example(), ROOT.replace('9', '8'))).toBe('the root is the published one')
})
