// The arithmetic of the playground: what a purchase becomes. Exact, in millionths. Pure.
import { divide, floorTo, multiply, ONE } from '../../shared/numbers/decimal'

export interface Play {
  /** Of one share, as a part of what it can pay. */
  price: bigint
  stake: bigint
  /** What a share is worth later, if it is sold. */
  later: bigint
  /** In percent. */
  fee: bigint
  /** What a share pays if it comes true. */
  unit: bigint
}

export interface Outcome {
  shares: bigint
  fee: bigint
  ifRight: bigint
  ifWrong: bigint
  ifSold: bigint
}

const SHARE_STEP = 100n

/** The fee is a percentage of what is taken, and is paid in money on top of it; a stake includes it. */
export function outcomeOf(play: Play): Outcome {
  const cost = multiply(play.price, play.unit)
  const rate = ONE + play.fee / 100n
  const shares = floorTo(divide(divide(play.stake, rate), cost), SHARE_STEP)
  const paid = multiply(shares, cost)
  const fee = multiply(paid, play.fee / 100n)
  const spent = paid + fee
  const proceeds = multiply(shares, multiply(play.later, play.unit))
  return {
    shares,
    fee,
    ifRight: multiply(shares, play.unit) - spent,
    ifWrong: -spent,
    ifSold: proceeds - multiply(proceeds, play.fee / 100n) - spent,
  }
}
