import { expect, test } from 'vitest'
import { toCheckRunEvent, toPullRequestEvent } from '../../support/fake-github/payloads.ts'
import type { FakePullRequest } from '../../support/fake-github/types.ts'
import { brokenDocument, docsConfig, validDocument } from '../support/connected-app.ts'
import { startPeopleApp } from '../support/people-app.ts'
import { askSite } from '../support/sites.ts'

// Sites are built by `build/app`, as `npm run build` made it.

/** Targets on another host that are no whole URL. Browsers and URL parsers read some of them as one. */
const oddTargets = [
  '\\\\phishing.example',
  'http:/phishing.example',
  '///phishing.example',
  'HTTPS:/\\phishing.example',
  '//phishing.example',
  'https:///phishing.example',
  'https:\\\\phishing.example',
  'https:phishing.example',
  '/\\phishing.example',
  '\\/phishing.example',
  '/\t/phishing.example',
  'javascript:location="https://phishing.example"',
  'mailto:a@phishing.example',
]
const redirects = [
  { source: '/login', destination: 'https://phishing.example/login' },
  { source: '/away/:page', destination: 'https://phishing.example/:page' },
  { source: '/old', destination: '/new' },
  ...oddTargets.map((destination, index) => ({ source: `/odd-${index}`, destination })),
]
const docs = JSON.stringify({ ...JSON.parse(docsConfig), redirects })
const pages = {
  'new.mdx': '---\ntitle: New\n---\n\nHere.\n',
  'sign-in.mdx': '---\ntitle: Sign in\nurl: https://phishing.example/\n---\n',
  ...Object.fromEntries(
    oddTargets.map((url, index) => [`odd-url-${index}.mdx`, `---\ntitle: Odd\nurl: ${JSON.stringify(url)}\n---\n`]),
  ),
}

/** A repository with docs, and a fork that changes them. */
async function start({ config, roots = [''] }: { config?: string; roots?: readonly string[] } = {}) {
  const app = await startPeopleApp({ withoutRuns: false })
  const { github, store, idle } = app
  const files = Object.fromEntries(
    roots.flatMap((root) => {
      const own = {
        'docs.json': docsConfig,
        'openapi.yaml': validDocument,
        ...(config && { 'openapi-pages.config.yaml': config }),
      }
      return Object.entries(own).map(([path, text]) => [root === '' ? path : `${root}/${path}`, text] as const)
    }),
  )
  const repository = github.createRepository('acme/pets', { files })
  for (const [login, role] of Object.entries({ writer: 'write', reader: 'read' } as const)) repository.setPermission(login, role)
  await repository.push({ files: { 'note.txt': 'a' } })
  await idle()
  const fork = github.createRepository('mallory/pets', { forkOf: repository, installed: false })
  const projects = await store.projects.findByRepository(repository.id)
  const deliver = async (action: 'opened' | 'synchronize', pull: FakePullRequest) => {
    await github.deliver('pull_request', toPullRequestEvent(github, repository, action, pull))
    await idle()
  }
  /** A pull request from the fork with these files. */
  const open = async (authorAssociation: string, changed: Record<string, string> = {}, branch = 'topic') => {
    const { after: sha } = fork.commit({ files: { 'docs.json': docs, ...pages, ...changed }, branch })
    const pull = repository.openPullRequest({ head: branch, headRepository: fork, author: 'mallory', authorAssociation })
    await deliver('opened', pull)
    return { pull, sha }
  }
  const newest = async (sha: string, project = projects[0]) => {
    const list = await store.statuses.list(project?.id ?? '', { sha, limit: 1 })
    const stored = list?.updates[0]
    if (!stored) throw new Error('No record')
    return stored
  }
  const checkOf = (sha: string, name = 'openapi-pages') =>
    repository.checkRuns.findLast((run) => run.headSha === sha && run.name === name)
  const press = async (sha: string, login: string) => {
    const run = checkOf(sha)
    if (!run) throw new Error('No check')
    const request = { action: 'requested_action', identifier: 'approve-preview' } as const
    await github.deliver('check_run', toCheckRunEvent(github, repository, run, request, login))
    await idle()
  }
  const ask = (label: string, path: string) => askSite(app.app.address, `${label}.localhost`, path)
  const isHosted = async (sha: string) => (await store.sites.find(projects[0]?.id ?? '', sha)) !== undefined
  return { ...app, repository, fork, projects, deliver, open, newest, checkOf, press, ask, isHosted }
}

