// Texts of complete sets. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// SetsPanel
export const bothSides = (many: string, yes: Value, no: Value) => `${many} ${yes} and ${many} ${no}`
export const madeSets = (many: string) => `Made ${many} sets`
export const madeFor = (sides: Value, amount: string) => `${sides} for ${amount}`
export const burnedSets = (many: string) => `Burned ${many} sets`
export const burnedFor = (sides: Value, proceeds: string) => `${sides} for ${proceeds}`
export const completeSets = 'Complete sets'
export const makesOneAndOne = (amount: string, yes: Value, no: Value) =>
  `${amount} makes one ${yes} and one ${no}, and back. No fee, and no price moves.`
export const makeOrBurn = 'Make or burn'
export const make = 'Make'
export const burn = 'Burn'
export const sets = 'Sets'
export const max = (most: string) => `Max ${most}`
export const youDo = (what: string) => `You ${what}`
export const pay = 'pay'
export const give = 'give'
export const youGet = 'You get'
export const theMarketIs = (status: Value) => `The market is ${status}.`
export const logInToSets = (what: string) => `Log in to ${what} sets`
export const makeVerb = 'make'
export const burnVerb = 'burn'
export const sending = 'Sending…'
export const doSets = (what: string) => `${what} sets`

// compose
export const howManySets = 'How many sets?'
export const aNumberSuchAs = (example: string) => `A number, such as 25 or ${example}`
export const atMostAtOnce = (moneyMax: string) => `At most ${moneyMax} at once`
export const yourCashMakesAtMost = (most: string) => `Your cash makes ${most} at most`
export const youHaveOfBothSides = (most: string) => `You have ${most} of both sides that no order holds`
