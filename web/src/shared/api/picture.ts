// Pictures that this venue serves. Pages load nothing from elsewhere, so other addresses are never shown as pictures.

const OWN = /^\/pictures\/[0-9a-f]{64}(-128)?\.jpg$/

export function isOwnPicture(address: string): boolean {
  return OWN.test(address)
}

/** The small size of an event's or a market's picture; empty if it has none. */
export function smallPicture(of: { imageUrl?: string; image128Url?: string }): string {
  const found = [of.image128Url, of.imageUrl].find((address) => address && isOwnPicture(address))
  return found ? found.replace(/(-128)?\.jpg$/, '-128.jpg') : ''
}
