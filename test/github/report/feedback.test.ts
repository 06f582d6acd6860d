import { describe, expect, test } from 'vitest'
import { diagnosticUrl } from '../../../src/diagnostics/diagnostic.ts'
import { type Feedback, renderCheckSummary, renderCheckTitle, toCommentKey } from '../../../src/github/report/feedback.ts'
import { fitSections, toRows, toSection } from '../../../src/github/report/markdown.ts'
import { type CommentMarker, parseCommentMarker, renderComment } from '../../../src/github/report/render-comment.ts'
import { toAnnotations } from '../../../src/github/repositories/check-runs.ts'
import { toFailedSummary } from '../../../src/status/update-record.ts'
import { makeDiagnostic } from '../../support/diagnostics.ts'
import { makeFeedback as feedback } from './example-feedback.ts'

const { headSha } = feedback()
const document = (path: string, errorCount = 0, warningCount = 0, infoCount = 0) => ({
  path,
  version: '3.1.0',
  errorCount,
  warningCount,
  infoCount,
})
const page = (kind: 'added' | 'modified' | 'removed' | 'kept' | 'unchanged', path: string, detail?: string) => ({
  kind,
  path,
  document: 'openapi/stores.yaml',
  operation: 'GET /stores',
  detail,
})

const blob = `https://github.com/acme/api/blob/${headSha}`
const rule = `[\`unknown-field\`](${diagnosticUrl('unknown-field')})`

describe('the title of a check', () => {
  test.each<[string, Partial<Feedback>]>([
    ['Nothing to check', {}],
    ['1 document valid', { documents: [document('a.yaml')] }],
    [
      '2 documents valid, 1 page would change',
      { documents: [document('a.yaml'), document('b.yaml')], pages: [page('added', 'a.mdx')] },
    ],
    [
      '2 errors, 1 warning in 1 of 2 documents',
      {
        documents: [document('a.yaml', 2, 1), document('b.yaml')],
        diagnostics: [makeDiagnostic(), makeDiagnostic(), makeDiagnostic({ severity: 'warning' })],
      },
    ],
    [
      '1 warning in 1 of 1 document',
      { documents: [document('a.yaml', 0, 1)], diagnostics: [makeDiagnostic({ severity: 'warning' })] },
    ],
    ['1 error', { diagnostics: [makeDiagnostic({ file: 'docs.json' })] }],
  ])('%s', (title, over) => expect(renderCheckTitle(feedback(over))).toBe(title))
})

