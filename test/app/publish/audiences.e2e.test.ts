import { expect, test } from 'vitest'
import { readSiteContent } from '../../../src/app/publish/site-files.ts'
import { filesFor, publicFilesOf } from '../../../src/store/sites/stored-sites.ts'
import { encodeFilePath } from '../../../src/text/plain/paths.ts'
import { findFaults, listMarkers, makeSite, makeVersions, names } from '../../support/audience-markers.ts'
import { toPullRequestEvent } from '../../support/fake-github/payloads.ts'
import { connectApp } from '../support/connected-app.ts'
import { enterSite, signInReader } from '../support/readers.ts'
import { askSite } from '../support/sites.ts'
import { addToken } from '../support/test-app.ts'

// Sites are built by `build/app`, as `npm run build` made it.

/** A push with four audiences, and a branch whose own configuration would show everything to everyone. */
async function start() {
  const { files, markers } = makeSite()
  const versions = makeVersions()
  const env = {
    SITES_DOMAIN: 'sites.test',
    ADDRESS_REQUESTS_PER_MINUTE: '1000000',
    TOKEN_REQUESTS_PER_MINUTE: '1000000',
  }
  const connected = await connectApp({ env })
  const { github, app, store, idle } = connected
  const repository = github.createRepository('acme/pets', { files: { ...files, 'openapi.json': versions.first } })
  const older = repository.commit({ files: { 'openapi.json': versions.second } })
  const current = repository.commit({ files: { 'openapi.json': files['openapi.json'] } })
  repository.tags.set('v1.0', { sha: older.before }).set('v1.1', { sha: older.after })
  await github.deliver('push', repository.pushPayload(current))
  await idle()
  const loose = 'changes:\n  changelog: tags\nsite:\n  restricted: publish\n'
  const topic = repository.commit({ files: { 'openapi-pages.config.yaml': loose }, branch: 'topic' })
  await github.deliver('push', repository.pushPayload(topic))
  const [record, preview] = await idle()
  expect([record?.update.status, preview?.details.site?.mainRoute]).toEqual(['success', expect.anything()])
  const [project] = await store.projects.list()
  if (!project) throw new Error('There is no project')
  const { port } = new URL(app.address)
  return { ...connected, project, markers, record, preview, sha: current.after, topicSha: topic.after, port }
}

type Started = Awaited<ReturnType<typeof start>>

/** The paths of all files of all audiences of a commit. */
async function listAllPaths({ store, project }: Started, sha: string): Promise<readonly string[]> {
  const build = await store.sites.find(project.id, sha)
  if (!build) throw new Error('The commit has no site')
  const lists = await Promise.all(names.map((audience) => store.sites.listFiles({ buildId: build.id, audience })))
  return [...new Set(lists.flat().map(({ path }) => path))]
}

/** Everything that a site answers at these paths, with its headers. */
async function readAll({ app }: Started, host: string, paths: readonly string[], headers: Readonly<Record<string, string>>) {
  const answers: { path: string; content: string; status: number; caching: unknown }[] = []
  for (const path of paths) {
    const url = `/${encodeFilePath(path.replace(/(?<=^|\/)index\.html$/, ''))}`
    const { status, headers: answered, text } = await askSite(app.address, host, url, { headers })
    const { 'cache-control': caching, etag: _tag, date: _date, ...others } = answered
    answers.push({ path: status === 200 ? path : '', content: `${JSON.stringify(others)}\n${text}`, status, caching })
  }
  return answers
}

/** Asks the agents' server of a site with each of these calls. */
async function callAll(
  { app }: Started,
  host: string,
  calls: readonly (readonly [name: string, args: object])[],
  headers: Readonly<Record<string, string>>,
) {
  const { request } = await import('node:http')
  const call = (name: string, args: object) =>
    new Promise<string>((resolve, reject) => {
      const { port } = new URL(app.address)
      const accept = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' }
      const options = { host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent: false }
      const sent = request({ ...options, headers: { Host: host, ...accept, ...headers } }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => resolve(`${response.statusCode} ${Buffer.concat(parts).toString()}`))
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }))
    })
  const answers: string[] = []
  for (const [name, args] of calls) answers.push(await call(name, args))
  return answers
}

const groupsOf: Readonly<Record<string, readonly string[]>> = {
  'a reader of GitHub without a team': [],
  'a reader of staff': ['github:acme/staff'],
  'a reader of partners': ['oidc:corp/partners', 'oidc:corp/others'],
  'a reader of trial': ['trial'],
  'a reader of two': ['trial', 'internal'],
}
const audienceOf: Readonly<Record<string, string>> = {
  anyone: 'public',
  'a reader of GitHub without a team': 'public',
  'a reader of staff': 'staff',
  'a reader of partners': 'partners',
  'a reader of trial': 'trial',
  'a reader of two': 'staff',
}

