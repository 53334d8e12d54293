// Words of the API as people say them.

const INTERVALS: Record<string, string> = {
  FIFTEEN_MINUTE: 'Every 15 minutes',
  HOURLY: 'Hourly',
  SIX_HOURLY: 'Every 6 hours',
  DAILY: 'Daily',
}
const ALERTS: Record<string, string> = {
  stale_price: 'No fresh price',
  house_short: 'The house was short of money',
  missed: 'The exchange was down',
  name_taken: 'Its name was taken',
  sources_disagree: 'The sources disagreed',
}
const PROPOSALS: Record<string, string> = {
  resolution: 'How an event ends',
  game_result: 'Result of a game',
}
// Commands that are proposed, by their names in the audit log.
const COMMANDS: Record<string, string> = {
  create_operator: 'New operator',
  change_role: 'Change of a role',
  confirm_operator: 'A person of its own',
  suspend_operator: 'End of a suspension',
  revoke_operator: 'Revoke an operator',
  set_policy: 'Change of the policy',
  suspend_user: 'End of a suspension',
  freeze_user: 'End of a freeze',
  erase_user: 'Erasing a person',
  approve_password_reset: 'New password',
  credit_wallet: 'Credit',
  debit_wallet: 'Debit',
  move_fees: 'Move fees',
  seed_pool: 'Seed a pool',
  grow_pool: 'Grow a pool',
}

export const intervalWords = (interval: string) => INTERVALS[interval] ?? interval
export const alertWords = (reason: string) => ALERTS[reason] ?? reason
export const proposalWords = ({ type, action }: { type: string; action?: string | null }) =>
  type === 'command' && action ? (COMMANDS[action] ?? sentence(action)) : (PROPOSALS[type] ?? type)
export const ENGINES = [
  { value: 'CLOB', label: 'Order book' },
  { value: 'AMM', label: 'Pool' },
] as const
export const engineWords = (engine: string) => (engine === 'AMM' ? 'Pool' : 'Order book')
/** credit_wallet → Credit wallet. */
export const sentence = (word: string) =>
  word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ').toLowerCase()

/** What a name in an address may have: lowercase letters, digits, hyphens. */
export function slugOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
    .replace(/-$/, '')
}

/** 90 → 1m 30s, 86400 → 1d. */
export function spanWords(seconds: number): string {
  const parts: [number, string][] = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'm'],
    [1, 's'],
  ]
  let left = seconds
  const said = []
  for (const [size, letter] of parts) {
    if (left >= size) said.push(`${Math.floor(left / size)}${letter}`)
    left %= size
  }
  return said.slice(0, 2).join(' ') || 'none'
}
