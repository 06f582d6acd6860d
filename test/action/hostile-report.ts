import type { ActionReport } from '../../src/action/report/summary.ts'
import { ConfigError } from '../../src/text/errors.ts'
import { toWellFormed } from '../../src/text/plain/escape-text.ts'
import { makeDiagnostic, makeDocument, makePage, makeReport } from './report/example-report.ts'

/** A report with untrusted text in every string. */
export function makeHostileReport(text: string, more: Partial<ActionReport> = {}): ActionReport {
  const place = { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } }
  const related = [{ file: text, range: place, message: text }]
  const update = {
    documents: [makeDocument(text, { version: text, errorCount: 1, valid: false }), makeDocument('b.yaml')],
    pages: [
      { ...makePage('modified', text, text), operation: text, detail: text, movedFrom: text, renamedFrom: text },
      { ...makePage('kept', `docs/${text}.mdx`, 'b.yaml'), operation: `GET ${text}`, detail: text },
    ],
    materialized: [{ label: text, source: text, directory: text, pageCount: 1 }],
    navigation: { added: 1, removed: 0 },
    diagnostics: [
      makeDiagnostic({ file: text, message: text, hint: text, related, section: text }),
      makeDiagnostic({
        file: 'a.yaml',
        message: `Unexpected field \`${text}\` in \`x\`: ${text}`,
        hint: `Did you mean \`${text}\`?`,
      }),
      makeDiagnostic({ severity: 'warning', file: `https://example.com/${text}`, message: `Cannot read ${text}` }),
    ],
    changes: [{ kind: 'add' as const, path: text, content: text }],
    root: text,
  }
  const made = makeReport({ mode: 'dry-run' }, update)
  return {
    ...made,
    note: `\`${text}\` is no branch`,
    branch: text,
    addedFiles: [text],
    updates: made.update ? [made.update] : [],
    filesChanged: { way: 'all', reason: text },
    troubles: [`Cannot write comment: ${text}`],
    app: {
      records: [{ root: text, statusId: text, detailsUrl: `https://example.com/${encodeURIComponent(toWellFormed(text))}` }],
      trouble: text,
      isExpected: false,
    },
    ...more,
  }
}

/** The same, of a run that was stopped. */
export function makeHostileFailure(text: string): ActionReport {
  return makeHostileReport(text, { failures: [new ConfigError(`Unexpected \`${text}\`: ${text}`, { hint: text })] })
}
