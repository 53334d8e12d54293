// The colour of a line of a chart, for `style:--tone`.

export function toneOf(tone: number): string {
  return `var(--chart-${tone})`
}