test('each reader gets all that their audience may read, in all that a site answers, and not a byte of the rest', async () => {
  const started = await start()
  const { app, store, project, markers, sha, topicSha, port } = started
  const host = `acme-pets.sites.test:${port}`
  const preview = `acme-pets--${topicSha.slice(0, 12)}.sites.test:${port}`
  const paths = await listAllPaths(started, sha)
  const cookieFor = async (groups: readonly string[], at: string, userId = 9) => ({
    Cookie: await enterSite(store, await signInReader(store, groups, userId), { host: at, projectId: project.id }),
  })

  for (const [who, audience] of Object.entries(audienceOf)) {
    const groups = groupsOf[who]
    const answers = await readAll(started, host, paths, groups ? await cookieFor(groups, host) : {})
    expect([who, findFaults(answers, audience, markers)]).toEqual([who, { leaks: [], lacks: [] }])
    // Shared caches store only what everyone reads.
    const shared = answers.filter(({ caching }) => !/^private|no-store/.test(String(caching)))
    expect([who, shared.length > 0], JSON.stringify(shared[0])).toEqual([who, who === 'anyone'])
  }

  // The agents' server: pages, operations and searches.
  const routes = paths.filter((path) => path.endsWith('.md')).map((path) => path.replace(/(?:^index)?\.md$/, ''))
  const calls = [
    ...routes.flatMap((route) => [
      ['read_page', { page: `/${route}` }] as const,
      ['get_operation', { operation: `/${route}` }] as const,
    ]),
    // Words by their first letters, so that each search finds several.
    ...[...new Set(markers.map(({ text }) => text.slice(0, 5)))].map((query) => ['search', { query, limit: 30 }] as const),
    ['list_changes', {}] as const,
  ]
  const token = async (audience?: string) => {
    const grant = { scope: 'read', projectId: project.id } as const
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const made = await store.tokens.create({ grant, name: '', expiresAt, ...(audience !== undefined && { audience }) }, 'test')
    return { Authorization: `Bearer ${made?.token}` }
  }
  const agents: (readonly [who: string, audience: string, headers: Readonly<Record<string, string>>])[] = [
    ['a token', 'public', await token()],
    ['an operator', 'public', { Authorization: `Bearer ${(await addToken(store, { scope: 'admin' })).text}` }],
  ]
  for (const [who, audience] of Object.entries(audienceOf))
    agents.push([who, audience, groupsOf[who] ? await cookieFor(groupsOf[who], host) : {}])
  for (const name of names.slice(1)) agents.push([`a token of ${name}`, name, await token(name)])
  const readers = new Map(markers.map(({ text, readers: allowed }) => [text, allowed]))
  for (const [who, audience, headers] of agents) {
    const answers = await callAll(started, host, calls, headers)
    expect([who, answers.filter((answer) => !answer.startsWith('200 ')).length]).toEqual([who, 0])
    const shown = new Set(
      answers.flatMap((answer, index) => {
        const asked = JSON.stringify(calls[index])
        // A search repeats its query, a page that is missing its path.
        return [...listMarkers(answer)].filter((marker) => !asked.includes(marker))
      }),
    )
    const read = new Set(answers.slice(0, 2 * routes.length).flatMap((answer) => [...listMarkers(answer)]))
    const leaks = [...shown].filter((marker) => !readers.get(marker)?.includes(audience))
    const lacks = markers.filter(({ text, readers: allowed, place }) => {
      return allowed.includes(audience) && !/^label/.test(place) && !read.has(text)
    })
    expect([who, leaks, lacks.map(({ place, text }) => `${place}: ${text}`)]).toEqual([who, [], []])
  }

  // The list of the default branch counts in previews of branches.
  const ofPreview = (await listAllPaths(started, topicSha)).filter((path) =>
    /\.(?:html|md|txt|xml)$|search|openapi|_agents/.test(path),
  )
  for (const [audience, headers] of [
    ['public', {}],
    ['trial', await cookieFor(['trial'], preview)],
  ] as const) {
    const answers = await readAll(started, preview, ofPreview, headers)
    expect([audience, findFaults(answers, audience, markers)]).toEqual([audience, { leaks: [], lacks: [] }])
  }

  // A private site: a share link shows what everyone with access reads.
  await store.projects.apply([{ kind: 'tighten', repositoryId: project.repositoryId }])
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const link = { grant: { scope: 'link', host, projectId: project.id }, name: 'Created by octocat', expiresAt } as const
  const made = await store.tokens.create(link, 'test')
  const some = paths.filter((path) => !/(?:\.json|\.svg|\.js|\.css|\.woff2)$/.test(path) || /search|_agents/.test(path))
  const ofLink = await readAll(started, host, some, { Cookie: `openapi-pages-link=${made?.token}` })
  expect(findFaults(ofLink, 'public', markers).leaks).toEqual([])
  expect(ofLink.filter(({ status }) => status === 200).length).toBeGreaterThan(100)
  const start200 = async (headers: Readonly<Record<string, string>>) =>
    (await askSite(app.address, host, '/', { headers })).status
  expect(await start200({})).toBe(404)
  // Of people who have no account of GitHub, only those with an audience.
  expect(await start200(await cookieFor(['oidc:corp/none'], host, 0))).toBe(404)
  expect(await start200(await cookieFor(['trial'], host, 0))).toBe(200)
  expect(await start200(await cookieFor([], host))).toBe(200)

  // Records have other readers.
  const { record } = started
  expect([...listMarkers(JSON.stringify(record))].filter((marker) => !readers.get(marker)?.includes('public'))).toEqual([])
  expect((await store.audit.list()).filter(({ action }) => action === 'site.audiences')).toMatchObject([
    { actor: 'push', subject: project.id, detail: expect.stringContaining('partners') },
  ])
}, 240_000)

