import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createLog } from '../src/app/base/telemetry/create-log.ts'
import { toAnnotation } from '../src/diagnostics/format-text.ts'
import { type Feedback, renderCheckSummary } from '../src/github/report/feedback.ts'
import { escapeMarkdown, renderCode, renderLink, renderMessage, renderTextLink } from '../src/github/report/markdown.ts'
import { renderComment } from '../src/github/report/render-comment.ts'
import { toAnnotations } from '../src/github/repositories/check-runs.ts'
import { escapeDirection, escapeText, toSafeJson } from '../src/text/plain/escape-text.ts'
import { brokenDocument, connectApp, docsConfig, validDocument } from './app/support/connected-app.ts'
import { endUpdate, startPeopleApp, toSha } from './app/support/people-app.ts'
import { toPullRequestEvent } from './support/fake-github/payloads.ts'
import { runBin } from './support/run-bin.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

// One rule for every output: a character that changes the direction of text is shown as `\u202e`, never raw.

/** UAX #9, "Directional Formatting Characters". */
const controls = [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069].map((code) =>
  String.fromCharCode(code),
)
const all = controls.join('')
const raw = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const toShown = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Nothing in `text` changes its direction, and every one of the characters is visible. */
function expectShown(text: string, what: string): void {
  expect(text, what).not.toMatch(raw)
  // Markdown shows two backslashes as one.
  const plain = text.replaceAll('\\\\u', '\\u')
  for (const control of controls) expect(plain, what).toContain(toShown(control))
}

const diagnostic = {
  code: 'unknown-field' as const,
  severity: 'error' as const,
  message: `Unexpected field \`${all}\` and ${all}`,
  file: `${all}.yaml`,
  pointer: '',
  range: { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } },
  related: [{ file: `${all}.yaml`, message: all, range: { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } } }],
  hint: `did you mean \`${all}\`?`,
}
const feedback: Feedback = {
  headSha: toSha('1'),
  webUrl: 'https://github.com/acme/api',
  pagesAre: 'planned',
  detailsUrl: 'https://pages.example.com/updates/1',
  site: {
    url: 'https://acme.sites.example.com/',
    changedPages: [{ kind: 'added', title: all, url: 'https://acme.sites.example.com/a/' }],
    changedCount: 1,
  },
  documents: [{ path: `${all}.yaml`, version: '3.1.0', errorCount: 1, warningCount: 0, infoCount: 0 }],
  pages: [{ kind: 'added', path: `${all}.mdx`, document: `${all}.yaml`, operation: all, detail: all }],
  diagnostics: [diagnostic],
  notes: [all],
}

test.each<[string, string]>([
  ['terminal and workflow log', escapeText(`a${all}b`)],
  ['JSON', toSafeJson({ [all]: all })],
  ['HTML', escapeDirection(`<h1 title="${all}">${all}</h1>`)],
  ['Markdown text', escapeMarkdown(all)],
  ['Markdown code', renderCode(all)],
  ['Markdown code with a bar', renderCode(`|${all}`)],
  ['Markdown message', renderMessage(`Unexpected \`${all}\`, ${all}`)],
  ['Markdown link with code', renderLink(all, 'https://example.com/')],
  ['Markdown link with text', renderTextLink(all, 'https://example.com/')],
  ['summary of the check and of the job', renderCheckSummary(feedback)],
  ['comment', renderComment('docs', feedback, undefined)?.body ?? ''],
  ['annotation', JSON.stringify(toAnnotation(diagnostic))],
  [
    'annotation of a check',
    JSON.stringify(toAnnotations([{ ...diagnostic, section: all }]).map(({ path: _path, ...shown }) => shown)),
  ],
])('%s', (what, text) => expectShown(text, what))

test.each(['json', 'text'] as const)('log of the app as %s', (format) => {
  const lines: string[] = []
  const log = createLog({ level: 'info', format, write: (line) => lines.push(line) })
  log.info({ summary: all, err: new Error(all) }, `Ended: ${all}`)
  expectShown(lines.join(''), format)
  // Parsing the line gives the original text.
  if (format === 'json') expect(JSON.parse(lines.join(''))).toMatchObject({ summary: all, msg: `Ended: ${all}` })
})

test('does not change text in right-to-left languages', () => {
  const hebrew = 'תיאור ה-API, גרסה 2'
  for (const shown of [escapeText(hebrew), escapeDirection(hebrew)]) expect(shown).toBe(hebrew)
})

