// Where things stand on a chart: scales, ticks, paths, and the value at a moment. Pure; times are seconds.

export interface Point {
  time: number
  value: number
}

export interface Bar {
  time: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}

/** The drawn area in pixels, and the times and values that its edges stand for. */
export interface Frame {
  left: number
  right: number
  top: number
  bottom: number
  from: number
  to: number
  low: number
  high: number
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 30, 61, 91, 182, 365].map((days) => days * DAY),
]

export function xOf(frame: Frame, time: number): number {
  return frame.left + ((time - frame.from) / Math.max(1, frame.to - frame.from)) * (frame.right - frame.left)
}

export function yOf(frame: Frame, value: number): number {
  return frame.bottom - ((value - frame.low) / (frame.high - frame.low || 1)) * (frame.bottom - frame.top)
}

export function timeAt(frame: Frame, x: number): number {
  const part = (x - frame.left) / Math.max(1, frame.right - frame.left)
  return frame.from + Math.min(1, Math.max(0, part)) * (frame.to - frame.from)
}

/** The place of the last item at or before a moment; −1 before the first. Items ascend. */
export function placeAt(items: readonly { time: number }[], time: number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (items[middle]!.time <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}

export function valueAt(points: readonly Point[], time: number): number | undefined {
  return points[placeAt(points, time)]?.value
}

/** The points of a span, with the value that held at its start. */
export function within(points: readonly Point[], from: number, to: number): Point[] {
  const before = valueAt(points, from)
  const inside = points.filter((point) => point.time > from && point.time <= to)
  return before === undefined ? inside : [{ time: from, value: before }, ...inside]
}

const near = (pixels: number) => pixels.toFixed(1)

/** A price holds until the next trade, so its line has steps; a quote that flows has slopes. */
export function pathOf(points: readonly Point[], frame: Frame, steps: boolean): string {
  let path = ''
  for (const [index, point] of points.entries()) {
    const [x, y] = [near(xOf(frame, point.time)), near(yOf(frame, point.value))]
    path += index === 0 ? `M${x} ${y}` : steps ? `H${x}V${y}` : `L${x} ${y}`
  }
  return path
}

/** The area between a line and the bottom. */
export function areaOf(points: readonly Point[], frame: Frame, steps: boolean): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return ''
  const floor = near(frame.bottom)
  return `${pathOf(points, frame, steps)}V${floor}H${near(xOf(frame, first.time))}Z`
}

/** The values to show, with room above and below, at least `least` apart, and inside the bounds. */
export function rangeOf(values: readonly number[], least: number, bounds: [number, number]): [number, number] {
  if (values.length === 0) return bounds[1] === Infinity ? [0, 1] : bounds
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const room = Math.max((least - (highest - lowest)) / 2, (highest - lowest) * 0.08)
  return [Math.max(bounds[0], lowest - room), Math.min(bounds[1], highest + room)]
}

/** Round values between two, about as many as wanted. */
export function valueTicks(low: number, high: number, wanted: number): number[] {
  const rough = (high - low) / Math.max(1, wanted)
  if (!(rough > 0)) return []
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.999)!
  const ticks: number[] = []
  for (let place = Math.ceil(low / step - 1e-9); place * step <= high + step * 1e-9; place += 1) {
    ticks.push(Number((place * step).toPrecision(12)))
  }
  return ticks
}

/** Round moments of a clock that is `offset` seconds ahead of UTC, at most as many as wanted. */
export function timeTicks(from: number, to: number, wanted: number, offset: number): { step: number; times: number[] } {
  const rough = (to - from) / Math.max(1, wanted)
  const step = TIME_STEPS.find((one) => one >= rough) ?? TIME_STEPS.at(-1)!
  const times: number[] = []
  for (let time = Math.ceil((from + offset) / step) * step - offset; time <= to; time += step) times.push(time)
  return { step, times }
}

/** Rows for labels that share a line, the first row that has room for each; their order is that of their left edges. */
export function rowsFor(labels: readonly { left: number; right: number }[], gap: number): number[] {
  const ends: number[] = []
  const rows = labels.map(() => 0)
  const order = labels.map((_, index) => index).sort((one, other) => labels[one]!.left - labels[other]!.left)
  for (const index of order) {
    const { left, right } = labels[index]!
    const free = ends.findIndex((end) => end + gap <= left)
    const row = free === -1 ? ends.length : free
    rows[index] = row
    ends[row] = right
  }
  return rows
}

/** Moves labels apart, at least `gap`, inside two edges; their order stays. */
export function spread(places: readonly number[], gap: number, top: number, bottom: number): number[] {
  const order = places.map((_, index) => index).sort((left, right) => places[left]! - places[right]!)
  const moved = [...places]
  let least = top
  for (const index of order) {
    moved[index] = Math.max(moved[index]!, least)
    least = moved[index]! + gap
  }
  let most = bottom
  for (const index of order.reverse()) {
    moved[index] = Math.min(moved[index]!, most)
    most = moved[index]! - gap
  }
  return moved
}
