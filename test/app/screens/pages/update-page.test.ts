import { describe, expect, onTestFinished, test } from 'vitest'
import { isSignedLink, linkLifetimeMs, toSignedLink } from '../../../../src/app/base/signed-links.ts'
import { formatDuration } from '../../../../src/app/screens/pages/formats.ts'
import { toFileLinks } from '../../../../src/app/screens/pages/update-links.ts'
import type { UpdateReport } from '../../../../src/docs/update/update-results.ts'
import { endUpdate, toSha } from '../../support/people-app.ts'
import { failedReport } from '../../support/sample-report.ts'
import { addProject, addUpdate, finishNext, sampleSha, startNext, startTestApp } from '../../support/test-app.ts'

const key = Buffer.alloc(32, 1)
const now = new Date('2026-11-20T07:15:03.120Z')

function parts(link: string): { statusId: string; expires: string; signature: string } {
  const { pathname, searchParams } = new URL(link)
  const [expires, signature] = [searchParams.get('expires') ?? '', searchParams.get('signature') ?? '']
  return { statusId: decodeURIComponent(pathname.replace('/updates/', '')), expires, signature }
}

describe('signed links', () => {
  const link = toSignedLink(key, 'https://pages.example.com', 'one', now)

  test('are valid until they expire', () => {
    expect(isSignedLink(key, parts(link), now)).toBe(true)
    expect(isSignedLink(key, parts(link), new Date(now.getTime() + linkLifetimeMs - 1000))).toBe(true)
    expect(isSignedLink(key, parts(link), new Date(now.getTime() + linkLifetimeMs + 86_400_000))).toBe(false)
  })

  test('are stable within a day', () => {
    expect(toSignedLink(key, 'https://pages.example.com', 'one', new Date('2026-11-20T23:59:59.000Z'))).toBe(link)
  })

  test.each([
    ['another record', { statusId: 'two' }],
    ['a later end', { expires: '9999999999' }],
    ['no end', { expires: '' }],
    ['an end that is no number', { expires: 'never' }],
    ['no signature', { signature: '' }],
    ['a signature with a byte more', { signature: `${parts(link).signature}A` }],
    ['a signature of another', { signature: parts(toSignedLink(key, 'https://x.example', 'two', now)).signature }],
  ])('reject %s', (_name, change) => {
    expect(isSignedLink(key, { ...parts(link), ...change }, now)).toBe(false)
  })

  test('reject another key', () => {
    expect(isSignedLink(Buffer.alloc(32, 2), parts(link), now)).toBe(false)
  })
})

