// Texts of the proof of solvency. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// SolvencyPage
export const tradersFree = 'Traders, free'
export const tradersInOpenOrders = 'Traders, in open orders'
export const houseFree = 'House, free'
export const houseHeld = 'House, held'
export const fees = 'Fees'
export const behindShares = 'Behind shares'
export const outsideMinusWhatWasPaid = 'Outside: minus what was paid in'
export const sum = 'Sum'
export const newerRootMeanwhile =
  'The proof holds, but the exchange is busy and published a newer root meanwhile. Check again to compare.'
export const proofOfSolvency = 'Proof of solvency'
export const youNeedNotTrust =
  'You need not trust that the money is there. The exchange publishes what it owes and holds, to the last millionth, and your browser checks that your account is counted in it.'
export const yourOwnAccount = 'Your own account'
export const yourBrowserAsks =
  'Your browser asks for the path from your account to the published root, and computes every hash on it by itself.'
export const checkMyAccount = 'Check my account'
export const yourAccountIsCounted = 'Your account is counted in full'
export const freeInOpenOrders = (free: string, held: string) => `${free} free, ${held} in open orders`
export const positions = 'Positions'
export const placeInTheTree = 'Place in the tree'
export const ofAccounts = (place: string, all: string, count: number) =>
  `${place} of ${all} ${plural(count, { one: 'account', other: 'accounts' })}`
export const theProofDoesNotHold = (problem: Value) => `The proof does not hold: ${problem}`
export const logInAndYourBrowser = 'Log in, and your browser checks that your account is counted.'
export const logIn = 'Log in'
export const theProof = 'The proof'
export const allAccounts = 'All accounts'
export const everySumIsZero = 'Every sum is zero, and every share is backed'
export const somethingIsNotBacked = 'Something is not backed'
export const accountsByCurrency = 'Accounts by currency'
export const account = 'Account'
export const root = 'Root'
export const at = 'At'
export const afterCommand = (sequence: string) => `, after command ${sequence}`
export const compareTheRootWithWhat = 'Compare the root with what others see.'
export const howTheTreeIsBuilt = 'How the tree is built'
export const withAVerifierOfTwenty = ', with a verifier of twenty lines.'

// inclusion
export const aHashHas64Digits = 'a hash has 64 digits'
export const anIdIsAUuid = 'an id is a UUID'
export const aNumberIsNotBelow = 'a number is not below zero and fits'
export const sharesHaveFourPlaces = 'shares have four places'
export const aTimeIsWritten = 'a time is written as in RFC 3339'
export const itsPlaceIsAmong = 'its place is among the accounts'
export const everyNeighbour = 'every neighbour is in the proof'
export const theProofHasNoNeighbour = 'the proof has no neighbour too many'
export const theSumsOfTheRoot = 'the sums of the root are those of its parts'
export const theRootIsThePublished = 'the root is the published one'