describe('the summary of a check', () => {
  test('lists documents, problems, pages and notes', () => {
    const summary = renderCheckSummary(
      feedback({
        documents: [document('openapi/pets.yaml', 1, 1), document('openapi/stores.yaml'), document('webhooks.yaml', 0, 0, 1)],
        diagnostics: [
          makeDiagnostic({ severity: 'warning', line: 3, column: 1, message: 'Unexpected `x`' }),
          makeDiagnostic({ hint: 'Did you mean `summary`?' }),
        ],
        pages: [page('added', 'a.mdx'), page('removed', 'b.mdx', 'operation removed'), page('unchanged', 'c.mdx')],
        notes: ['GitHub lists at most 300 changed files. More files may have changed'],
      }),
    )
    expect(summary).toBe(
      [
        '### API pages: 1 error, 1 warning in 2 of 3 documents, 2 pages would change',
        '',
        '| | document | problems | pages |',
        '|---|---|---|---|',
        '| ✖ | `openapi/pets.yaml` 3.1.0 | 1 error, 1 warning | not updated |',
        '| ✔ | `openapi/stores.yaml` 3.1.0 | – | 1 to add, 1 to remove |',
        '| ✔ | `webhooks.yaml` 3.1.0 | 1 info message | – |',
        '',
        '| | location | problem | rule |',
        '|---|---|---|---|',
        `| ✖ | [\`openapi/pets.yaml:14\`](${blob}/openapi/pets.yaml?plain=1#L14) | Unexpected field \`sumary\` in an Operation Object. Did you mean \`summary\`? | ${rule} |`,
        `| ⚠ | [\`openapi/pets.yaml:3\`](${blob}/openapi/pets.yaml?plain=1#L3) | Unexpected \`x\` | ${rule} |`,
        '',
        '<details><summary>Pages to change (2)</summary>',
        '',
        '| | page | operation | |',
        '|---|---|---|---|',
        '| + | `a.mdx` | `GET /stores` |  |',
        `| − | [\`b.mdx\`](${blob}/b.mdx) | \`GET /stores\` | operation removed |`,
        '',
        '</details>',
        '',
        '- GitHub lists at most 300 changed files. More files may have changed',
      ].join('\n'),
    )
  })

  test('lists moved operations and pages first, with their previous values', () => {
    const renamed = { ...page('modified', 'animals/get.mdx'), operation: 'GET /animals', renamedFrom: 'GET /pets' }
    const moved = { ...renamed, path: 'animals/list.mdx', movedFrom: 'pets/list.mdx' }
    const summary = renderCheckSummary(feedback({ pages: [renamed, moved], root: 'docs', pagesAre: 'written' }))
    expect(summary.split('\n').slice(0, 4)).toEqual([
      '| operation | previously | page | previously |',
      '|---|---|---|---|',
      `| \`GET /animals\` | \`GET /pets\` | [\`animals/get.mdx\`](${blob}/docs/animals/get.mdx) |  |`,
      `| \`GET /animals\` | \`GET /pets\` | [\`animals/list.mdx\`](${blob}/docs/animals/list.mdx) | \`pets/list.mdx\` |`,
    ])
  })

  test('lists 20 of 5,000 problems, then their number and a link, within the limit', () => {
    const diagnostics = Array.from({ length: 5_000 }, (_, index) => makeDiagnostic({ line: index + 1 }))
    const summary = renderCheckSummary(feedback({ documents: [document('openapi/pets.yaml', 5_000)], diagnostics }))
    expect(summary).toContain('### API pages: 5,000 errors in 1 of 1 document')
    expect(summary.match(/^\| ✖ \| \[`openapi/gm)).toHaveLength(20)
    expect(summary).toContain('| | | … and 4,980 more problems ([view all](https://docs.example.com/updates/1)) | |')
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(65_535)
  })

  test('omits whole rows over the limit and counts them', () => {
    const long = '漢'.repeat(3_000)
    const summary = renderCheckSummary(
      feedback({
        documents: Array.from({ length: 2_000 }, (_, index) => document(`openapi/${'x'.repeat(150)}-${index}.yaml`, 1)),
        diagnostics: Array.from({ length: 30 }, () => makeDiagnostic({ message: long })),
        pages: Array.from({ length: 20_000 }, (_, index) => page('added', `api-reference/${'y'.repeat(100)}-${index}.mdx`)),
        notes: Array.from({ length: 60 }, () => long),
      }),
    )
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(65_535)
    expect(summary).toContain('| | … and 1,800 more documents | | |')
    expect(summary).toMatch(/^\| \| \| … and \d+ more problems? \(/m)
    expect(summary).toMatch(/^\| \| … and [\d,]+ more pages \| \| \|$/m)
    expect(summary.match(/<details>/g)).toHaveLength(summary.match(/<\/details>/g)?.length ?? -1)
  })

  test('escapes hostile names in documents, paths and messages', () => {
    const hostile = '</details>`|\n@octocat <img src=x> #1 ```\n'
    const summary = renderCheckSummary(
      feedback({
        documents: [{ ...document(hostile, 1), version: hostile }],
        diagnostics: [makeDiagnostic({ file: hostile, message: hostile, hint: hostile })],
        pages: [{ ...page('added', hostile, hostile), operation: hostile }],
        notes: [hostile],
      }),
    )
    expect(summary.match(/<\/details>/g)).toHaveLength(1)
    expect(summary).not.toContain('<img')
    expect(summary).not.toMatch(/@octocat|(?<!&)#1/)
    // Every row of the table keeps its four cells.
    const rows = summary.split('\n').filter((line) => line.startsWith('|'))
    for (const row of rows) expect(row.split('|')).toHaveLength(6)
  })
})

describe('annotations', () => {
  test.each([
    [
      'one line: with columns',
      { line: 14, column: 7, endColumn: 13 },
      { start_line: 14, end_line: 14, start_column: 7, end_column: 13 },
    ],
    ['several lines: without columns', { line: 14, column: 7, endLine: 20, endColumn: 3 }, { start_line: 14, end_line: 20 }],
    [
      'an end at the start of a line belongs to the line before',
      { line: 14, column: 7, endLine: 16, endColumn: 1 },
      { start_line: 14, end_line: 15 },
    ],
    ['up to the end of its line', { line: 14, column: 7, endLine: 15, endColumn: 1 }, { start_line: 14, end_line: 14 }],
    ['an empty range', { line: 1, column: 1, endColumn: 1 }, { start_line: 1, end_line: 1, start_column: 1, end_column: 1 }],
  ])('%s', (_title, range, expected) => {
    const [annotation] = toAnnotations([makeDiagnostic(range)])
    expect(annotation).toMatchObject(expected)
    expect('start_column' in (annotation ?? {})).toBe('start_column' in expected)
    expect('end_column' in (annotation ?? {})).toBe('end_column' in expected)
  })

  test('lists errors first, with levels, hint, section and related locations, without documents at a URL', () => {
    const range = { start: { line: 2, column: 3 }, end: { line: 2, column: 4 } }
    const annotations = toAnnotations([
      makeDiagnostic({ severity: 'info', code: 'encoding' }),
      makeDiagnostic({ severity: 'warning', code: 'wrong-type' }),
      makeDiagnostic({
        hint: 'Did you mean `summary`?',
        section: 'OpenAPI 3.1.1, Operation Object',
        related: [{ file: 'b.yaml', range, message: 'first' }],
      }),
      makeDiagnostic({ file: 'https://example.com/openapi.json' }),
    ])
    expect(annotations).toMatchObject([
      {
        annotation_level: 'failure',
        title: 'unknown-field',
        message: 'Unexpected field `sumary` in an Operation Object\nDid you mean `summary`?',
        raw_details: 'OpenAPI 3.1.1, Operation Object\nb.yaml:2:3 first',
      },
      { annotation_level: 'warning' },
      { annotation_level: 'notice' },
    ])
  })

  test('cuts a message over 64 KB between two characters', () => {
    const [annotation] = toAnnotations([makeDiagnostic({ message: '漢'.repeat(40_000) })])
    expect(Buffer.byteLength(annotation?.message ?? '')).toBeLessThanOrEqual(65_536)
    expect(annotation?.message).toMatch(/^漢+…$/)
  })
})

describe('the comment', () => {
  const key = toCommentKey('docs')
  const renderReport = (result: Feedback, previous?: CommentMarker) => {
    const comment = renderComment(key, result, previous)
    if (!comment) throw new Error('there is no comment')
    return comment
  }
  const failing = feedback({
    diagnostics: [
      makeDiagnostic({ hint: 'Did you mean `summary`?' }),
      makeDiagnostic({ line: 80, message: 'Cannot find `#/components/schemas/Pett`' }),
    ],
  })

  test('lists each error with a link to its location', () => {
    const { body, digest } = renderReport(failing)
    const blob = `https://github.com/acme/api/blob/${headSha}/openapi/pets.yaml?plain=1`
    expect(body).toBe(
      [
        `<!-- openapi-pages:v1 key=${key} digest=${digest} --><!-- errors=2 sha=1a2b3c4 -->`,
        '**API documentation: 2 errors** in `openapi/pets.yaml` · [details](https://docs.example.com/updates/1)',
        '',
        '| location | problem |',
        '|---|---|',
        `| [\`openapi/pets.yaml:14\`](${blob}#L14) | Unexpected field \`sumary\` in an Operation Object. Did you mean \`summary\`? |`,
        `| [\`openapi/pets.yaml:80\`](${blob}#L80) | Cannot find \`#/components/schemas/Pett\` |`,
        '',
        'Found in `1a2b3c4`. This comment is updated when the problems change.',
      ].join('\n'),
    )
  })

  test('links to the preview, and changes for each commit with one', () => {
    const note = 'The production site was not updated: this commit has errors.'
    const site = { url: 'https://acme--1a2b3c4d5e6f.example.com/', changedPages: [], changedCount: 0, note }
    const { body, digest } = renderReport({ ...failing, site })
    expect(body.split('\n').slice(-5)).toEqual([
      'Found in `1a2b3c4`. This comment is updated on every push.',
      '',
      `**Preview:** [acme--1a2b3c4d5e6f.example.com](${site.url})`,
      '',
      note,
    ])
    expect(renderReport({ ...failing, site, headSha: 'f'.repeat(40) }).digest).not.toBe(digest)
  })

  test('has a digest of the problems, not of the commit', () => {
    const { digest } = renderReport(failing)
    expect(renderReport({ ...failing, headSha: 'f'.repeat(40), detailsUrl: 'https://docs.example.com/updates/2' }).digest).toBe(
      digest,
    )
    expect(renderReport({ ...failing, diagnostics: failing.diagnostics.slice(1) }).digest).not.toBe(digest)
  })

  test('keeps 5,000 errors within GitHub’s limit and counts the omitted ones', () => {
    const diagnostics = Array.from({ length: 5_000 }, (_, index) =>
      makeDiagnostic({ line: index + 1, message: `Unexpected ${'漢'.repeat(2_000)}` }),
    )
    const { body } = renderReport(feedback({ diagnostics }))
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(65_000)
    const shown = body.match(/^\| \[/gm)?.length ?? 0
    expect(shown).toBeGreaterThan(5)
    expect(body).toContain(`| … | and ${(5_000 - shown).toLocaleString('en-US')} more errors ([view all]`)
    expect(body).toMatch(/This comment is updated when the problems change\.$/)
  })

  test('has the same counts as the check and the record', () => {
    const diagnostics = [
      makeDiagnostic(),
      makeDiagnostic({ severity: 'warning', file: 'b.yaml' }),
      makeDiagnostic({ severity: 'info' }),
    ]
    const counts = '1 error, 1 warning, 1 info message'
    expect(renderReport(feedback({ diagnostics })).body).toContain(`**API documentation: ${counts}** in 2 files`)
    expect(renderCheckTitle(feedback({ diagnostics }))).toBe(counts)
    expect(toFailedSummary(diagnostics)).toContain(`Failed: ${counts} in 2 files`)
  })

  test('reports the fixed errors', () => {
    const { body } = renderReport(failing)
    const marker = parseCommentMarker(body)
    if (!marker) throw new Error('the marker was not read back')
    const fixed = renderReport({ ...failing, headSha: `9f8e7d6${'0'.repeat(33)}`, diagnostics: [] }, marker)
    expect(fixed.body.split('\n').slice(1)).toEqual([
      '**API documentation: fixed** in 9f8e7d6. 2 errors from 1a2b3c4 are resolved.',
    ])
    expect(parseCommentMarker(fixed.body)).toEqual({ key, digest: fixed.digest, failure: undefined, changes: undefined })
  })

  test.each([
    ['a quotation', '> <!-- openapi-pages:v1 key=a digest=b -->'],
    ['below other text', 'x\n<!-- openapi-pages:v1 key=a digest=b -->'],
    ['another version', '<!-- openapi-pages:v2 key=a digest=b -->'],
    ['nothing', ''],
  ])('does not recognize %s as a marker', (_title, body) => expect(parseCommentMarker(body)).toBeUndefined())
})

describe('fitSections', () => {
  const section = (rows: string[], rowLimit = 10) => ({
    head: ['head'],
    ...toRows(rows, rowLimit, (row) => row),
    tail: ['tail'],
    rest: (hidden: number) => `${hidden} more`,
  })

  test('shows everything that fits', () =>
    expect(fitSections([section(['a', 'b']), section(['c'])], 100)).toBe('head\na\nb\ntail\n\nhead\nc\ntail'))

  test('shortens later sections first', () =>
    expect(fitSections([section(['a', 'b']), section(['c'])], 40)).toBe('head\na\nb\ntail\n\nhead\n1 more\ntail'))

  test('applies a limit of rows even if there is space', () =>
    expect(fitSections([section(['a', 'b', 'c'], 1)], 100)).toBe('head\na\n2 more\ntail'))

  test('omits sections that do not fit and counts them', () =>
    expect(fitSections([toSection('a'.repeat(30)), toSection('b'.repeat(60)), section(['c'])], 110)).toBe(
      `${'a'.repeat(30)}\n\n… and 2 more sections, omitted because of GitHub’s size limit`,
    ))

  test('never exceeds the limit', () => {
    for (let limit = 50; limit < 200; limit++) {
      const text = fitSections(
        [
          section(
            Array.from({ length: 30 }, () => '漢字'),
            99,
          ),
          section(['x'.repeat(80)]),
        ],
        limit,
      )
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit)
    }
  })
})
