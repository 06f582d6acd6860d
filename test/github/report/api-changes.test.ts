import { describe, expect, test } from 'vitest'
import type { Change, DocumentComparison } from '../../../src/changes/change.ts'
import {
  type Feedback,
  type ReportedApiChanges,
  renderCheckSummary,
  renderCheckTitle,
} from '../../../src/github/report/feedback.ts'
import { type CommentMarker, parseCommentMarker, renderComment } from '../../../src/github/report/render-comment.ts'
import { listAnnotations } from '../../../src/github/repositories/check-runs.ts'
import { exampleChange, exampleComparison, manyChanges } from '../../changes/example-comparison.ts'
import { makeDiagnostic } from '../../support/diagnostics.ts'
import { readGithub } from '../../support/read-github.ts'
import { makeFeedback } from './example-feedback.ts'

const { headSha } = makeFeedback()
const baseSha = 'b'.repeat(40)
const blob = `https://github.com/acme/api/blob/${headSha}`

const compared = (changes: readonly Change[], fields: Partial<DocumentComparison> = {}): DocumentComparison => ({
  document: 'openapi.yaml',
  kind: 'compared',
  comparison: exampleComparison(changes),
  errors: { base: 0, revision: 0 },
  ...fields,
})
const toApiChanges = (documents: readonly DocumentComparison[], settings: Partial<ReportedApiChanges> = {}) => ({
  apiChanges: { baseSha, failOn: 'never', comment: 'breaking', documents, ...settings } as const,
})
const documents = [{ path: 'openapi.yaml', version: '3.1.0', errorCount: 0, warningCount: 0, infoCount: 0 }]
const feedback = (over: Partial<Feedback> = {}) => makeFeedback({ documents, ...over })
const [breaking, risky, compatible] = (['breaking', 'risky', 'compatible'] as const).map((level) => exampleChange({ level })) as [
  Change,
  Change,
  Change,
]

describe('the title of a check', () => {
  test.each<[string, readonly Change[]]>([
    ['1 document valid', []],
    ['1 document valid, 2 breaking API changes', [breaking, breaking, risky, compatible]],
    ['1 document valid, 1 risky API change', [risky, compatible]],
    ['1 document valid, 2 compatible API changes', [compatible, compatible]],
  ])('%s', (title, changes) => {
    expect(renderCheckTitle(feedback(toApiChanges([compared(changes)])))).toBe(title)
  })
})

