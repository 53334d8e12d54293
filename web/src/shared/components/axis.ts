// The width of a chart's axis of values: that of its longest label, so that none is cut.

const LEAST_PIXELS = 56
const MARGIN_PIXELS = 16
const CHARACTER_PIXELS = 7.5

export function axisWidth(_plot: unknown, labels: readonly (string | null)[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label?.length ?? 0))
  return Math.max(LEAST_PIXELS, MARGIN_PIXELS + CHARACTER_PIXELS * longest)
}
