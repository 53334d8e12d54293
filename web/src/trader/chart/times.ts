// Moments on a chart, in the reader's own time zone. Times are seconds.
import { lazily } from '../../shared/lazily'

const DAY = 86_400
const format = (options: Intl.DateTimeFormatOptions) => lazily(() => new Intl.DateTimeFormat(undefined, options))
const clock = format({ hour: '2-digit', minute: '2-digit' })
const date = format({ day: 'numeric', month: 'short' })
const month = format({ month: 'short', year: 'numeric' })
const whole = format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

/** Below the axis: the hour, or the date at midnight and where the step is a day or more. */
export function tickText(time: number, step: number): string {
  const at = new Date(time * 1000)
  if (step >= 30 * DAY) return month().format(at)
  const midnight = at.getHours() === 0 && at.getMinutes() === 0
  return step >= DAY || midnight ? date().format(at) : clock().format(at)
}

export const timeText = (time: number) => whole().format(time * 1000)