test('checks the commit of a first-time contributor and hosts nothing until someone with write access approves it', async () => {
  const { github, idle, open, newest, checkOf, press, isHosted, ask, store, fork, deliver, repository } = await start()
  const { pull, sha } = await open('FIRST_TIME_CONTRIBUTOR')
  const waiting = await newest(sha)
  expect(waiting.update.status).toBe('success')
  expect(waiting.update.logs.at(-1)).toMatch(/^The preview needs approval: the author of the pull request has not contributed/)
  expect(checkOf(sha)).toMatchObject({
    conclusion: 'success',
    output: { title: expect.stringMatching(/preview awaiting approval$/) },
  })
  expect(checkOf(sha)?.output.summary).toContain('**Preview:** awaiting approval.')
  const button = {
    label: 'Approve preview',
    description: 'Build and host the site of this commit',
    identifier: 'approve-preview',
  }
  expect(checkOf(sha)?.actions).toEqual([button])
  const label = `acme-pets--pr-${pull.number}`
  expect(await isHosted(sha)).toBe(false)
  expect((await ask(label, '/')).status).toBe(404)
  // A re-run does not bypass the approval.
  const run = checkOf(sha)
  if (!run) throw new Error('No check')
  await github.deliver('check_run', toCheckRunEvent(github, repository, run, { action: 'rerequested' }, 'mallory'))
  await idle()
  expect(await isHosted(sha)).toBe(false)

  for (const login of ['mallory', 'reader']) {
    await press(sha, login)
    expect(await isHosted(sha), login).toBe(false)
    expect(checkOf(sha, 'openapi-pages: preview')).toMatchObject({
      conclusion: 'neutral',
      output: { title: `Not approved: ${login} has no write access to this repository` },
    })
  }
  await press(sha, 'writer')
  const approved = await newest(sha)
  expect(approved.update._id).not.toBe(waiting.update._id)
  expect(approved.update.logs.join('\n')).toMatch(/^Preview of a fork, approved by writer at \d{4}-/m)
  expect(await store.audit.list(1)).toMatchObject([
    { actor: 'github:writer', action: 'preview.approve', detail: `${sha} of refs/pull/${pull.number}/head` },
  ])
  expect(await isHosted(sha)).toBe(true)
  expect((await ask(label, '/new/')).text).toContain('Here.')
  expect(checkOf(sha)?.actions).toEqual([])
  // A second click finds nothing to approve.
  const count = (await store.statuses.list(approved.update.projectId, { sha }))?.updates.length
  await press(sha, 'writer')
  expect((await store.statuses.list(approved.update.projectId, { sha }))?.updates.length).toBe(count)

  // The next commit of the pull request needs its own approval. The approved preview stays online.
  const { after } = fork.commit({ files: { 'new.mdx': '---\ntitle: New\n---\n\nNot seen yet.\n' }, branch: 'topic' })
  await deliver('synchronize', pull)
  expect((await newest(after)).details.forkPreview).toBe('waiting')
  expect((await ask(label, '/new/')).text).toContain('Here.')
  expect(repository.checkRuns.filter((run) => run.headSha === after)).toMatchObject([{ conclusion: 'success' }])
})

test('previews of authors that GitHub knows as contributors need no approval', async () => {
  const { open, isHosted } = await start()
  const associations = {
    OWNER: true,
    MEMBER: true,
    COLLABORATOR: true,
    CONTRIBUTOR: true,
    FIRST_TIMER: false,
    FIRST_TIME_CONTRIBUTOR: false,
    NONE: false,
    MANNEQUIN: false,
    SOMETHING_NEW: false,
  }
  for (const [association, expected] of Object.entries(associations)) {
    const { sha } = await open(association, {}, association.toLowerCase())
    expect(await isHosted(sha), association).toBe(expected)
  }
})

