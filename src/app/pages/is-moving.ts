import type { StoredUpdate } from '../../store/update-rows.ts'

/** Beyond this nobody waits for pictures any more: their server may have ended before them. */
const picturesMs = 60_000

/** Whether an open page of a record follows it: until it has ended, and has its pictures where some are to come. */
export function isMoving({ update, details }: StoredUpdate, now: Date): boolean {
  if (update.endedAt === undefined) return true
  const isAwaited = details.pictures === 'awaited' || details.pictures === 'begun'
  return isAwaited && now.getTime() - Date.parse(update.endedAt) < picturesMs
}
