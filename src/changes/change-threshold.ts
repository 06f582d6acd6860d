import type { Change } from './types.ts'

/** The values of `--fail-on` and of `changes.failOn`. */
export const changeThresholds = ['breaking', 'risky', 'any', 'never'] as const

/** The least severe level of changes that fail: `risky` includes breaking changes. */
export type ChangeThreshold = (typeof changeThresholds)[number]

/** Whether a change is at least as severe as a threshold. Accepted changes are not. */
export function meetsThreshold({ level, accepted }: Pick<Change, 'level' | 'accepted'>, threshold: ChangeThreshold): boolean {
  if (threshold === 'never' || accepted) return false
  return threshold === 'any' || level === 'breaking' || (threshold === 'risky' && level === 'risky')
}