test('uses the current author association from GitHub, not that of the payload', async () => {
  const { github, repository, fork, deliver, isHosted, idle } = await start()
  const { after: sha } = fork.commit({ files: pages, branch: 'topic' })
  const pull = repository.openPullRequest({ head: 'topic', headRepository: fork, author: 'mallory', authorAssociation: 'MEMBER' })
  const payload = toPullRequestEvent(github, repository, 'opened', pull)
  pull.authorAssociation = 'NONE'
  await github.deliver('pull_request', payload)
  await idle()
  expect(await isHosted(sha)).toBe(false)
  // A trusted author vouches for the head of the pull request only.
  pull.authorAssociation = 'MEMBER'
  const older = toPullRequestEvent(github, repository, 'opened', pull)
  fork.commit({ files: { b: 'b' }, branch: 'topic' })
  await deliver('synchronize', pull)
  await github.deliver('pull_request', older)
  await idle()
  expect(await isHosted(sha)).toBe(false)
})

test('reads the setting from the default branch of the base repository, not from the fork', async () => {
  const forkConfig = {
    'openapi-pages.config.yaml': 'github: { forkPreviews: always, check: off }\n',
    'openapi.yaml': brokenDocument,
  }
  const cases = [
    { base: undefined, hosted: false },
    { base: 'github: { forkPreviews: approve }\n', hosted: false },
    { base: 'github: { forkPreviews: never }\n', hosted: false },
    { base: 'github: { forkPreviews: sometimes }\n', hosted: false },
    { base: 'github: [', hosted: false },
    { base: 'github: { forkPreviews: always }\n', hosted: true },
  ]
  const { open, isHosted, checkOf, repository } = await start()
  for (const [index, { base, hosted }] of cases.entries()) {
    if (base !== undefined) repository.commit({ files: { 'openapi-pages.config.yaml': base } })
    const { sha } = await open('NONE', forkConfig, `topic-${index}`)
    expect(await isHosted(sha), base).toBe(hosted)
    // The fork cannot disable its own check either.
    expect(checkOf(sha)?.conclusion, base).toBe('failure')
  }
})

test('offers no approval with `never`, not even to members', async () => {
  const { open, newest, checkOf, press, isHosted } = await start({ config: 'github: { forkPreviews: never }\n' })
  const { sha } = await open('MEMBER')
  expect(await isHosted(sha)).toBe(false)
  expect((await newest(sha)).details.forkPreview).toBe('off')
  expect(checkOf(sha)?.actions).toEqual([])
  expect(checkOf(sha)?.output.summary).toContain('`github.forkPreviews` is `never`')
  await press(sha, 'writer')
  expect(await isHosted(sha)).toBe(false)
})

test('checks write access with GitHub for an approval on the dashboard', async () => {
  const { open, newest, isHosted, visitorOf, repository, projects, store } = await start()
  const { pull, sha } = await open('NONE')
  const stored = await newest(sha)
  const path = `/projects/${projects[0]?.id}/updates/${stored.update._id}`
  const [writer, reader] = [await visitorOf('writer'), await visitorOf('reader')]
  for (const place of [path, `/projects/${projects[0]?.id}`]) {
    expect((await writer.ask(place)).text, place).toContain('Approve preview')
    expect((await reader.ask(place)).text, place).not.toContain('Approve preview')
  }
  expect((await reader.ask(path)).text).toContain('must approve the preview')
  expect((await reader.ask(`${path}/approve-preview`, { form: {} })).status).toBe(403)
  expect((await writer.ask(`${path}/approve-preview`, { form: {}, from: 'https://elsewhere.example' })).status).toBe(403)
  // The access cache still contains write access.
  repository.setPermission('writer', 'read')
  const refused = await writer.ask(`${path}/approve-preview`, { form: {} })
  expect([refused.status, await isHosted(sha)]).toEqual([422, false])
  expect(await store.sites.findApproval(projects[0]?.id ?? '', sha)).toBeUndefined()
  repository.setPermission('writer', 'write')
  const done = await writer.ask(`${path}/approve-preview`, { form: {} })
  const next = await newest(sha)
  expect([done.status, done.headers.get('location')]).toEqual([303, `/projects/${projects[0]?.id}/updates/${next.update._id}`])
  expect(next.update.source).toBe('dashboard')
  await expect.poll(() => isHosted(sha)).toBe(true)
  expect((await store.audit.list()).filter(({ action }) => action === 'preview.approve')).toMatchObject([
    { actor: 'github:writer', detail: `${sha} of refs/pull/${pull.number}/head` },
  ])
  expect((await writer.ask(`${path}/approve-preview`, { form: {} })).status).toBe(422)
})

