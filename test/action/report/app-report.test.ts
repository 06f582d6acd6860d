import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { type ReportedCommit, toAppReport } from '../../../src/action/report/app-report.ts'
import type { ActionReport } from '../../../src/action/report/summary.ts'
import type { ReportBody } from '../../../src/app/api/update-routes.ts'
import type { UpdateReport } from '../../../src/docs/update/update-results.ts'
import type { Files } from '../../../src/files/files.ts'
import type { FilesChanged } from '../../../src/status/update-record.ts'
import { ConfigError } from '../../../src/text/errors.ts'
import api from '../../../texts/api.json' with { type: 'json' }
import { exampleChange, exampleComparison } from '../../changes/example-comparison.ts'
import { createMemoryFiles } from '../../support/memory-files.ts'
import { makeDiagnostic, makePage, makeReport } from './example-report.ts'

const { schema } = api.paths['/v1/project/report'].post.requestBody.content['application/json']

const commit: ReportedCommit = {
  sha: 'a'.repeat(40),
  ref: 'refs/heads/main',
  message: 'Start',
  author: 'pat',
}

const toChanged = (files: FilesChanged) => ({ way: 'git', filesChanged: files, truncated: undefined }) as const

async function make(report: ActionReport, changed: Partial<ReportedCommit> = {}, files: Files = createMemoryFiles({})) {
  const body = await toAppReport({ root: '', update: report.update }, report, { ...commit, ...changed }, files)
  // What the app would refuse; nothing, where the body is as it wants it.
  expect([...Value.Errors(schema, body)]).toEqual([])
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(4 * 1024 * 1024)
  return body as ReportBody
}

describe('the app accepts the report of a run', () => {
  test('that is up to date', async () => {
    const filesChanged = toChanged({ added: [], modified: ['openapi.yaml'], removed: [] })
    expect(await make(makeReport({ filesChanged }))).toMatchObject({
      root: '',
      status: 'success',
      summary: 'Valid: 1 document, 1 operation. All pages are up to date.',
      commit: { filesChanged: { modified: ['openapi.yaml'] } },
    })
  })

  test('with written and planned pages', async () => {
    const pages = [makePage('added', 'a.mdx'), makePage('unchanged', 'b.mdx')]
    const written = await make(makeReport({ commitSha: 'b'.repeat(40) }, { pages }))
    expect(written.summary).toBe('Valid: 1 document, 1 operation. 1 page changed.')
    expect(written.report).toMatchObject({ pages: [{ path: 'a.mdx' }], unchangedPageCount: 1 })
    expect((await make(makeReport({}, { pages }))).summary).toBe('Valid: 1 document, 1 operation. 1 page would change.')
  })

  test('with diagnostics, and for a failed run', async () => {
    const failed = await make(makeReport({}, { diagnostics: [makeDiagnostic()] }))
    expect([failed.status, failed.summary]).toEqual(['failure', expect.stringMatching(/^Failed: 1 error in openapi\.yaml/)])
    // Tokens of the app read the log and the summary. Only people of the repository see the report.
    const update = { diagnostics: [makeDiagnostic({ message: 'Unexpected `secret`', hint: 'Hide it' })], hasAudiences: true }
    const { report, ...shown } = await make(makeReport({}, { ...update, pages: [makePage('added', 'a.mdx')] }))
    expect([shown.summary, shown.logs]).toEqual([
      expect.stringMatching(/^Failed: 1 error in openapi\.yaml \(first error at [\d:]+: Unknown field\)\.$/),
      expect.arrayContaining([expect.stringMatching(/^openapi\.yaml:[\d:]+ error unknown-field: Unknown field$/), '+ a.mdx']),
    ])
    expect(report?.findings).toMatchObject([{ message: 'Unexpected `secret`' }])
    const stopped = await make({ ...makeReport({ failures: [new ConfigError('Cannot push\nto `main`')] }), update: undefined })
    expect(stopped).toMatchObject({
      status: 'failure',
      summary: 'Failed: Cannot push to `main`.',
      logs: ['Cannot push to `main`'],
    })
    expect(stopped.report).toBeUndefined()
  })

  test('with the status of the update, if only `changes.failOn` makes the run fail', async () => {
    const comparison = exampleComparison([exampleChange({ level: 'breaking' })])
    const documents = [{ document: 'openapi.yaml', kind: 'compared', comparison, errors: { base: 0, revision: 0 } }] as const
    const about = { baseSha: 'b'.repeat(40), comment: 'breaking', documents } as const
    const reportOf = async (failOn: 'breaking' | 'never') =>
      await make(makeReport({ apiChanges: new Map([['', { ...about, failOn }]]) }))
    const failing = await reportOf('breaking')
    expect(failing).toMatchObject({ status: 'success', summary: 'Valid: 1 document, 1 operation. All pages are up to date.' })
    const reason = 'The check fails because of `changes.failOn: breaking`'
    expect(failing.logs?.slice(-2)).toEqual(['API changes since bbbbbbb: 1 breaking', reason])
    expect((await reportOf('never')).logs?.at(-1)).toBe('API changes since bbbbbbb: 1 breaking')
  })

  test('with long, empty and multi-line texts', async () => {
    const long = 'x\u0000\n'.repeat(50_000)
    const body = await make(makeReport({}, { diagnostics: [makeDiagnostic({ message: long, file: long })] }), {
      author: '\n',
      message: long,
    })
    expect(body.author).toBe('–')
  })

  test('that is too large, after shrinking it', async () => {
    const line = `${'ß'.repeat(500)}\n`
    const diagnostics = Array.from({ length: 5_000 }, (_, index) =>
      makeDiagnostic({ message: `${index} ${'ß'.repeat(4_000)}`, hint: 'ß'.repeat(4_000) }),
    )
    const pages = Array.from({ length: 30_000 }, (_, index) => makePage('added', `${index}-${'p'.repeat(100)}.mdx`))
    const added = Array.from({ length: 25_000 }, (_, index) => `${index}-${'f'.repeat(100)}`)
    const files = createMemoryFiles({ 'openapi.yaml': line.repeat(50) })
    const filesChanged = toChanged({ added, modified: added, removed: [] })
    const body = await make(makeReport({ filesChanged }, { diagnostics, pages }), {}, files)
    expect(body.summary).toMatch(/^Failed: 5,000 errors/)
    const some = await make(makeReport({}, { diagnostics: diagnostics.slice(0, 300) }), {}, files)
    expect((some.report as UpdateReport).findings).toHaveLength(100)
  })
})
