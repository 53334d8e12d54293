// Texts of the account: keys, limits, sounds. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// AccountPage
export const youAreLoggedOut = 'You are logged out'
export const youAreNotLoggedOut = 'You were not logged out'
export const account = 'Account'
export const manageYourKeysAndSee = 'Manage your keys, and see your limits.'
export const you = 'You'
export const logOut = 'Log out'
export const soundsAndMessages = 'Sounds and messages'

// ApiKeys
export const giveItAName = 'Give it a name.'
export const keyRevoked = 'Key revoked'
export const stoppedWorking = (name: Value) => `${name} stopped working.`
export const theKeyWasNotRevoked = 'The key was not revoked'
export const theKeyWasNotRotated = 'The key was not rotated'
export const apiKeys = 'API keys'
export const forProgramsTrading =
  'For programs. Trading on these pages needs none. A public key can read your account, so treat it as half a secret.'
export const yourKeys = 'Your keys'
export const noKeysYet = 'No keys yet'
export const makeOneToTrade = 'Make one to trade by program.'
export const secretMade = (secretKeyHint: Value, createdAt: string) => `Secret ${secretKeyHint} · made ${createdAt}`
export const rotate = 'Rotate'
export const revoke = 'Revoke'
export const nameOfANewKey = 'Name of a new key'
export const marketMaker = 'market maker'
export const createKey = 'Create key'
export const twoKeysAtMost = 'Two keys are all there can be: revoke one to make another.'
export const revokeQuestion = (name: Value) => `Revoke “${name}”?`
export const rotateQuestion = (name: Value) => `Rotate “${name}”?`
export const programsWithThisKeyStop = 'Programs with this key stop working at once, for good.'
export const youGetANewSecret = 'You get a new secret. Programs with the old one stop working at once.'
export const revokeKey = 'Revoke key'
export const rotateKey = 'Rotate key'

// Limits
export const reads = 'Reads'
export const thirtyASecond = '30 a second'
export const eachKey = 'each key'
export const writes = 'Writes'
export const twentyASecond = '20 a second; a batch counts its items'
export const withoutAKey = 'Without a key'
export const hundredASecond = '100 a second'
export const eachAddress = 'each address'
export const logIn = 'Log in'
export const onceIn2Minutes = 'once in 2 minutes'
export const eachEmailAddress = 'each email address'
export const createAKey = 'Create a key'
export const twoIn30Minutes = '2 in 30 minutes'
export const eachSession = 'each session'
export const rotateAndRevoke = 'Rotate and revoke'
export const twoIn30MinutesTogether = '2 in 30 minutes together'
export const keys = 'Keys'
export const twoAtATime = '2 at a time'
export const eachAccount = 'each account'
export const openOrders = 'Open orders'
export const openOrdersAtMost = '500 in a market, 5,000 in all'
export const limits = 'Limits'
export const what = 'What'
export const howOften = 'How often'
export const whose = 'Whose'
export const operatorsLimits =
  "The first three are the operator's to change. Every answer to a program says how its allowance stands."

// SecretDialog
export const yourKey = (name: Value) => `Your key “${name}”`
export const theSecretIsShownNow = 'The secret is shown now and never again. Keep it where only you can read it.'
export const publicKey = 'Public key'
export const secretKey = 'Secret key'
export const copy = 'Copy'
export const tryIt = 'Try it'
export const copyCommand = 'Copy command'
export const signingExample = 'Signing example'
export const howItIsSigned = (payloadFormat: Value, algorithm: Value, timestampWindowSeconds: Value) =>
  `Signs ${payloadFormat} by ${algorithm}; a timestamp is good for ${timestampWindowSeconds} seconds. The check changes nothing.`
export const iHaveKeptTheSecret = 'I have kept the secret'

// Sounds
export const playASound = 'Play a sound when one of my waiting orders is met'
