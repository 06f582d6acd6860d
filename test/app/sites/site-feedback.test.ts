import { describe, expect, test } from 'vitest'
import { feedbackPath } from '../../../src/site/request/feedback-format.ts'
import { endUpdate, startPeopleApp, toSha } from '../support/people-app.ts'
import { Visitor } from '../support/visitor.ts'

const meta = `<meta name="feedback" content="${feedbackPath}"/>`
const form = `${meta}<form class="feedback" method="post" action="${feedbackPath}">`
/** A site with `site.feedback: app`. The page `plain` does not ask. */
const asking = { 'index.html': form, 'guides/a b/index.html': form, 'plain/index.html': meta, '404.html': meta }

/** An app with a public and a private site that ask for feedback, and one that does not. */
async function start() {
  const app = await startPeopleApp()
  const add = async (name: string, sha: string, site: Readonly<Record<string, string>>, isPrivate = false) => {
    const { project } = await app.addRepository(name, { reader: 'read' }, { private: isPrivate })
    await endUpdate(app.store, project, { sha: toSha(sha), site })
    return { project, url: siteOf(project.subdomain) }
  }
  const siteOf = (label: string) => app.base.replace('localhost', `${label}.localhost`)
  const open = await add('acme/open', '1', asking)
  const closed = await add('acme/closed', '2', asking, true)
  const silent = await add('acme/silent', '3', { 'index.html': 'Pets', '404.html': 'Not found' })
  await endUpdate(app.store, open.project, { sha: toSha('4'), ref: 'refs/heads/topic', site: asking })
  /** Sends JSON like the script of a page, or an unchanged text. */
  const send = async (
    site: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    visitor = new Visitor(app.base),
  ) =>
    await visitor.ask(`${site}${feedbackPath}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { Accept: '*/*', 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', ...headers },
    })
  const read = async ({ id }: { readonly id: string }) => {
    const [week] = await app.store.feedback.listWeeks(id)
    return week === undefined ? undefined : await app.store.feedback.read(id, week)
  }
  return { app, open, closed, silent, siteOf, send, read }
}

describe('feedback', () => {
  test('counts answers with their comments, and searches without results', async () => {
    const { app, open, send, read } = await start()
    const page = '/guides/a%20b/'
    for (const message of [
      { page, answer: 'no' },
      { page, answer: 'no', comment: ' No\u0000 example ' },
      { page: '/', answer: 'yes' },
      { search: 'Refund  policy' },
      { search: 'refund policy ' },
    ]) {
      const answer = await send(open.url, message)
      expect([answer.status, answer.text, answer.headers.get('set-cookie')]).toEqual([204, '', null])
    }
    expect(await read(open.project)).toEqual({
      pages: [
        { page: '/guides/a b/', yes: 0, no: 1, comments: [{ answer: 'no', comment: 'No\ufffd example' }] },
        { page: '/', yes: 1, no: 0, comments: [] },
      ],
      searches: [{ query: 'refund policy', count: 2 }],
    })
    const log = app.logLines.filter((line) => !line.includes('Server listening')).join('')
    expect(log).not.toMatch(/refund|example |127\.0\.0\.1/i)
  })

  test('is accepted from a form without scripts, which returns to the page', async () => {
    const { open, read, app } = await start()
    const visitor = new Visitor(app.base)
    const page = '/guides/a%20b/'
    const sent = await visitor.ask(`${open.url}${feedbackPath}`, { form: { page, answer: 'yes', comment: '' } })
    expect([sent.status, sent.headers.get('set-cookie')]).toEqual([200, null])
    expect(sent.text).toMatch(/<h1>Thank you<\/h1>.*<a href="\/guides\/a%20b\/">/)
    expect((await read(open.project))?.pages).toMatchObject([{ page: '/guides/a b/', yes: 1 }])
  })

  const answer = { page: '/', answer: 'no' }
  const typed = { 'Content-Type': 'application/x-www-form-urlencoded' }
  test.each<[string, unknown, Readonly<Record<string, string>>, number]>([
    ['an unknown page', { ...answer, page: '/none/' }, {}, 422],
    ['a page that does not ask', { ...answer, page: '/plain/' }, {}, 422],
    ['a page without its final slash', { ...answer, page: '/guides/a%20b' }, {}, 422],
    ['a path outside of the site', { ...answer, page: '/../' }, {}, 422],
    ['the URL of another site', { ...answer, page: 'https://evil.test/' }, {}, 400],
    ['another answer', { ...answer, answer: 'maybe' }, {}, 400],
    ['an answer without a page', { answer: 'no' }, {}, 400],
    ['another field', { ...answer, reader: 'ann' }, {}, 400],
    ['a comment that is too long', { ...answer, comment: 'a'.repeat(1_001) }, {}, 400],
    ['a search that is too long', { search: 'a'.repeat(101) }, {}, 400],
    ['an empty search', { search: ' ' }, {}, 400],
    ['a list', [answer], {}, 400],
    ['invalid JSON', '{', {}, 400],
    ['an empty body', '', {}, 400],
    ['a form with a duplicate field', 'page=%2F&answer=yes&answer=no', typed, 400],
    ['a body that is too large', { ...answer, comment: 'ü'.repeat(2_100) }, {}, 413],
    ['another media type', answer, { 'Content-Type': 'text/plain' }, 415],
    ['another site', answer, { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['another site on the same domain', answer, { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['a browser that names another origin', answer, { 'Sec-Fetch-Site': '', Origin: 'https://evil.test' }, 403],
  ])('refuses %s', async (_name, body, headers, status) => {
    const { open, send, read } = await start()
    const refused = await send(open.url, body, headers)
    expect([refused.status, refused.headers.get('content-type')]).toEqual([status, expect.stringContaining('problem+json')])
    expect(await read(open.project)).toBeUndefined()
  })

  test('is refused by the app itself, previews, and sites that do not ask', async () => {
    const { app, open, silent, siteOf, send, read } = await start()
    const preview = siteOf(`${open.project.subdomain}--${toSha('4').slice(0, 12)}`)
    const statuses = []
    for (const site of [app.base, preview, silent.url]) {
      for (const message of [answer, { search: 'cats' }]) statuses.push((await send(site, message)).status)
    }
    expect(statuses).toEqual([404, 404, 403, 403, 422, 404])
    expect([await read(open.project), await read(silent.project)]).toEqual([undefined, undefined])
  })

  test('about a private site is accepted from its readers only', async () => {
    const { app, closed, siteOf, send, read } = await start()
    const problemOf = ({ status, text }: { readonly status: number; readonly text: string }) => {
      const { requestId: _id, ...problem } = JSON.parse(text)
      return { status, problem }
    }
    const refused = problemOf(await send(closed.url, answer))
    expect([refused.status, refused]).toEqual([404, problemOf(await send(siteOf('nothing-here'), answer))])
    expect(await read(closed.project)).toBeUndefined()
    const reader = await app.visitorOf('reader')
    await reader.go(`${closed.url}/_openapi-pages/sign-in?to=/`)
    expect((await send(closed.url, answer, {}, reader)).status).toBe(204)
    expect((await read(closed.project))?.pages).toMatchObject([{ page: '/', no: 1 }])
  })

  test('is limited for each site and IP address', async () => {
    const { open, closed, app, send } = await start()
    const statuses = []
    for (let index = 0; index < 21; index++) statuses.push((await send(open.url, { search: 'cats' })).status)
    expect(statuses).toEqual([...Array<number>(20).fill(204), 429])
    const reader = await app.visitorOf('reader')
    await reader.go(`${closed.url}/_openapi-pages/sign-in?to=/`)
    expect((await send(closed.url, answer, {}, reader)).status).toBe(204)
  })
})
