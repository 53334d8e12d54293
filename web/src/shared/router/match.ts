// Patterns of paths, such as /events/:slug.

export type Parameters = Record<string, string>

export function match(pattern: string, path: string): Parameters | null {
  const wanted = pattern.split('/').filter(Boolean)
  const given = path.split('/').filter(Boolean)
  if (wanted.length !== given.length) return null
  const parameters: Parameters = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index]!
    if (part.startsWith(':')) {
      try {
        parameters[part.slice(1)] = decodeURIComponent(value)
      } catch {
        return null
      }
    } else if (part !== value) return null
  }
  return parameters
}
