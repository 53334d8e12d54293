// Verifies that an account is in the published root, as docs/proofs.md describes it. Nothing is trusted but the root that was
// read apart from the proof.
import type { components } from '../../shared/api/schema'
import { units } from '../../shared/numbers/decimal'
import { sha256Bytes } from '../../shared/secrets/sha256'
import * as texts from '../texts/solvency'

export type Proof = components['schemas']['InclusionProof']
type Sums = Proof['rootSums']

const CURRENCIES = ['USD', 'NGN'] as const
const SHARE_STEP = 100n
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const HASH = /^[0-9a-f]{64}$/i

class Invalid extends Error {}

function require(holds: boolean, rule: string): void {
  if (!holds) throw new Invalid(rule)
}

function bytesOf(hex: string): number[] {
  return hex.match(/../g)?.map((pair) => parseInt(pair, 16)) ?? []
}

function hash(hex: string): number[] {
  require(HASH.test(hex), texts.aHashHas64Digits)
  return bytesOf(hex)
}

function id(text: string): number[] {
  require(UUID.test(text), texts.anIdIsAUuid)
  return bytesOf(text.replaceAll('-', ''))
}

function big(value: bigint, length: number): number[] {
  require(value >= 0n && value < 1n << BigInt(8 * length), texts.aNumberIsNotBelow)
  return bytesOf(value.toString(16).padStart(2 * length, '0'))
}
const eight = (value: bigint) => big(value, 8)

const money = (value: number | string) => units(value)
function shares(value: number | string): bigint {
  const exact = units(value)
  require(exact % SHARE_STEP === 0n, texts.sharesHaveFourPlaces)
  return exact / SHARE_STEP
}

function numbers(sums: Sums): bigint[] {
  return CURRENCIES.flatMap((currency) => {
    const one = sums[currency]
    return [money(one.money), shares(one.yesShares), shares(one.noShares)]
  })
}

const packed = (sums: readonly bigint[]) => sums.flatMap(eight)
const digest = (...parts: number[][]) => bytesOf(sha256Bytes(Uint8Array.from(parts.flat())))

/** The bytes of the account, and its sums. */
function account(leaf: Proof['leaf']): { bytes: number[]; sums: bigint[] } {
  const sums = [0n, 0n, 0n, 0n, 0n, 0n]
  const bytes = id(leaf.userId)
  for (const [place, currency] of CURRENCIES.entries()) {
    const balance = leaf.balances[currency]
    for (const value of [balance.free, balance.held]) {
      sums[3 * place]! += money(value)
      bytes.push(...eight(money(value)))
    }
  }
  bytes.push(...big(BigInt(leaf.positions.length), 4))
  for (const position of leaf.positions) {
    const place = CURRENCIES.indexOf(position.currency)
    bytes.push(...id(position.marketId), place)
    const held = [position.yesFree, position.yesHeld, position.noFree, position.noHeld].map(shares)
    for (const [index, value] of held.entries()) {
      sums[3 * place + (index < 2 ? 1 : 2)]! += value
      bytes.push(...eight(value))
    }
  }
  return { bytes, sums }
}

/** Microseconds since 1970 of a time of the API, which a Date would cut to milliseconds. */
function microseconds(at: string): bigint {
  const found = /^(.*?T\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)$/.exec(at)
  require(!!found, texts.aTimeIsWritten)
  const [, whole = '', fraction = '', zone = ''] = found!
  return BigInt(Date.parse(whole + zone)) * 1000n + BigInt(fraction.padEnd(6, '0'))
}

/** Nothing if the account is in the root, or the rule that is broken. */
export function problemOf(proof: Proof, root: string): string | undefined {
  try {
    verify(proof, root)
    return undefined
  } catch (error) {
    if (error instanceof Invalid || error instanceof RangeError) return error.message
    throw error
  }
}

function verify(proof: Proof, root: string): void {
  const own = account(proof.leaf)
  let node = digest([0], hash(proof.nonce), own.bytes)
  let sums = own.sums
  let [index, width, used] = [proof.index, proof.leaves, 0]
  require(index >= 0 && index < width, texts.itsPlaceIsAmong)
  while (width > 1) {
    if ((index ^ 1) < width) {
      const sibling = proof.siblings[used]
      require(!!sibling, texts.everyNeighbour)
      used += 1
      const [other, otherNode] = [numbers(sibling!.sums), hash(sibling!.hash)]
      const pair = [packed(sums), node, packed(other), otherNode]
      node = index % 2 === 0 ? digest([1], ...pair) : digest([1], pair[2]!, pair[3]!, pair[0]!, pair[1]!)
      sums = sums.map((sum, place) => sum + other[place]!)
    }
    index = Math.floor(index / 2)
    width = Math.ceil(width / 2)
  }
  require(used === proof.siblings.length, texts.theProofHasNoNeighbour)
  require(numbers(proof.rootSums).join() === sums.join(), texts.theSumsOfTheRoot)
  const top = digest(
    [2],
    eight(BigInt(proof.sequence)),
    eight(microseconds(proof.at)),
    hash(proof.frameHash),
    hash(proof.stateDigest),
    eight(BigInt(proof.leaves)),
    packed(sums),
    node,
  )
  const found = top.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  require(found === proof.root.toLowerCase() && found === root.toLowerCase(), texts.theRootIsThePublished)
}

