// A JSON number of more than 15 digits would lose the last ones as a JavaScript number. Such numbers, and only they, are put
// into quotes before the text is parsed; numbers/decimal.ts reads both forms.

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Every text with a long number has this; few others do, and they are parsed as they are. */
const LONG = /[\d.eE+-]{16}/

export function withExactNumbers(json: string): string {
  if (!LONG.test(json)) return json
  return json.replace(TOKEN, (token) => {
    if (token.startsWith('"')) return token
    return token.replace(/[-.]/g, '').length > 15 ? `"${token}"` : token
  })
}

export function parseExactly(json: string): unknown {
  return JSON.parse(withExactNumbers(json))
}
