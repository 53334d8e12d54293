// Texts of the proof of solvency. README.md, "Texts", says how to add one.

// Proof
export const usersFree = 'Users, free'
export const usersInOpenOrders = 'Users, in open orders'
export const houseFree = 'House, free'
export const houseHeld = 'House, held'
export const fees = 'Fees'
export const collateral = 'Collateral'
export const rounding = 'Rounding'
export const outside = 'Outside'
export const sum = 'Sum'
export const solventEverySumIsZero = 'Solvent: every sum is zero and every market is backed'
export const somethingIsNotBacked = 'Something is not backed'
export const proveAgain = 'Prove again'
export const accounts = 'Accounts'
export const accountsByCurrency = 'Accounts by currency'
export const account = 'Account'
export const atThisHead = 'At this head of the journal'
export const sequence = 'Sequence'
export const when = 'When'
export const frameHash = 'Frame hash'
export const stateDigest = 'State digest'
export const rootOfBalancesAndPositions = 'Root of balances and positions'
export const keepSequenceAndFrameHash =
  'Keep sequence and frame hash somewhere else: with them `bellwether verify --head` finds a journal that lost its end.'
export const markets = 'Markets'
export const backingOfMarkets = 'Backing of markets'
export const market = 'Market'
export const state = 'State'
export const backed = 'Backed'
export const poolYes = 'Pool YES'
export const poolNo = 'Pool NO'
export const yes = 'yes'
export const no = 'NO'
export const ofAreShown = (shown: string, count: string) => `${shown} of ${count} are shown.`

// SolvencyPage
export const solvency = 'Solvency'
export const allAccountsOfACurrency =
  'All accounts of a currency sum to zero, and each share is backed by collateral, at one instant of the journal.'
export const theProof = 'The proof'
