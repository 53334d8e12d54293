// How the charts of the last hour look: lines over an hour, without a legend.
import { clockOf } from '../../shared/numbers/time'

export type Unit = (value: number) => string

/** One line, or a second one that is fainter. */
export function lineOptions(unit: Unit, lines: 1 | 2 = 1) {
  return (colour: (name: string) => string) => {
    const first = {
      stroke: colour('accent-strong'),
      fill: colour('accent-wash'),
      width: 2,
      points: { show: false },
      spanGaps: true,
    }
    const second = { stroke: colour('ink-faint'), width: 1.5, points: { show: false }, spanGaps: true }
    return {
      legend: { show: false },
      cursor: { show: false },
      scales: {
        y: {
          range: (_: unknown, _low: number, high: number): [number, number] => [0, high > 0 ? high * 1.15 : 1],
        },
      },
      axes: [
        {
          stroke: colour('ink-faint'),
          grid: { show: false },
          ticks: { show: false },
          size: 26,
          space: 80,
          values: (_: unknown, ticks: number[]) => ticks.map((tick) => clockOf(tick * 1000)),
        },
        {
          stroke: colour('ink-faint'),
          grid: { stroke: colour('line'), width: 1 },
          ticks: { show: false },
          size: 58,
          space: 34,
          values: (_: unknown, ticks: number[]) => ticks.map(unit),
        },
      ],
      series: [{}, first, ...(lines === 2 ? [second] : [])],
    }
  }
}
