import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../../../../src/app/start/server.ts'
import { claimNext } from '../../../store/store-fixture.ts'
import { fc, isSoak, seed } from '../../../support/properties.ts'
import { listRoutes } from '../../support/list-routes.ts'
import { endUpdate, type PeopleApp, startPeopleApp, toSha } from '../../support/people-app.ts'
import { failedReport } from '../../support/sample-report.ts'
import { addProject, addToken, addUpdate } from '../../support/test-app.ts'
import { startTenants } from './two-tenants.ts'

const states = ['live', 'deleted', 'suspended', 'without projects', 'renamed', 'transferred'] as const
type State = (typeof states)[number]

/** An account with one private repository, its projects, and one administrator. All of its texts contain `mark`. */
async function addTenant(people: PeopleApp, mark: string, state: State, moreProjects = 0) {
  const { store, github } = people
  const admin = `${mark}-boss`
  const name = `${mark}-org/${mark}-api`
  const repository = github.createRepository(name, { private: true })
  repository.collaborators.set(admin, 'admin')
  const { installation } = repository
  if (!installation) throw new Error('The app is not installed there')
  installation.permissions = { metadata: 'read' }
  installation.suspended = state === 'suspended'
  const audit = { actor: `github:${admin}`, action: 'project.set', subject: `${mark}-subject`, detail: mark }
  await store.audit.add(audit)
  await refuse(people, mark, () =>
    store.accept({ tasks: [{ id: store.newId(), name: 'confirm', installationId: installation.id, payload: `"${mark}"` }] }),
  )
  const none = { admin, ids: { projectId: `prj_${mark}`, statusId: `${mark}-status`, domain: mark }, secrets: [mark] }
  if (state === 'without projects') return { ...none, token: undefined }

  const { project } = await people.addRepository(name, {}, { private: true })
  for (let count = 0; count < moreProjects; count++) {
    await people.addRepository(name, {}, { private: true, root: `${mark}-${count}` })
  }
  const sha = toSha('a')
  const report = JSON.parse(JSON.stringify(failedReport).replaceAll('openapi.yaml', `${mark}.yaml`))
  const ending = { sha, author: `${mark}-dev`, message: `${mark} plans`, summary: mark, logs: [mark], report }
  const { _id: statusId } = await endUpdate(store, project, { ...ending, site: { 'index.html': mark, 'index.md': mark } })
  await endUpdate(store, project, { ...ending, sha: toSha('b'), ref: `refs/heads/${mark}`, status: 'failure' })
  await refuse(people, mark, () => addUpdate(store, project))
  await store.domains.set(project.id, `docs.${mark}.example`, `github:${admin}`)
  const { text: token } = await addToken(store, { scope: 'write', projectId: project.id })
  const { repositoryId, owner, repo, defaultBranch } = project
  const values = { owner, repo, defaultBranch, private: true }
  const confirm = { kind: 'confirm-repository', repositoryId, tightened: 0, restore: false } as const
  const all = await store.projects.findByRepository(repositoryId)
  if (state === 'deleted') for (const { id } of all) await store.projects.remove(id, `github:${admin}`)
  if (state === 'renamed') await store.projects.apply([{ ...confirm, values: { ...values, repo: `${mark}-new` } }])
  if (state === 'transferred') {
    repository.collaborators.delete(admin)
    await store.projects.apply([{ ...confirm, values: { ...values, owner: `${mark}-heir` } }])
  }
  const ids = { projectId: project.id, statusId, domain: project.subdomain, sha }
  return { admin, ids, secrets: [mark, statusId, ...all.map(({ id }) => id)], token }
}

/** Lets GitHub refuse the next job with words that contain `mark`. */
async function refuse({ store }: PeopleApp, mark: string, accept: () => Promise<unknown>): Promise<void> {
  await accept()
  const job = await claimNext(store)
  if (!job) throw new Error('No job is queued')
  await store.queue.retry(job.lease, { reason: `403 ${mark}`, refusal: 'forbidden', retryAfterMs: 3_600_000 })
}

type Tenant = Awaited<ReturnType<typeof addTenant>>

