// How the overview's small charts look: five minutes, one line, no legend.

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
})

export type Unit = (value: number) => string

export function lineOptions(unit: Unit) {
  return (colour: (name: string) => string) => ({
    legend: { show: false },
    cursor: { show: false },
    scales: {
      y: { range: (_: unknown, _low: number, high: number): [number, number] => [0, Math.max(high * 1.15, 1)] },
    },
    axes: [
      {
        stroke: colour('ink-faint'),
        grid: { show: false },
        ticks: { show: false },
        size: 26,
        space: 80,
        values: (_: unknown, ticks: number[]) => ticks.map((tick) => clock.format(tick * 1000)),
      },
      {
        stroke: colour('ink-faint'),
        grid: { stroke: colour('line'), width: 1 },
        ticks: { show: false },
        size: 54,
        space: 34,
        values: (_: unknown, ticks: number[]) => ticks.map(unit),
      },
    ],
    series: [{}, { stroke: colour('accent-strong'), fill: colour('accent-wash'), width: 2, points: { show: false } }],
  })
}