describe('GET /updates/{statusId}', () => {
  async function start(values: Parameters<typeof addUpdate>[2] = {}, report: UpdateReport | string = failedReport) {
    const app = await startTestApp(onTestFinished)
    const project = await addProject(app.store, { owner: 'octo', repo: 'docs' })
    const update = await addUpdate(app.store, project, values)
    const running = await startNext(app.store)
    const summary = 'Failed: <b>2</b> errors in `openapi.yaml`.'
    await finishNext(app.store, running, {
      status: 'failure',
      summary,
      report: report as object,
      logs: ['<script>alert(1)</script>'],
    })
    const link = toSignedLink(app.context.urls.linkKey, app.address, update._id, new Date())
    const get = (url = link, headers = {}) =>
      app.api(url.replace(app.address, ''), { headers: { Accept: 'text/html', ...headers } })
    return { app, update, link, get }
  }

  test('shows no report behind a link if the site has audiences, because reports quote sources', async () => {
    const { app, link, get } = await start()
    const quoted = 'Unexpected field'
    expect((await get()).text).toContain(quoted)
    const [project] = await app.store.projects.list()
    if (!project) throw new Error('no project')
    const audiences = [{ name: 'partners', groups: ['oidc:corp/partners'], site: {} }]
    await endUpdate(app.store, project, { sha: toSha('2'), audiences })
    const { text } = await get(link)
    expect(text).not.toContain(quoted)
    expect(text).toContain('Only the dashboard shows reports')
  })

  test('returns the same 404 for a wrong signature and a missing record, as HTML and JSON', async () => {
    const { app, link, get } = await start()
    const wrong = await get(link.replace(/signature=(.)/, (_, first) => `signature=${first === '_' ? '-' : '_'}`))
    const none = await get(toSignedLink(app.context.urls.linkKey, app.address, app.store.newId(), new Date()))
    expect([wrong.status, none.status]).toEqual([404, 404])
    expect(wrong.text).toBe(none.text)
    expect((await get(link.split('?')[0])).status).toBe(404)
    expect((await app.api('/updates/x', {})).body).toMatchObject({ code: 'not-found' })
  })

  test('escapes untrusted input: message, branch, author, files, summary, logs, diagnostics', async () => {
    const markup = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
    const [first] = failedReport.findings
    if (!first) throw new Error('No finding')
    const hostile = {
      ...first,
      code: 'ruleset',
      rule: { name: markup, documentationUrl: 'javascript:alert(3)' },
      message: markup,
      file: `javascript:alert(1)//${markup}`,
      hint: markup,
      frame: { firstLine: 214, lines: [markup] },
    }
    const { get } = await start(
      {
        author: markup,
        commit: {
          sha: sampleSha,
          ref: `refs/heads/${markup}`,
          message: `${markup}\n\n${markup}`,
          filesChanged: { added: [markup, 'javascript:alert(1)', '../../etc'], modified: [], removed: [] },
        },
      },
      { ...failedReport, findings: [hostile], pages: [{ kind: 'added', path: markup }] },
    )
    const { text } = await get()
    expect(text).not.toMatch(/<img|<script>|<b>2|href="javascript:/)
    expect(text).not.toMatch(/href="[^"]*\.\.\//)
    expect(text.match(/<script/g)).toHaveLength(1)
    expect(text).toContain('&lt;img src=x')
  })

  test('shows the rule of a ruleset in place of the code, with a link to its documentation', async () => {
    const [first] = failedReport.findings
    if (!first) throw new Error('No finding')
    const rule = { name: 'paths-kebab-case', documentationUrl: 'https://example.com/rules' }
    const { get } = await start({}, { ...failedReport, findings: [{ ...first, code: 'ruleset', rule }] })
    const { text } = await get()
    expect(text).toContain('<a href="https://example.com/rules">paths-kebab-case</a>')
  })

  test('has a policy without other origins and inline code, and respects it', async () => {
    const { get } = await start()
    const { text, headers } = await get()
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|data:|\*/)
    expect(text).not.toMatch(/ style=| on[a-z]+=|<style|<script>/)
    for (const [, path = ''] of text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
      const asset = await get(path)
      expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
  })

  test('says once that there are no problems', async () => {
    const { get } = await start({}, { ...failedReport, findings: [], findingCounts: { error: 0, warning: 0, info: 0 } })
    expect((await get()).text.match(/no problems/gi)).toHaveLength(1)
  })

  test('of a failure begins with the problems and their counts, and shows names in backticks as code', async () => {
    const { get } = await start()
    const { text } = await get()
    expect([...text.matchAll(/data-part="(\w+)"/g)].map(([, name]) => name).slice(0, 3)).toEqual(['head', 'findings', 'steps'])
    expect(text).toContain('<h2 id="findings">Problems<small>2 errors, 1 warning, 1 info message</small></h2>')
    const [, main = ''] = text.split('<main')
    expect(main.replace(/<pre[\s\S]*?<\/pre>/g, '')).not.toContain('`')
  })

  test('links to the commit, the branch and the lines on GitHub', async () => {
    const { get } = await start()
    const { text } = await get()
    for (const href of [
      `https://github.com/octo/docs/commit/${sampleSha}`,
      'https://github.com/octo/docs/tree/main',
      `https://github.com/octo/docs/blob/${sampleSha}/openapi.yaml#L214`,
      `https://github.com/octo/docs/blob/${sampleSha}/guides/routing.mdx`,
      'https://api.example.com/openapi.json',
    ]) {
      expect(text).toContain(`href="${href}"`)
    }
  })

  test('returns 304 for an unchanged page, and does not log its signature', async () => {
    const { app, get, link } = await start()
    const etag = (await get()).headers.get('etag') ?? ''
    const again = await get(link, { 'If-None-Match': etag })
    expect([again.status, again.headers.get('content-security-policy')]).toEqual([
      304,
      expect.stringContaining("script-src 'self'"),
    ])
    expect(app.logLines.join('')).not.toContain(new URL(link).searchParams.get('signature'))
  })

  test('omits a report in the format of another version', async () => {
    const { get } = await start({}, { version: 99 } as unknown as UpdateReport)
    const { status, text } = await get()
    expect(status).toBe(200)
    expect(text).toContain('This update has no report.')
  })
})

test.each([
  ['openapi.yaml', 12, 'https://github.com/a/b/blob/sha/openapi.yaml#L12'],
  ['a b/ü#.yaml', undefined, 'https://github.com/a/b/blob/sha/a%20b/%C3%BC%23.yaml'],
  ['https://api.example.com/x.json', 3, 'https://api.example.com/x.json'],
  ['https://', 3, undefined],
  ['javascript:alert(1)', undefined, undefined],
  ['data:text/html,x', undefined, undefined],
  ['../x', undefined, undefined],
  ['/etc/passwd', undefined, undefined],
])('links to %s', (path, line, href) => {
  expect(toFileLinks('https://github.com/a/b', 'sha').file(path, line)).toBe(href)
})

test.each([
  [0, '0.0 s'],
  [2100, '2.1 s'],
  [9990, '10 s'],
  [59_600, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('shows %i ms as %s', (milliseconds, shown) => {
  expect(formatDuration(milliseconds)).toBe(shown)
})
