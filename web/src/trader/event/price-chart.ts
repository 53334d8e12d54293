// The price chart, by lightweight-charts. Its own logo comes with a style element that the content security policy forbids, so
// that is left out and the page names and links its makers instead.
import {
  AreaSeries,
  CandlestickSeries,
  createChart,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  TickMarkType,
  type UTCTimestamp,
} from 'lightweight-charts'
import { clockOf, dayOf } from '../../shared/numbers/time'

export interface Line {
  id: string
  title: string
  points: { time: number; value: number }[]
}

export interface Bar {
  time: number
  open: number
  high: number
  low: number
  close: number
}

// Lines differ by their strokes too, not by colour alone.
const STROKES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.Dotted, LineStyle.LargeDashed]

export const LINES_MAX = 4

export class PriceChart {
  private readonly chart: IChartApi
  private readonly element: HTMLElement
  private lines = new Map<string, ISeriesApi<'Line'> | ISeriesApi<'Area'>>()
  private candles: ISeriesApi<'Candlestick'> | undefined

  constructor(element: HTMLElement) {
    this.element = element
    this.chart = createChart(element, {
      autoSize: true,
      layout: { attributionLogo: false, fontFamily: getComputedStyle(element).fontFamily, fontSize: 11 },
      rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.12, bottom: 0.08 } },
      timeScale: {
        borderVisible: false,
        timeVisible: true,
        secondsVisible: false,
        // The reader's own time zone; the library's own labels are in UTC.
        tickMarkFormatter: (time: UTCTimestamp, kind: TickMarkType) =>
          kind >= TickMarkType.Time ? clockOf(time * 1000) : dayOf(time * 1000),
        fixLeftEdge: true,
        fixRightEdge: true,
      },
      handleScroll: { vertTouchDrag: false },
      localization: {
        timeFormatter: (time: UTCTimestamp) => `${dayOf(time * 1000)} ${clockOf(time * 1000)}`,
        priceFormatter: (value: number) => `${Math.round(value * 1000) / 10}%`,
      },
    })
    // A phone that is turned shows the whole of it again, not what happens to fit.
    this.chart.timeScale().subscribeSizeChange(() => this.chart.timeScale().fitContent())
    this.repaint()
  }

  private colour(name: string): string {
    return getComputedStyle(this.element).getPropertyValue(`--${name}`).trim()
  }

  private palette(): string[] {
    return [this.colour('accent-strong'), this.colour('yes'), this.colour('focus'), this.colour('no')]
  }

  /** Takes the page's colours, which a canvas does not follow by itself. */
  repaint(): void {
    this.chart.applyOptions({
      layout: { background: { color: 'transparent' }, textColor: this.colour('ink-faint') },
      grid: { vertLines: { visible: false }, horzLines: { color: this.colour('line') } },
      crosshair: { vertLine: { color: this.colour('line-strong') }, horzLine: { color: this.colour('line-strong') } },
    })
  }

  private clear(): void {
    for (const series of this.lines.values()) this.chart.removeSeries(series)
    this.lines.clear()
    if (this.candles) this.chart.removeSeries(this.candles)
    this.candles = undefined
  }

  showLines(lines: Line[]): void {
    this.clear()
    const palette = this.palette()
    for (const [index, line] of lines.slice(0, LINES_MAX).entries()) {
      const colour = palette[index]!
      const options = {
        lineWidth: 2 as const,
        priceLineVisible: false,
        lastValueVisible: true,
        lineStyle: STROKES[index]!,
      }
      const series =
        lines.length === 1
          ? this.chart.addSeries(AreaSeries, {
              ...options,
              lineColor: colour,
              topColor: `${colour}44`,
              bottomColor: `${colour}05`,
            })
          : this.chart.addSeries(LineSeries, { ...options, color: colour })
      series.setData(line.points.map((point) => ({ time: point.time as UTCTimestamp, value: point.value })))
      this.lines.set(line.id, series)
    }
    this.chart.timeScale().fitContent()
  }

  showCandles(bars: Bar[]): void {
    this.clear()
    this.candles = this.chart.addSeries(CandlestickSeries, {
      upColor: 'transparent',
      borderUpColor: this.colour('yes'),
      wickUpColor: this.colour('yes'),
      downColor: this.colour('no'),
      borderDownColor: this.colour('no'),
      wickDownColor: this.colour('no'),
      priceLineVisible: false,
    })
    this.candles.setData(bars.map((bar) => ({ ...bar, time: bar.time as UTCTimestamp })))
    this.chart.timeScale().fitContent()
  }

  /** A new price: the line goes on to now. */
  extend(id: string, time: number, value: number): void {
    try {
      this.lines.get(id)?.update({ time: time as UTCTimestamp, value })
    } catch {
      // The page's clock is behind the exchange's: the next price will fit.
    }
  }

  remove(): void {
    this.chart.remove()
  }
}