test('approves all docs directories of the repository at once', async () => {
  const { open, press, store, projects, repository } = await start({ roots: ['a', 'b'] })
  expect(projects).toHaveLength(2)
  const { sha } = await open('NONE', { 'a/new.mdx': 'a', 'b/new.mdx': 'b' })
  const run = repository.checkRuns.find(({ headSha, name }) => headSha === sha && name === 'openapi-pages (a/)')
  if (!run) throw new Error('No check')
  run.name = 'openapi-pages'
  await press(sha, 'writer')
  for (const { id } of projects) expect(await store.sites.find(id, sha)).toMatchObject({ sha })
})

test('redirects to other sites: off in previews of forks, a page with a link in other previews, followed in production', async () => {
  const { open, ask, github, repository, idle } = await start()
  const { pull, sha } = await open('CONTRIBUTOR')
  for (const label of [`acme-pets--pr-${pull.number}`, `acme-pets--${sha.slice(0, 12)}`]) {
    const paths = ['/login', '/login/', '/away/x', '/sign-in', '/sign-in/', '/login/index.html']
    for (const path of [...paths, ...oddTargets.flatMap((_, index) => [`/odd-${index}`, `/odd-${index}/`])]) {
      const answer = await ask(label, path)
      expect(answer.text, `${label}${path}`).not.toContain('phishing.example')
      expect([answer.status, answer.headers.location], `${label}${path}`).toEqual([404, undefined])
    }
    for (const [index, target] of oddTargets.entries()) {
      const odd = await ask(label, `/odd-url-${index}/`)
      // Without a page of its own, or as if it had no URL.
      expect([200, 404], target).toContain(odd.status)
      expect(odd.headers.location, target).toBeUndefined()
      expect(odd.text, target).not.toContain('phishing.example')
    }
    expect((await ask(label, '/old')).headers.location).toBe('/new/')
  }
  // The same files on a branch of the repository.
  const own = repository.commit({ files: { 'docs.json': docs, ...pages }, branch: 'own' })
  await github.deliver('push', repository.pushPayload(own))
  await idle()
  const preview = `acme-pets--${own.after.slice(0, 12)}`
  for (const [path, target] of [
    ['/login', 'https://phishing.example/login'],
    ['/away/x', 'https://phishing.example/x'],
    ['/sign-in/', 'https://phishing.example/'],
  ] as const) {
    const answer = await ask(preview, path)
    expect([answer.status, answer.headers.location]).toEqual([200, undefined])
    expect(answer.text).toContain(`<a href="${target}" rel="nofollow noreferrer noopener">${target}</a>`)
    expect(answer.text).not.toContain('http-equiv="refresh"')
    expect(answer.headers['x-robots-tag']).toBe('noindex')
  }
  expect((await ask(preview, '/old')).headers.location).toBe('/new/')
  // In production.
  await repository.push({ files: { 'docs.json': docs, ...pages } })
  await idle()
  const published = await ask('acme-pets', '/login')
  expect([published.status, published.headers.location]).toEqual([301, 'https://phishing.example/login'])
})

test('redirects of a site cannot reach the paths of the app', async () => {
  const taken = [
    '/login',
    '/logout',
    '/sign-in',
    '/sign-out',
    '/setup',
    '/projects',
    '/_openapi-pages/sign-in',
    '/v1/openapi.json',
  ]
  const { repository, idle, app, ask } = await start()
  const all = taken.map((source) => ({ source, destination: 'https://phishing.example/' }))
  await repository.push({ files: { 'docs.json': JSON.stringify({ ...JSON.parse(docsConfig), redirects: all }) } })
  await idle()
  for (const path of taken) {
    // Redirects of a site have no effect on the host of the app.
    const own = await askSite(app.address, 'localhost', path, { headers: { Accept: 'text/html' } })
    expect(own.headers.location ?? '', path).not.toContain('phishing')
  }
  // Reserved paths on the host of a site cannot be redirected either.
  const kept = await ask('acme-pets', '/_openapi-pages/sign-in')
  expect(kept.headers.location ?? '').not.toContain('phishing')
})