/** A public repository with a problem in a page and an operation of partners, and one where everyone reads. */
const withProblems = {
  'docs.json': JSON.stringify({
    $schema: 'https://mintlify.com/docs.json',
    name: 'Plans',
    navigation: {
      groups: [
        { group: 'Guides', pages: ['index', 'rates'] },
        { group: 'API', openapi: 'openapi.yaml' },
      ],
    },
  }),
  'index.mdx': '---\ntitle: Welcome\n---\n\n[Away](/missing-for-all)\n',
  'rates.mdx': '---\ntitle: Rates\ngroups: [partners]\n---\n\nThe mk0001q rate, [more](/mk0002q)\n',
  'openapi.yaml': `openapi: 3.1.0
info: {title: Plans, version: '1'}
paths:
  /plans:
    get: {summary: List plans, responses: {'200': {description: ok}}}
  /mk0003q:
    get:
      summary: Discounts mk0004q
      operationId: mk0005q
      mk0006q: 1
      x-mint: {groups: [partners]}
      responses: {'200': {description: ok}}
`,
  'openapi-pages.config.yaml': 'site:\n  publish: always\n  audiences:\n    - { name: partners, groups: [partners] }\n',
}

test('a record quotes no text that is not for everyone, and the check on GitHub does', async () => {
  const { github, store, idle } = await connectApp({ env: { SITES_DOMAIN: 'sites.test' } })
  const repository = github.createRepository('acme/plans', { files: { a: 'a' } })
  const push = repository.commit({ files: withProblems })
  await github.deliver('push', repository.pushPayload(push))
  const [stored] = await idle()
  const { status, logs, summary } = stored?.update ?? {}
  expect([status, [...listMarkers(JSON.stringify(stored?.update))]]).toEqual(['failure', []])
  // Places and kinds for all, and the whole text of what everyone may read.
  expect(summary).toMatch(/^Failed: 1 error .*\(first error at .*10:7: Unknown field\)\.$/)
  const text = logs?.join('\n')
  expect(text).toMatch(/^openapi\.yaml:10:7 error unknown-field: Unknown field$/m)
  expect(text).toMatch(/^index\.mdx:\d+:\d+ .*`?\/missing-for-all/m)
  // Its readers can read the sources.
  const [check] = repository.checkRuns
  expect(JSON.stringify(check)).toContain('mk0006q')

  // A fork cannot choose who reads what: everyone reads the same of its preview, and a picture is of that.
  const fork = github.createRepository('mallory/plans', { forkOf: repository, installed: false })
  const mine = 'site:\n  audiences:\n    - { name: partners, groups: [anyone] }\n'
  const { after: sha } = fork.commit({ files: { ...withProblems, 'openapi-pages.config.yaml': mine }, branch: 'topic' })
  const author = { author: 'mallory', authorAssociation: 'CONTRIBUTOR' }
  const pull = repository.openPullRequest({ head: 'topic', headRepository: fork, ...author })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
  await idle()
  const [project] = await store.projects.list()
  const build = await store.sites.find(project?.id ?? '', sha)
  if (!build) throw new Error('The fork has no preview')
  expect(build.audiences).toEqual([])
  const partners = { name: 'partners', groups: ['partners'] }
  expect(filesFor(build, partners)).toEqual(publicFilesOf(build))
  const files = await store.sites.listFiles(publicFilesOf(build))
  const texts = await Promise.all(files.map(async (file) => `${file.path}\n${await readSiteContent(store.sites, file)}`))
  expect([files.length > 10, [...listMarkers(texts.join('\n'))]]).toEqual([true, []])
}, 120_000)
