import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toStoredChanges } from '../../../src/app/base/stored-changes.ts'
import { compareContents } from '../../../src/changes/compare/compare.ts'
import type { StoredApiChanges } from '../../../src/store/records/stored-records.ts'

/** Two versions of the Parcel API: the second one removes, limits and adds parts. */
export function readParcelVersions(): { readonly base: string; readonly revision: string } {
  const base = readFileSync(join(import.meta.dirname, '../../fixtures/visual/docs/api/parcel.yaml'), 'utf8')
  const edits: readonly (readonly [RegExp, string])[] = [
    [/version: 2\.1\.0/, 'version: 3.0.0'],
    [/.*name: cursor, in: query.*\n/, ''],
    [/maximum: 100, default: 20/, 'maximum: 50, default: 20'],
    [/operationId: listShipments/, 'operationId: listShipments\n      deprecated: true'],
    [
      /paths:\n/,
      `paths:\n  /carriers:\n    get: { summary: List carriers, responses: { '200': { description: The carriers } } }\n`,
    ],
  ]
  const revision = edits.reduce((text, [pattern, replacement]) => {
    if (!pattern.test(text)) throw new Error(`The Parcel API has no ${pattern}`)
    return text.replace(pattern, replacement)
  }, base)
  return { base, revision }
}

/** Breaking, risky and compatible changes of an API, as the app stores them. */
export async function compareParcelVersions(): Promise<StoredApiChanges> {
  const { base, revision } = readParcelVersions()
  const file = (text: string) => ({ entry: 'api/parcel.yaml', files: { 'api/parcel.yaml': text } })
  const { errors, ...comparison } = await compareContents(file(base), file(revision), { today: '2026-11-18' })
  const documents = [{ document: 'api/parcel.yaml', kind: 'compared', comparison, errors }] as const
  return toStoredChanges({
    kind: 'compared',
    changes: { baseSha: '', failOn: 'breaking', comment: 'breaking', documents },
    concernsDocuments: true,
  })
}
