import { Check } from 'typebox/value'
import type { Store } from '../store/types.ts'
import type { StoredUpdate } from '../store/update-rows.ts'
import { UpdateReport } from './update-report.ts'

/** What an ended update found. A report of another version of the app, or a damaged one, is no report. */
export async function readReport(
  { statuses }: Pick<Store, 'statuses'>,
  { update }: StoredUpdate,
): Promise<UpdateReport | undefined> {
  const text = update.endedAt === undefined ? undefined : await statuses.findReport(update._id)
  if (text === undefined) return undefined
  const value: unknown = JSON.parse(text)
  return Check(UpdateReport, value) ? value : undefined
}
