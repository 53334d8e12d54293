// Values that take long to make and are often not needed, such as the formats of dates.

export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
