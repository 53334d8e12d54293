// The texts of the statistics on the overview.

export const texts = {
  title: 'Trading over time',
  what: 'The statistics',
  currency: 'Currency',
  interval: 'Interval',
  intervals: { '1h': '24 hours', '1d': '30 days' },
  volume: 'Volume',
  fees: 'Fees',
  traders: 'Traders',
  pools: 'Results of pools',
  volumeLabel: (sum: string) => `Value of the trades in each interval, ${sum} in all`,
  feesLabel: (sum: string) => `Fees taken in each interval, ${sum} in all`,
  tradersLabel: (most: string) => `Users with a trade in each interval, at most ${most}`,
  poolsLabel: (sum: string) => `What all pools gained or lost since the first interval, ${sum} in the end`,
  trades: (count: string) => `${count} trades`,
  most: (count: string) => `at most ${count} at once`,
  poolNote: 'at their own prices, without fees',
  poolTable: 'Pools that changed last',
  market: 'Market',
  result: 'Result',
  noPools: 'No pool has traded in this time.',
} as const
