// The address of a call: a path of the API's document with the values in it, then its query.

export interface Parameters {
  path?: Record<string, unknown>
  query?: Record<string, unknown> | undefined
}

/** A parameter without a value is left out; a list is written once for each value. */
export function addressOf(path: string, { path: inPath, query }: Parameters = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath?.[name])))
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    [value].flat().filter((one) => one !== undefined && one !== null).map((one) => `${name}=${encodeURIComponent(String(one))}`),
  )
  return pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled
}