describe('the dashboard', () => {
  test('shows them on every page with a commit, branch, author or document', async () => {
    const app = await startPeopleApp()
    const { project } = await app.addRepository('acme/api', { writer: 'write' })
    const report = {
      documents: [{ path: `${all}.yaml`, version: '3.1.0', operationCount: 1, errorCount: 1, warningCount: 0, infoCount: 0 }],
      pages: [{ kind: 'added', path: `${all}.mdx`, operation: all, detail: all }],
      unchangedPageCount: 0,
      findings: [
        { ...diagnostic, line: 1, column: 1, endLine: 1, endColumn: 2, frame: { firstLine: 1, lines: [all] }, related: [] },
      ],
      findingCounts: { error: 1, warning: 0, info: 0 },
    }
    const ended = await endUpdate(app.store, project, {
      sha: toSha('1'),
      message: `Subject ${all}\n\nBody ${all}`,
      author: `Mallory ${all}`,
      ref: `refs/heads/topic-${all}`,
      status: 'failure',
      summary: `Failed: \`${all}\` and ${all}`,
      logs: [all],
      report,
      site: { 'index.html': 'a' },
    })
    const writer = await app.visitorOf('writer')
    const paths = [
      '/projects',
      '/updates',
      ...['', '/branches', `/updates/${ended._id}`].map((end) => `/projects/${project.id}${end}`),
    ]
    for (const path of paths) {
      const { status, text } = await writer.ask(path)
      expect(status, path).toBe(200)
      expectShown(text, path)
    }
    const { text } = await writer.ask(`/projects/${project.id}/updates/${ended._id}`)
    expect(text).toMatch(/<dt>Author<\/dt><dd><bdi>Mallory /)
  })
})

test('shows them in the check, its title, the commit status and the comment on GitHub', async () => {
  const permissions = { contents: 'read', metadata: 'read', checks: 'write', pull_requests: 'write', statuses: 'write' } as const
  const { github, idle } = await connectApp({ github: { permissions } })
  const name = `${all}.yaml`
  const config = JSON.stringify({ ...JSON.parse(docsConfig), navigation: { groups: [{ group: 'API', openapi: name }] } })
  const files = { 'docs.json': config, [name]: validDocument, 'openapi-pages.config.yaml': 'github: { commit-status: true }\n' }
  const repository = github.createRepository('acme/api', { files })
  await repository.push({ branch: 'topic', files: { [name]: brokenDocument } })
  const pull = repository.openPullRequest({ head: 'topic', title: all })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
  await idle()
  const run = repository.checkRuns.at(-1)
  expectShown(run?.output.summary ?? '', 'summary')
  expectShown(repository.comments.at(-1)?.body ?? '', 'comment')
  expect(run?.output.title).not.toMatch(raw)
  // The path of an annotation must be the path of the file.
  const annotations = run?.annotations.map(({ path: _path, ...shown }) => shown)
  expect(annotations).toHaveLength(1)
  expect(JSON.stringify(annotations)).not.toMatch(raw)
  const statuses = repository.commitStatuses
    .filter(({ state }) => state !== 'pending')
    .map(({ description }) => description ?? '')
  expect(statuses).toHaveLength(1)
  // It is cut at 140 characters.
  expect(statuses[0]).not.toMatch(raw)
  expect(statuses[0]).toContain(toShown(controls[0] ?? ''))
})

test('shows them in all output of the command line', async () => {
  const folder = makeTemporaryFolder()
  const document = validDocument
    .replace('List pets', `"List ${all}"`)
    .replace('[Pets]', `["Pets ${all}"]`)
    .replace('summary:', `"sum${all}": 1\n      operationId: "list${all}"\n      summary:`)
  const name = `a${all}.yaml`
  mkdirSync(join(folder, `b${all}`))
  writeFileSync(join(folder, name), document)
  writeFileSync(join(folder, `b${all}`, 'guide.mdx'), `---\ntitle: "${all}"\nopenapi: "${name} GET /${all}"\n---\n`)
  const config = { name: all, navigation: { groups: [{ group: `Group ${all}`, openapi: name, pages: [`b${all}/guide`] }] } }
  writeFileSync(join(folder, 'docs.json'), JSON.stringify({ ...JSON.parse(docsConfig), ...config }))
  const commands = [
    ['check', name],
    ['check'],
    ['check', `missing${all}.yaml`],
    ['status'],
    ['update', '--dry-run'],
    ['update', '--diff', '--dry-run'],
    ['adopt', '--dry-run'],
    ['build', '--output', join(folder, 'out')],
    ['bundle', name],
    [`${all}`],
  ]
  let shown = ''
  for (const words of commands) {
    const { stdout, stderr } = await runBin(words, { cwd: folder })
    const text = words[0] === 'bundle' ? stderr : stdout + stderr
    expect(text, words.join(' ')).not.toMatch(raw)
    shown += text
  }
  expectShown(shown, 'all commands')
})
