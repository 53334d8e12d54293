// Links in untrusted text. Only plain web addresses become links; everything else stays text.

export function safeLink(text: string | undefined): string | null {
  if (!text) return null
  try {
    const address = new URL(text)
    return address.protocol === 'https:' || address.protocol === 'http:' ? address.href : null
  } catch {
    return null
  }
}