describe('the summary of a check', () => {
  test('lists changes with links to both versions and to the review', () => {
    const review = { words: 'review', url: 'https://acme--1a2b3c4d5e6f.example.com/_review/' }
    const shared = exampleChange({ method: null, path: null, fingerprint: '0'.repeat(16) })
    const changes = toApiChanges([compared([breaking, shared, risky])])
    const summary = renderCheckSummary(feedback({ ...changes, root: 'docs', review }))
    expect(summary).toContain('### API changes: 2 breaking, 1 risky\n\n`old.yaml` → `openapi.yaml`, version 1.0.0 → 2.0.0\n')
    expect(summary).toContain(`base [\`old.yaml:9\`](https://github.com/acme/api/blob/${baseSha}/old.yaml?plain=1#L9), `)
    expect(summary).toContain(`revision [\`openapi.yaml:19\`](${blob}/openapi.yaml?plain=1#L19))\n`)
    expect(summary).toContain('Affects `GET /pets`')
    expect(summary).toContain('</summary>\n\n- ⚠ risky: ')
    expect(summary).toContain(`**Before and after:** [review](${review.url})`)
  })

  test('has one section for all documents, with a line for each that cannot be compared', () => {
    const summary = renderCheckSummary(
      feedback(
        toApiChanges([
          compared([breaking, compatible]),
          compared([risky], { document: 'owners.yaml', kind: 'added', errors: { base: 0, revision: 2 } }),
          compared([], { document: 'a.yaml', comparison: undefined, errors: { base: 0, revision: 1 } }),
          compared([], { document: 'b.yaml', comparison: undefined, errors: { base: 3, revision: 1 } }),
        ]),
      ),
    )
    expect(summary.match(/^### API changes: .*$/gm)).toEqual(['### API changes: 1 breaking, 1 risky, 1 compatible'])
    expect(
      summary
        .split('\n')
        .filter((line) => /^- `|^- Cannot/.test(line))
        .slice(0, 4),
    ).toEqual([
      '- `old.yaml` → `openapi.yaml`, version 1.0.0 → 2.0.0',
      '- `owners.yaml` (added), version 1.0.0 → 2.0.0. The list can be incomplete: 2 errors in the new version',
      '- Cannot compare `a.yaml`: the new version cannot be read as OpenAPI',
      '- Cannot compare `b.yaml`: one of its versions cannot be read as OpenAPI',
    ])
    expect(summary.match(/<summary>.*<\/summary>/g)).toEqual([
      '<summary><code>owners.yaml</code> <code>GET /pets</code> 1 risky</summary>',
      '<summary><code>openapi.yaml</code> <code>GET /pets</code> 1 compatible</summary>',
    ])
  })

  test('has no section without changes', () => {
    expect(renderCheckSummary(feedback(toApiChanges([])))).toBe(renderCheckSummary(feedback()))
  })
})

test.each([0, 1, 12, 400, 4_000])('keeps the summary and the comment for %i changes within the limits of GitHub', (count) => {
  const { changes } = manyChanges(4_000)
  const long = changes.slice(0, count).map((change, index) => {
    const path = `/pets/${index}/${'漢'.repeat(200)}`
    return { ...change, path, operations: [{ method: 'get', path }], message: `Unexpected ${'漢'.repeat(300)}` }
  })
  for (const listed of [changes.slice(0, count), long]) {
    const result = feedback(toApiChanges([compared(listed)]))
    const summary = renderCheckSummary(result)
    const comment = renderComment('docs', result, undefined)
    expect(comment === undefined).toBe(count === 0)
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(65_535)
    expect(Buffer.byteLength(comment?.body ?? '')).toBeLessThanOrEqual(65_536)
    for (const text of [summary, comment?.body ?? '']) {
      expect(readGithub(text).isBalanced).toBe(true)
      expect(text.match(/^- `GET/gm)?.length ?? 0).toBe(Math.min(10, count))
    }
  }
})

describe('the comment', () => {
  const report = (changes: readonly Change[], settings: Partial<ReportedApiChanges> = {}) =>
    feedback(toApiChanges([compared(changes)], settings))
  const markerOf = (result: Feedback): CommentMarker => {
    const marker = parseCommentMarker(renderComment('docs', result, undefined)?.body ?? '')
    if (!marker) throw new Error('there is no marker')
    return marker
  }
  const later = (result: Feedback): Feedback => ({ ...result, headSha: `9f8e7d6${'0'.repeat(33)}` })
  const lines = (result: Feedback, previous?: CommentMarker) => renderComment('docs', result, previous)?.body.split('\n')

  test('reports all changes if one of them is breaking', () => {
    const result = report([breaking, compatible])
    expect(lines(result)?.slice(1, 5)).toEqual([
      '**API documentation: 1 breaking API change** · [details](https://docs.example.com/updates/1)',
      '',
      'Found in `1a2b3c4`. This comment is updated when the list changes.',
      '',
    ])
    expect(lines(result)).toContain('### API changes: 1 breaking, 1 compatible')
    expect(markerOf(result)).toMatchObject({ failure: undefined, changes: { breaking: 1, all: 2, shortSha: '1a2b3c4' } })
  })

  test.each<[ReportedApiChanges['comment'], readonly Change[], boolean]>([
    ['breaking', [risky, compatible], false],
    ['any', [compatible], true],
    ['any', [], false],
    ['never', [breaking], false],
  ])('%s: %#', (comment, changes, isWritten) => {
    expect(renderComment('docs', report(changes, { comment }), undefined) !== undefined).toBe(isWritten)
  })

  test('lists errors before changes', () => {
    const result = { ...report([breaking]), diagnostics: [makeDiagnostic()] }
    const body = renderComment('docs', result, undefined)?.body ?? ''
    expect(body).toContain('**API documentation: 1 error** in `openapi/pets.yaml`')
    expect(body.indexOf('| location | problem |')).toBeLessThan(body.indexOf('### API changes'))
    expect(
      renderComment('docs', { ...result, ...toApiChanges([compared([breaking])], { comment: 'never' }) }, undefined)?.body,
    ).not.toContain('API changes')
    expect(markerOf(result)).toMatchObject({ failure: { errors: 1 }, changes: { breaking: 1 } })
  })

  test('has a digest of the changes, not of the commits', () => {
    const digest = (result: Feedback) => renderComment('docs', result, undefined)?.digest
    expect(digest(later(report([breaking])))).toBe(digest(report([breaking])))
    expect(digest(report([breaking], { baseSha: 'c'.repeat(40) }))).toBe(digest(report([breaking])))
    const reviewed = {
      ...report([breaking]),
      review: { words: 'artifact', url: 'https://github.com/acme/api/actions/runs/7#artifacts' },
    }
    expect(digest(later(reviewed))).not.toBe(digest(reviewed))
    expect(digest(report([breaking, risky]))).not.toBe(digest(report([breaking])))
    expect(digest(report([exampleChange({ message: 'Other' })]))).not.toBe(digest(report([breaking])))
    const clients = [{ client: 'web', effect: 'hurts', operation: null, place: null, why: 'sends `a`' } as const]
    expect(digest(report([{ ...breaking, clients }]))).not.toBe(digest(report([breaking])))
  })

  test('reports that changes are resolved', () => {
    const previous = markerOf(report([breaking, breaking, risky]))
    expect(lines(later(report([risky])), previous)?.slice(1)).toEqual([
      '**API documentation: fixed** in 9f8e7d6. 2 breaking API changes from 1a2b3c4 are resolved.',
    ])
    const both = markerOf({ ...report([breaking]), diagnostics: [makeDiagnostic()] })
    expect(lines(later(report([])), both)?.slice(1)).toEqual([
      '**API documentation: fixed** in 9f8e7d6. 1 error from 1a2b3c4 is resolved. 1 breaking API change from 1a2b3c4 is resolved.',
    ])
  })

  test('reports that changes are accepted', () => {
    const previous = markerOf(report([breaking, breaking]))
    const accepted = exampleChange({ level: 'breaking', accepted: { reason: 'Unused', author: 'Ada', isNew: true } })
    expect(lines(later(report([accepted, accepted, risky])), previous)?.slice(1)).toEqual([
      '**API documentation: accepted** in 9f8e7d6. 2 breaking API changes from 1a2b3c4 are accepted.',
    ])
    expect(lines(later(report([accepted])), previous)?.slice(1)).toEqual([
      '**API documentation: accepted** in 9f8e7d6. 2 breaking API changes from 1a2b3c4 are resolved or accepted.',
    ])
  })

  test('does not report changes as resolved if the documents were not compared, or if a setting hides the changes', () => {
    const previous = markerOf(report([breaking]))
    expect(lines(later(feedback()), previous)).toBeUndefined()
    expect(lines(later(report([breaking], { comment: 'never' })), previous)).toBeUndefined()
    const both = markerOf({ ...report([breaking]), diagnostics: [makeDiagnostic()] })
    expect(lines(later(feedback()), both)?.slice(1)).toEqual([
      '**API documentation: fixed** in 9f8e7d6. 1 error from 1a2b3c4 is resolved. The API changes from 1a2b3c4 are no longer reported here.',
    ])
  })
})

describe('the annotations of a check', () => {
  const list = (changes: readonly Change[], failOn: ReportedApiChanges['failOn'] = 'never', diagnostics = [makeDiagnostic()]) =>
    listAnnotations({ diagnostics, ...toApiChanges([compared(changes)], { failOn }) }).map(
      ({ annotation_level: level, title }) => `${level} ${title}`,
    )

  test.each<[ReportedApiChanges['failOn'], readonly string[]]>([
    ['never', ['warning breaking: type-narrowed', 'warning risky: type-narrowed']],
    ['breaking', ['failure breaking: type-narrowed', 'warning risky: type-narrowed']],
    ['risky', ['failure breaking: type-narrowed', 'failure risky: type-narrowed']],
    ['any', ['failure breaking: type-narrowed', 'failure risky: type-narrowed', 'failure compatible: type-narrowed']],
  ])('with failOn: %s', (failOn, expected) => {
    expect(list([breaking, risky, compatible], failOn, [])).toEqual(expected)
  })

  test('list errors before changes, and breaking changes before warnings', () => {
    const diagnostics = (['info', 'warning', 'error'] as const).map((severity) => makeDiagnostic({ severity }))
    expect(list([breaking, risky], 'breaking', diagnostics)).toEqual([
      'failure unknown-field',
      'failure breaking: type-narrowed',
      'warning unknown-field',
      'warning risky: type-narrowed',
      'notice unknown-field',
    ])
  })

  test('are on the line of the revision, or on that of the nearest object around something that was removed', () => {
    const { base } = breaking
    const removed = exampleChange({ revision: null, ...(base ? { surrounding: { ...base, file: 'openapi.yaml' } } : {}) })
    const changes = [breaking, removed, exampleChange({ revision: null })]
    expect(listAnnotations({ diagnostics: [], ...toApiChanges([compared(changes)]) })).toMatchObject([
      {
        path: 'openapi.yaml',
        start_line: 19,
        start_column: 26,
        message: expect.stringMatching(/^GET \/pets: Type of .*\nhint: /),
      },
      { path: 'openapi.yaml', start_line: 9 },
    ])
  })
})