/** The GET routes that show something of `other` to the administrator of `own`, whichever of their IDs are in the request. */
async function findShown(people: PeopleApp, own: Tenant, other: Tenant): Promise<readonly string[]> {
  const server = await createServer(people.app.context, people.app.tools)
  onTestFinished(() => server.close())
  const visitor = await people.visitorOf(own.admin)
  const headers = own.token === undefined ? {} : { authorization: `Bearer ${own.token}` }
  const found = new Set<string>()
  for (const route of listRoutes(server).filter((route) => route.startsWith('GET '))) {
    for (const ids of [own.ids, other.ids, { ...other.ids, projectId: own.ids.projectId }]) {
      const sent: Readonly<Record<string, string>> = { ...ids, linkId: 'link_1', name: 'light.png' }
      const path = route.slice(4).replaceAll(/:(\w+)/g, (_, name: string) => sent[name] ?? 'x')
      const host = `${ids.domain}.${new URL(people.base).host}`
      const query = new URLSearchParams({ host, to: '/', challenge: 'x'.repeat(43), domain: `${ids.domain}.localhost` })
      const answers = [
        await visitor.ask(`${path}?${query}`),
        await visitor.ask(path),
        await visitor.ask(path, { headers }),
        ...(path === route.slice(4) ? [await visitor.ask(`http://${host}${path}`, { headers })] : []),
      ]
      // What the visitor sent, and their login, is no news.
      const shown = [...Object.values(sent), own.admin].reduce(
        (text, value) => text.replaceAll(value, ''),
        JSON.stringify(answers.map(({ headers, text }) => [[...headers], text])),
      )
      if (other.secrets.some((secret) => shown.includes(secret))) found.add(route)
    }
  }
  return [...found]
}

const anyState = fc.constantFrom(...states)
const anyCounts = fc.tuple(fc.nat(2), fc.nat(2))
/** Each state as the other tenant of a live one, and one more pair; in soak runs all pairs. */
const pairs = isSoak
  ? states.flatMap((a) => states.map((b) => [a, b] as const))
  : [...states.map((b) => ['live', b] as const), ...fc.sample(fc.tuple(anyState, anyState), { numRuns: 1, seed })]
const counts = fc.sample(anyCounts, { numRuns: pairs.length, seed })

describe('two tenants of a server', () => {
  test.each(pairs.map((pair, index) => [...pair, ...(counts[index] ?? [0, 0])] as const))(
    'read nothing about each other when they are %s and %s, with %i and %i more projects',
    async (stateA, stateB, moreA, moreB) => {
      const people = await startPeopleApp()
      const a = await addTenant(people, 'qaxa', stateA, moreA)
      const b = await addTenant(people, 'zobz', stateB, moreB)
      expect([await findShown(people, a, b), await findShown(people, b, a)]).toEqual([[], []])
    },
  )

  test('read about themselves on the same pages', async () => {
    const people = await startPeopleApp()
    const tenant = await addTenant(people, 'qaxa', 'live')
    const pages = ['/projects', '/projects/:projectId/settings', '/updates', '/server', '/v1/project/:projectId/updates']
    expect(await findShown(people, tenant, tenant)).toEqual(expect.arrayContaining(pages.map((page) => `GET ${page}`)))
  })

  test('read nothing about the installation that a repository had before its transfer', async () => {
    const people = await startPeopleApp()
    const { project } = await people.addRepository('acme/api', { boss: 'admin' })
    const rival = people.github.createInstallation('rival', {})
    const facts = { installationId: rival.id, repositoryId: project.repositoryId, owner: 'acme', repo: 'api', root: 'docs' }
    const { id } = await addProject(people.store, facts)
    const boss = await people.visitorOf('boss')
    const pages = [await boss.ask('/server'), await boss.ask(`/projects/${id}/settings`)].map(({ text }) => text)
    expect(pages.filter((text) => /rival|Quotas/.test(text))).toEqual([])
    expect((await boss.ask(`/projects/${project.id}/settings`)).text).toContain('Quotas')
  })

  test('read nothing about each other after one of them deleted its projects', async () => {
    const { app, theirs } = await startTenants()
    const boss = await app.visitorOf('boss')
    expect((await boss.ask('/server')).text).not.toContain('rival')
    await app.store.projects.remove(theirs.id, 'github:spy')
    const { text } = await boss.ask('/server')
    expect([...new Set(text.match(/[^<>]*(?:rival|spy)[^<>]*/g) ?? [])]).toEqual([])
  })
})
