import { Check } from 'typebox/value'
import api from '../../../texts/api.json' with { type: 'json' }
import type { UpdateReport } from '../../docs/update/update-results.ts'
import type { StoredUpdate } from '../../store/records/stored-records.ts'
import type { Store } from '../../store/store.ts'

const reportSchema = api.paths['/v1/project/report'].post.requestBody.content['application/json'].schema.properties.report

/** Reads the report of an ended update. Returns `undefined` for a damaged report or one in the format of another version. */
export async function readReport(
  { statuses }: Pick<Store, 'statuses'>,
  { update }: StoredUpdate,
): Promise<UpdateReport | undefined> {
  const text = update.endedAt === undefined ? undefined : await statuses.findReport(update._id)
  if (text === undefined) return undefined
  const value: unknown = JSON.parse(text)
  // The schema describes this type.
  return Check(reportSchema, value) ? (value as UpdateReport) : undefined
}
