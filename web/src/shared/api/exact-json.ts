// A JSON number of more than 15 digits would lose the last ones as a JavaScript number. Such numbers, and only they, are put
// into quotes before the text is parsed; numbers/decimal.ts reads both forms.

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

export function withExactNumbers(json: string): string {
  return json.replace(TOKEN, (token) => {
    if (token.startsWith('"')) return token
    return token.replace(/[-.]/g, '').length > 15 ? `"${token}"` : token
  })
}

export function parseExactly(json: string): unknown {
  return JSON.parse(withExactNumbers(json))
}
