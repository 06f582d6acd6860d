import { describe, expect, test } from 'vitest'
import { toDelivery } from '../../../src/action/delivery/commit-message.ts'
import { type ActionReport, renderSummary } from '../../../src/action/report/summary.ts'
import { diagnosticUrl } from '../../../src/diagnostics/diagnostic.ts'
import { mergeUpdates } from '../../../src/docs/update/update-results.ts'
import { ConfigError, GitError } from '../../../src/text/errors.ts'
import type { FileChange } from '../../../src/text/plain/source-file.ts'
import { makeDiagnostic, makeDocument, makePage, makeReport } from './example-report.ts'

const change: FileChange = { kind: 'add', path: 'a.mdx', content: '' }
const sha = '0123456789abcdef0123456789abcdef01234567'
const blob = `https://github.com/acme/docs/blob/${sha}`

describe('shows', () => {
  test('that everything is up to date', () => {
    expect(renderSummary(makeReport({}, { pages: [makePage('unchanged', 'a.mdx')] }))).toBe(`### API pages: up to date

| | document | problems | pages |
|---|---|---|---|
| ✔ | \`openapi.yaml\` 3.1.0 | – | up to date |
`)
  })

  test.each([
    ['docs.json', 'docs/docs.json'],
    ['a file that it names', 'docs/navigation/api.json'],
  ])('names the navigation file: %s', (_, path) => {
    const changes = ['docs/a.mdx', 'docs/openapi-pages.lock.json', path].map((name): FileChange => ({ ...change, path: name }))
    const summary = renderSummary(makeReport({}, { root: 'docs', changes, navigation: { added: 1, removed: 0 } }))
    expect(summary).toContain(`Navigation in \`${path}\`: 1 page to add.`)
  })

  test('the changes of a commit next to a document with errors', () => {
    const update = {
      documents: [
        makeDocument('openapi/pets.yaml', { valid: false, errorCount: 1 }),
        makeDocument('stores.yaml', { version: undefined }),
        makeDocument('checked.yaml', { divisions: [] }),
      ],
      pages: [
        makePage('unchanged', 'pets.mdx', 'openapi/pets.yaml'),
        makePage('added', 'a.mdx', 'stores.yaml'),
        makePage('modified', 'b.mdx', 'stores.yaml'),
        makePage('removed', 'c.mdx', 'stores.yaml'),
        makePage('kept', 'd.mdx', 'stores.yaml'),
      ],
      diagnostics: [makeDiagnostic({ file: 'openapi/pets.yaml' })],
      changes: [change],
    }
    expect(renderSummary(makeReport({ commitSha: sha }, update))).toBe(`### API pages: 1 error in 1 of 3 documents

Committed [\`0123456\`](https://github.com/acme/docs/commit/${sha}) to \`main\`.

| | document | problems | pages |
|---|---|---|---|
| ✖ | \`openapi/pets.yaml\` 3.1.0 | 1 error | not updated |
| ✔ | \`stores.yaml\` | – | 1 added, 1 changed, 1 removed, 1 kept |
| ✔ | \`checked.yaml\` 3.1.0 | – | – |

| | location | problem | rule |
|---|---|---|---|
| ✖ | [\`openapi/pets.yaml:14\`](${blob}/openapi/pets.yaml?plain=1#L14) | Unexpected field \`sumary\` in an Operation Object. Did you mean \`summary\`? | [\`unknown-field\`](${diagnosticUrl('unknown-field')}) |

<details><summary>Pages changed (4)</summary>

| | page | operation | |
|---|---|---|---|
| + | [\`a.mdx\`](${blob}/a.mdx) | \`GET /pets\` |  |
| ~ | [\`b.mdx\`](${blob}/b.mdx) | \`GET /pets\` | title changed |
| − | [\`c.mdx\`](https://github.com/acme/docs/blob/${'f'.repeat(40)}/c.mdx) | \`GET /pets\` |  |
| = | [\`d.mdx\`](${blob}/d.mdx) | \`GET /pets\` |  |

</details>
`)
  })

  test.each([
    [makeReport({}, { diagnostics: [makeDiagnostic({ severity: 'warning' })] }), 'up to date, 1 warning'],
    [makeReport({ mode: 'check' }, { changes: [change] }), '1 file out of date'],
    [makeReport({ mode: 'dry-run' }, { changes: [change, change] }), '2 files out of date (dry run)'],
    [makeReport({ commitSha: sha }, { changes: [change, change] }), '2 files changed'],
    [
      makeReport({}, { diagnostics: [makeDiagnostic()], documents: [makeDocument('a.yaml', { valid: false, errorCount: 1 })] }),
      '1 error in `a.yaml`',
    ],
    [makeReport({}, { diagnostics: [makeDiagnostic({ file: 'docs.json' })] }), '1 error'],
    [makeReport({ update: undefined }), 'nothing to do'],
    [makeReport({ failures: [new ConfigError('x')] }), 'the run failed'],
  ])('%#: %s', (report, headline) => {
    expect(renderSummary(report).split('\n')[0]).toBe(`### API pages: ${headline}`)
  })

  test('each error with its hint, next to the diagnostics', () => {
    const failures = [
      new GitError('Cannot push to `main`: @here <b>', { hint: 'use `mode: check`' }),
      new ConfigError('Unexpected'),
    ]
    expect(renderSummary(makeReport({ failures }))).toBe(`### API pages: the run failed

> Cannot push to \`main\`: @​here &lt;b&gt;<br>use \`mode: check\`

> Unexpected

| | document | problems | pages |
|---|---|---|---|
| ✔ | \`openapi.yaml\` 3.1.0 | – | – |
`)
  })

  test('a bug in openapi-pages with its stack', () => {
    const summary = renderSummary(makeReport({ failures: [new TypeError('x is not a function')] }))
    expect(summary).toContain('Bug in openapi-pages: TypeError: x is not a function')
    expect(summary).toContain('Report it with this message')
  })

  test('the operations without a current page, although the baseline accepts all errors', () => {
    const [document] = makeReport({}).update?.documents ?? []
    const stopped = { operations: ['GET /pets'], setting: 'update.onError: operation' }
    const documents = document ? [{ ...document, valid: false, errorCount: 0, stopped }] : []
    const summary = renderSummary(makeReport({}, { documents, diagnostics: [], changes: [], pages: [] }))
    expect(summary).toContain('### API pages: 1 operation has no current page\n')
    expect(summary).toContain('set `update.onError: operation` in the configuration file')
  })

  test('newly materialized divisions and how to opt out', () => {
    const materialized = [
      { label: 'API | Reference', source: 'openapi.yaml', directory: 'api-reference', pageCount: 1223 },
      { label: '', source: 'https://example.com/x.json', directory: 'x', pageCount: 1 },
      { label: 'All', source: 'all.yaml', directory: '', pageCount: 2 },
      // For example one per version. Two equal lines would be ambiguous.
      { label: 'Twice', pointer: '/a', source: 'a.yaml', directory: 'a', pageCount: 3 },
      { label: 'Twice', pointer: '/b', source: 'a.yaml', directory: 'a', pageCount: 4 },
    ]
    const summary = renderSummary(makeReport({ commitSha: sha }, { materialized, changes: [change] }))
    expect(summary).toContain('- `Twice` (`a.yaml`), 2 times in the navigation: 7 pages in `a/`\n\n')
    expect(summary).toContain('- <code>API &#124; Reference</code> (`openapi.yaml`): 1,223 pages in `api-reference/`\n')
    expect(summary).toContain('- the navigation (`https://example.com/x.json`): 1 page in `x/`\n')
    expect(summary).toContain('- `All` (`all.yaml`): 2 pages in `./`\n')
    expect(summary).toContain('set `materialize: false` in `openapi-pages.config.yaml` next to `docs.json`')
    expect(summary).toContain('`git revert 0123456789ab`')
    expect(renderSummary(makeReport({ mode: 'check' }, { materialized, changes: [change] }))).not.toContain('git revert')
  })

  test('the changes of a proposed pull request', () => {
    const materialized = [{ label: 'API', source: 'openapi.yaml', directory: 'api-reference', pageCount: 1 }]
    const pullRequest = { number: 7, url: 'https://github.com/acme/docs/pull/7' }
    const delivery = toDelivery({ operation: 'pull-request-created', branch: 'openapi-pages/main', commitSha: sha, pullRequest })
    const pages = [makePage('added', 'a.mdx')]
    const update = { materialized, changes: [change], pages, navigation: { added: 1, removed: 0 } }
    const summary = renderSummary(makeReport({ commitSha: sha, delivery, branch: 'openapi-pages/main' }, update))
    expect(summary).toContain('1 file to change in pull request #7')
    expect(summary).toContain('**API pages become files in this repository with the pull request.**')
    expect(summary).toContain('Navigation in `docs.json`: 1 page to add.')
    expect(summary).toContain('| 1 to add |')
    expect(summary).toContain(`| + | [\`a.mdx\`](https://github.com/acme/docs/blob/${sha}/a.mdx)`)
    expect(summary).not.toContain('git revert')
  })
})

