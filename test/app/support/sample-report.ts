import type { UpdateReport } from '../../../src/docs/update/update-results.ts'

/** A report with all variants of diagnostics: with a frame, a related location, a hint, a URL, and an unknown code. */
export const failedReport: UpdateReport = {
  durationMs: 2100,
  documents: [
    { path: 'openapi.yaml', version: '3.1.0', operationCount: 64, errorCount: 2, warningCount: 0, infoCount: 0 },
    {
      path: 'https://api.example.com/openapi.json',
      version: '3.0.3',
      operationCount: 12,
      errorCount: 0,
      warningCount: 0,
      infoCount: 0,
    },
  ],
  pages: [
    { kind: 'kept', path: 'api-reference/rules/test-a-rule.mdx', operation: 'POST /rules/test', detail: 'hand-edited, kept' },
  ],
  unchangedPageCount: 150,
  findings: [
    {
      code: 'reference-unresolved',
      severity: 'error',
      message: 'Cannot find `#/components/schemas/RuleNod`: `components.schemas` has no `RuleNod`',
      file: 'openapi.yaml',
      line: 214,
      column: 21,
      endLine: 214,
      endColumn: 53,
      pointer: '/paths/~1rules/post/requestBody',
      hint: 'Did you mean `RuleNode`?',
      related: [
        { file: 'openapi.yaml', line: 880, column: 5, endLine: 880, endColumn: 13, message: '`RuleNode` is defined here' },
      ],
      frame: {
        firstLine: 212,
        lines: [
          '          application/json:',
          '            schema:',
          "              $ref: '#/components/schemas/RuleNod'",
          '      responses:',
        ],
      },
    },
    {
      code: 'unknown-field',
      severity: 'error',
      message: 'Unexpected field `sumary` in an Operation Object',
      file: 'openapi.yaml',
      line: 301,
      column: 7,
      endLine: 301,
      endColumn: 13,
      pointer: '/paths/~1rules~1{rule_id}/delete/sumary',
      hint: 'Did you mean `summary`?',
      frame: {
        firstLine: 299,
        lines: ['  /rules/{rule_id}:', '    delete:', '      sumary: Delete a routing rule', '      operationId: rules/delete'],
      },
    },
    {
      code: 'of-another-version',
      severity: 'warning',
      message: 'This page’s operation is gone; the page was edited by hand and is kept',
      file: 'api-reference/rules/test-a-rule.mdx',
      line: 3,
      column: 10,
      endLine: 3,
      endColumn: 39,
      pointer: '',
      hint: 'Likely moved to `POST /rules/{rule_id}/test`: change the line, or remove the page',
      frame: { firstLine: 2, lines: ['title: Test a rule', 'openapi: openapi.yaml POST /rules/test', '---'] },
    },
    {
      code: 'unlisted-operation',
      severity: 'info',
      message: 'No page shows `GET /health`',
      file: 'https://api.example.com/openapi.json',
      line: 4,
      column: 1,
      endLine: 6,
      endColumn: 2,
      pointer: '/paths/~1health',
    },
  ],
  findingCounts: { error: 2, warning: 1, info: 1 },
}

export const validReport: UpdateReport = {
  durationMs: 1400,
  documents: [{ path: 'openapi.yaml', version: '3.1.0', operationCount: 64, errorCount: 0, warningCount: 0, infoCount: 0 }],
  pages: [
    { kind: 'added', path: 'api-reference/rules/create-a-routing-rule.mdx', operation: 'POST /rules' },
    { kind: 'modified', path: 'api-reference/issues/create-an-issue.mdx', operation: 'POST /issues', detail: 'title changed' },
    { kind: 'removed', path: 'api-reference/rules-beta.mdx', detail: 'operation removed' },
  ],
  unchangedPageCount: 148,
  findings: [],
  findingCounts: { error: 0, warning: 0, info: 0 },
}
