import { unknownAccess } from '../../../src/action/inputs/github-access.ts'
import type { ActionReport } from '../../../src/action/report/summary.ts'
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts'
import type { PageReport } from '../../../src/docs/pages/subjects.ts'
import type { DocumentReport, Update } from '../../../src/docs/types.ts'
import { toOwnPath } from '../../../src/files/boundary.ts'

/** A report of a run that found everything up to date, with what a test changes. */
export function makeReport(report: Partial<ActionReport>, update: Partial<Update> = {}): ActionReport {
  return {
    mode: 'commit',
    eventName: 'push',
    links: { webUrl: 'https://github.com/acme/docs', runUrl: 'https://github.com/acme/docs/actions/runs/7/attempts/1' },
    plannedAt: 'f'.repeat(40),
    filesChanged: undefined,
    branch: 'main',
    note: undefined,
    boundary: toOwnPath('/nonexistent'),
    commitSha: undefined,
    delivery: undefined,
    failures: [],
    troubles: [],
    access: unknownAccess,
    updates: [],
    app: undefined,
    addedFiles: [],
    apiChanges: undefined,
    update: {
      root: '',
      hasDocsConfig: true,
      hasAudiences: false,
      configPath: 'openapi-pages.config.yaml',
      documents: [makeDocument('openapi.yaml')],
      documentFiles: [{ path: 'openapi.yaml', isValid: true }],
      pages: [],
      materialized: [],
      navigation: { added: 0, removed: 0 },
      diagnostics: [],
      hasUnknownChanges: false,
      changes: [],
      ...update,
    },
    ...report,
  }
}

export function makeDocument(path: string, more: Partial<DocumentReport> = {}): DocumentReport {
  return {
    path,
    version: '3.1.0',
    valid: true,
    operationCount: 1,
    webhookCount: 0,
    schemaCount: 0,
    errorCount: 0,
    warningCount: 0,
    infoCount: 0,
    divisions: ['API Reference (api-reference/)'],
    ...more,
  }
}

export function makePage(kind: PageReport['kind'], path: string, document = 'openapi.yaml'): PageReport {
  return { kind, path, document, operation: 'GET /pets', detail: kind === 'modified' ? 'title changed' : undefined }
}

export function makeDiagnostic(more: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: 'unknown-field',
    severity: 'error',
    message: 'Unexpected field `sumary` in an Operation Object',
    file: 'openapi.yaml',
    range: { start: { line: 14, column: 7 }, end: { line: 14, column: 13 } },
    pointer: '',
    related: [],
    hint: 'Did you mean `summary`?',
    ...more,
  }
}
