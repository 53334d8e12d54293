// Texts about numbers that are being typed. README.md, "Texts", says how to add one.

// numbers/typed
export const understoodAs = (amount: string) => `Understood as ${amount}`
export const twoReadings = (typed: string, thousands: string, decimals: string) =>
  `${typed} can mean ${thousands} or ${decimals}. Type the one that you mean.`
/** Behind a number of shares, as the pages write it. */
export const share = 'share'
export const shares = 'shares'
