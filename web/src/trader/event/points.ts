// Points of a chart: seconds, ascending, each once. The last price of a second counts.

export function distinct(points: { e: number; p: number | string }[]): { time: number; value: number }[] {
  const kept = new Map<number, number>()
  for (const point of points) kept.set(Math.floor(point.e / 1000), Number(point.p))
  return [...kept].sort(([left], [right]) => left - right).map(([time, value]) => ({ time, value }))
}