test('stays under 1 MiB', () => {
  const long = '\u{10ffff}@'.repeat(5000)
  const many = <Value>(make: (index: number) => Value, count: number) => Array.from({ length: count }, (_, index) => make(index))
  const summary = renderSummary(
    makeReport(
      { commitSha: sha, note: long, branch: long, failures: many(() => new GitError(long, { hint: long }), 9) },
      {
        documents: many(() => makeDocument(long, { valid: false, version: long, errorCount: 5 }), 500),
        pages: many(() => ({ ...makePage('modified', long), operation: long, detail: long }), 5000),
        materialized: many(() => ({ label: long, source: long, directory: long, pageCount: 1 }), 500),
        diagnostics: many(() => makeDiagnostic({ message: long, file: long, hint: long }), 50_000),
      },
    ),
  )
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024)
  expect(summary).toContain('<summary>49,980 more problems</summary>')
  expect(summary).toMatch(/… and [\d,]+ more problems \(the log of \[this run\]/)
  expect(summary).toMatch(/… and [\d,]+ more pages/)
  expect(summary).toContain('… and 300 more documents')
})

test('limits 50,000 diagnostics: twenty visible, a thousand collapsed, and counts per rule', () => {
  const diagnostics = Array.from({ length: 50_000 }, (_, index) =>
    makeDiagnostic({
      severity: index % 5 === 0 ? 'error' : 'warning',
      code: index % 5 === 0 ? 'unknown-field' : 'path-ambiguous',
    }),
  )
  const documents = [makeDocument('openapi.yaml', { valid: false, errorCount: 10_000, warningCount: 40_000 })]
  const summary = renderSummary(makeReport({}, { documents, diagnostics }))
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024)
  expect(summary.match(/^\| . \| \[`openapi.yaml:14/gm)).toHaveLength(1_020)
  expect(summary).toContain('| 10,000 | [`openapi.yaml:14`]')
  expect(summary).toContain('| 40,000 | [`openapi.yaml:14`]')
  expect(summary).toContain(
    '… and 48,980 more problems (the log of [this run](https://github.com/acme/docs/actions/runs/7/attempts/1) has all of them)',
  )
})

test('includes the current size of the summary file', () => {
  const diagnostics = Array.from({ length: 5_000 }, () => makeDiagnostic())
  const used = 900 * 1024
  const summary = renderSummary(makeReport({}, { diagnostics }), used)
  expect(Buffer.byteLength(summary) + used).toBeLessThan(1024 * 1024)
  expect(summary.match(/<details>/g)?.length).toBe(summary.match(/<\/details>/g)?.length)
})

test.each<[string, ActionReport['filesChanged']]>([
  [
    'Changed by this push (according to Git): 1 of 1 OpenAPI document, no other files.',
    { way: 'git', filesChanged: { added: [], modified: ['openapi.yaml'], removed: [] }, truncated: undefined },
  ],
  [
    "Changed by this push (according to GitHub's compare API): 0 of 1 OpenAPI document, 2 other files. GitHub lists at most 300 changed files. More files may have changed.",
    {
      way: 'compare',
      filesChanged: { added: ['a'], modified: [], removed: ['b'] },
      truncated: 'GitHub lists at most 300 changed files. More files may have changed',
    },
  ],
  ['All files are treated as changed: the branch is new.', { way: 'all', reason: 'the branch is new' }],
])('shows %s', (sentence, filesChanged) => {
  expect(renderSummary(makeReport({ filesChanged }))).toContain(`<sub>${sentence}</sub>`)
  expect(renderSummary(makeReport({ filesChanged, eventName: 'schedule' }))).not.toContain('<sub>')
})

test('counts errors per file if some are outside the documents', () => {
  const update = {
    documents: [makeDocument('openapi.json', { valid: false, errorCount: 1 })],
    documentFiles: [{ path: 'openapi.json', isValid: false }],
    diagnostics: [makeDiagnostic({ file: 'openapi.json' }), makeDiagnostic({ file: 'openapi-pages.config.yaml' })],
  }
  expect(renderSummary(makeReport({}, update)).split('\n')[0]).toBe(
    '### API pages: 2 errors: 1 in `openapi.json`, 1 in `openapi-pages.config.yaml`',
  )
})

test('names each docs directory and counts the pages of each', () => {
  const made = (root: string, pages: ReturnType<typeof makePage>[]) => ({
    root,
    documents: [makeDocument(`${root}/openapi.yaml`)],
    pages: pages.map((page) => ({ ...page, document: `${root}/openapi.yaml` })),
    navigation: { added: pages.length, removed: 0 },
    changes: pages.map(({ path }): FileChange => ({ ...change, path: `${root}/${path}` })),
  })
  const updates = [
    made('packages/a', [makePage('added', 'x.mdx'), makePage('added', 'y.mdx')]),
    made('packages/b', [makePage('added', 'z.mdx')]),
  ].map((update) => makeReport({}, update).update ?? expect.fail())
  const report = { ...makeReport({ commitSha: sha }), updates, update: mergeUpdates(updates) }
  const summary = renderSummary(report)
  expect(summary).toContain('#### `packages/a`: 2 pages added\n')
  expect(summary).toContain('#### `packages/b`: 1 page added\n')
  expect(summary).toContain('Navigation in `packages/a/docs.json`: 2 pages added.')
  expect(summary).toContain('Navigation in `packages/b/docs.json`: 1 page added.')
  expect(summary).toContain(`[\`z.mdx\`](${blob}/packages/b/z.mdx)`)
  const checked = renderSummary({ ...makeReport({ mode: 'check' }), updates, update: mergeUpdates(updates) })
  expect(checked).toContain('or run `openapi-pages update` in `packages/a` and `packages/b`.\n')
  expect(checked).toContain('#### `packages/a`: 2 pages to add\n')
})
