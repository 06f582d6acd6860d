import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { maxReportedFindings } from '../../docs/update/update-results.ts'
import type { StoredUpdate } from '../../store/records/stored-records.ts'
import type { Store } from '../../store/store.ts'

/**
 * The results of an update, stored as JSON with its record. The update page shows them, and the Action sends them with its report.
 *
 * Diagnostics have the format of `openapi-check --format json`, plus the lines around their location, because the files are not stored.
 */

const Count = Type.Integer({ minimum: 0, maximum: 10_000_000 })
const Line = Type.Integer({ minimum: 1, maximum: 100_000_000 })
const Path = Type.String({ maxLength: 4096 })
const Sentence = Type.String({ maxLength: 4096 })

const Place = { file: Path, line: Line, column: Line, endLine: Line, endColumn: Line }

/** Lines of the file around a diagnostic; `firstLine` counts from 1. */
const CodeFrame = Type.Object(
  { firstLine: Line, lines: Type.Array(Type.String({ maxLength: 400 }), { maxItems: 12 }) },
  { additionalProperties: false, description: 'Lines of the file around the diagnostic.' },
)

/** A diagnostic in a stored report. */
export const ReportedDiagnostic = Type.Object(
  {
    code: Type.String({ maxLength: 100, description: 'Stable; documented in `docs/diagnostics.md`.' }),
    rule: Type.Optional(
      Type.Object(
        { name: Sentence, documentationUrl: Type.Optional(Sentence) },
        { additionalProperties: false, description: 'The rule of the ruleset, with the code `ruleset`.' },
      ),
    ),
    severity: Type.Enum(['error', 'warning', 'info'], { type: 'string' }),
    message: Sentence,
    ...Place,
    pointer: Type.String({ maxLength: 4096, description: 'JSON Pointer (RFC 6901) inside the file.' }),
    hint: Type.Optional(Sentence),
    related: Type.Optional(
      Type.Array(Type.Object({ ...Place, message: Sentence }, { additionalProperties: false }), { maxItems: 20 }),
    ),
    frame: Type.Optional(CodeFrame),
  },
  { additionalProperties: false, description: 'A diagnostic in the format of `openapi-check --format json`.' },
)
export type ReportedDiagnostic = Static<typeof ReportedDiagnostic>

const ReportedDocument = Type.Object(
  {
    path: Path,
    version: Type.Optional(Type.String({ maxLength: 50 })),
    operationCount: Count,
    errorCount: Count,
    warningCount: Count,
    infoCount: Count,
  },
  { additionalProperties: false, description: 'A checked OpenAPI document.' },
)

const ReportedPage = Type.Object(
  {
    kind: Type.Enum(['added', 'modified', 'removed', 'kept'], { type: 'string' }),
    path: Path,
    operation: Type.Optional(Sentence),
    detail: Type.Optional(Sentence),
  },
  { additionalProperties: false, description: 'A page that the update changes, or keeps although its operation changed.' },
)

/** The stored results of an update. */
export const UpdateReport = Type.Object(
  {
    /** Duration of the run, without waiting time. */
    durationMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000 })),
    documents: Type.Array(ReportedDocument, { maxItems: 2000 }),
    pages: Type.Array(ReportedPage, { maxItems: 20_000 }),
    unchangedPageCount: Count,
    findings: Type.Array(ReportedDiagnostic, { maxItems: maxReportedFindings }),
    findingCounts: Type.Object({ error: Count, warning: Count, info: Count }, { additionalProperties: false }),
  },
  { additionalProperties: false, description: 'The problems that the run found and the pages that it changed.' },
)
export type UpdateReport = Static<typeof UpdateReport>

/** Reads the report of an ended update. Returns `undefined` for a damaged report or one in the format of another version. */
export async function readReport(
  { statuses }: Pick<Store, 'statuses'>,
  { update }: StoredUpdate,
): Promise<UpdateReport | undefined> {
  const text = update.endedAt === undefined ? undefined : await statuses.findReport(update._id)
  if (text === undefined) return undefined
  const value: unknown = JSON.parse(text)
  return Check(UpdateReport, value) ? value : undefined
}
