// The example of docs/proofs.md holds, and no part of it can be changed.
import { expect, test } from 'vitest'
import { problemOf, type Proof } from './inclusion'

// The tree of three accounts of that document.
const example = () => structuredClone(EXAMPLE) as unknown as Proof
const EXAMPLE = {
  format: 'bellwether-proof-1',
  sequence: 48213,
  at: '2030-01-01T00:00:00Z',
  frameHash: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  stateDigest: 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
  leaves: 3,
  index: 1,
  nonce: '692865c9a376a1a82d161b0f9578595554873797fa9ebbb068b797828122e61d',
  leaf: {
    userId: '00000000-0000-0000-0000-000000000002',
    balances: {
      USD: {
        free: 900,
        held: 100,
      },
      NGN: {
        free: 5000,
        held: 0,
      },
    },
    positions: [
      {
        marketId: '00000000-0000-0000-0000-00000000004d',
        currency: 'USD',
        yesFree: 100,
        yesHeld: 25,
        noFree: 0,
        noHeld: 0,
      },
      {
        marketId: '00000000-0000-0000-0000-00000000004d',
        currency: 'NGN',
        yesFree: 0,
        yesHeld: 0,
        noFree: 12.3456,
        noHeld: 0,
      },
    ],
  },
  siblings: [
    {
      hash: 'b6b4bcdb19cf90bad975d66a85aedcc3953bcbccc43e03cc94254294c65e5e6e',
      sums: {
        USD: {
          money: 12.5,
          yesShares: 0,
          noShares: 0,
        },
        NGN: {
          money: 0,
          yesShares: 0,
          noShares: 0,
        },
      },
    },
    {
      hash: 'c03d22034d32cfd1dedf4b29be3e5c146c105047b4f444d63a85dfac35f562a3',
      sums: {
        USD: {
          money: 0,
          yesShares: 0,
          noShares: 125,
        },
        NGN: {
          money: 3e-06,
          yesShares: 0,
          noShares: 0,
        },
      },
    },
  ],
  rootSums: {
    USD: {
      money: 1012.5,
      yesShares: 125,
      noShares: 125,
    },
    NGN: {
      money: 5000.000003,
      yesShares: 0,
      noShares: 12.3456,
    },
  },
  root: '9cc304cce7108f8ff01bc03a94054e98c015967683d25825ed68d20243b23455',
}
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
