import { expect, test } from 'vitest'
import { addProject, claimNext, createClock, newPush, type OpenStore, toCreatedId } from './store-fixture.ts'

export function describeProjects(openStore: OpenStore): void {
  async function open() {
    const clock = createClock()
    return { ...(await openStore({ now: clock.now })), clock }
  }

  test('creates one project per repository and docs directory, each with its own subdomain', async () => {
    const { store } = await open()
    const first = await addProject(store, { repositoryId: 1, owner: 'Acme', repo: 'api' })
    const again = await addProject(store, { repositoryId: 1, owner: 'Acme', repo: 'api', defaultBranch: 'trunk', private: true })
    expect(first.id).toMatch(/^prj_[0-9a-f]{24}$/)
    expect(first.subdomain).toBe('acme-api')
    expect(again).toEqual({ ...first, defaultBranch: 'trunk', private: true })
    const same = await addProject(store, { repositoryId: 2, owner: 'acme', repo: 'api' })
    expect(same.subdomain).toBe('acme-api-2')
    expect((await addProject(store, { repositoryId: 2, owner: 'acme', repo: 'api', root: 'docs' })).subdomain).toBe(
      'acme-api-docs',
    )
    expect((await store.projects.findByRepository(2)).map(({ root }) => root)).toEqual(['', 'docs'])
    expect((await store.projects.list()).length).toBe(3)
    expect(await store.projects.find(same.id)).toEqual(same)
    expect(await store.projects.find('prj_none')).toBeUndefined()
  })

  test('follows a rename, a transfer and a visibility change, and keeps ID, subdomain and records', async () => {
    const { store, clock } = await open()
    const project = await addProject(store)
    const id = toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now })] }))
    const values = { owner: 'new', repo: 'name', private: true, defaultBranch: 'trunk', installationId: 9 }
    await store.projects.apply([
      { kind: 'confirm-repository', repositoryId: 100, values, tightened: 0 },
      { kind: 'confirm-repository', repositoryId: 999, values, tightened: 0 },
    ])
    const moved = { ...project, owner: 'new', repo: 'name', private: true, defaultBranch: 'trunk', installationId: 9 }
    expect(await store.projects.list()).toEqual([moved])
    // Its job waits in the queue of the new installation.
    expect(await claimNext(store)).toMatchObject({ lease: { jobId: id }, project: moved })
  })

  test('supports a project without an installation', async () => {
    const { store, clock } = await open()
    const facts = {
      repositoryId: 5,
      owner: 'a',
      repo: 'b',
      root: '',
      hasDocsConfig: false,
      defaultBranch: 'main',
      private: false,
    }
    await store.projects.apply([{ kind: 'upsert', project: facts }])
    const [project] = await store.projects.findByRepository(5)
    expect(project && 'installationId' in project).toBe(false)
    if (!project) return
    toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now })] }))
    expect(await claimNext(store)).toMatchObject({ kind: 'run', project })
  })

  test('does not make a repository public because of an API response older than a webhook', async () => {
    const { store } = await open()
    const project = await addProject(store, { private: true })
    await addProject(store, { root: 'docs', private: true })
    const { owner, repo, defaultBranch, repositoryId } = project
    const confirm = (tightened: number) =>
      store.projects.apply([
        { kind: 'confirm-repository', repositoryId, values: { owner, repo, defaultBranch, private: false }, tightened },
      ])
    const areprivate = async () => (await store.projects.findByRepository(repositoryId)).map((one) => one.private)
    const { tightened } = await store.projects.findRepository(repositoryId)
    // It was private before, too, which makes no difference.
    await store.projects.apply([{ kind: 'tighten', repositoryId }])
    await confirm(tightened)
    expect(await areprivate()).toEqual([true, true])
    await confirm((await store.projects.findRepository(repositoryId)).tightened)
    expect(await areprivate()).toEqual([false, false])
    await store.projects.apply([{ kind: 'tighten-all' }])
    expect(await areprivate()).toEqual([true, true])
    // Other changes of a repository never make it public.
    await addProject(store, { root: 'docs', private: false })
    await addProject(store, { root: 'new', private: false })
    expect(await areprivate()).toEqual([true, true, true])
  })

  test('hides only the data of a deleted repository, at once and for every process', async () => {
    const { store, clock, openAgain } = await open()
    const expiresAt = '2099-01-01T00:00:00.000Z'
    const make = async (repositoryId: number, installationId: number) => {
      const project = await addProject(store, { repositoryId, installationId })
      const id = toCreatedId(
        await store.accept({
          updates: [newPush(store, project, { now: clock.now })],
          idempotency: { projectId: project.id, key: 'k', bodyHash: 'h' },
        }),
      )
      await store.accept({ tasks: [{ id: store.newId(), name: 'discover', installationId, payload: '{}' }] })
      const token = await store.tokens.create({ grant: { scope: 'write', projectId: project.id }, name: 'ci', expiresAt }, 'test')
      return { project, id, token: token?.token ?? '' }
    }
    const gone = [await make(1, 1), await make(2, 1)]
    const kept = await make(3, 2)
    const other = await openAgain()
    await Promise.all(gone.map(({ token, id }) => Promise.all([other.tokens.check(token), other.statuses.find(id)])))
    await store.projects.apply(gone.map(({ project: { repositoryId } }) => ({ kind: 'delete-repository', repositoryId })))
    for (const { project, id, token } of gone) {
      await expect.poll(() => other.tokens.check(token)).toEqual({ kind: 'unknown' })
      await expect.poll(() => other.statuses.find(id)).toBeUndefined()
      expect(await store.projects.find(project.id)).toBeUndefined()
      expect(await store.projects.findByRepository(project.repositoryId)).toEqual([])
      expect(await store.projects.set(project.id, { enabled: false }, 'cli')).toEqual({ kind: 'not-found' })
      const grant = { scope: 'read', projectId: project.id } as const
      expect(await store.tokens.create({ grant, name: 'late', expiresAt }, 'test')).toBeUndefined()
      const late = await store.accept({ updates: [newPush(store, project, { now: clock.now, sha: 2 })] })
      expect(late).toMatchObject({ updates: [{ outcome: 'no-project' }] })
    }
    for (const { project, id, token } of gone) {
      expect(await store.projects.find(project.id)).toBeUndefined()
      expect(await store.statuses.find(id)).toBeUndefined()
      expect(await store.tokens.check(token)).toEqual({ kind: 'unknown' })
    }
    expect(await store.projects.list()).toEqual([kept.project])
    expect(await store.statuses.find(kept.id)).toBeDefined()
    expect(await store.tokens.check(kept.token)).toMatchObject({ kind: 'valid' })
    // The jobs of the project that was kept, and the tasks.
    expect((await store.queue.stats()).waiting).toBe(5)
  })

  test('restores a deleted project with records, tokens, jobs and subdomain for 30 days', async () => {
    const { store, clock } = await open()
    const day = 24 * 3_600_000
    const expiresAt = '2099-01-01T00:00:00.000Z'
    const project = await addProject(store)
    const { id: projectId, repositoryId, owner, repo, defaultBranch } = project
    const made = await store.tokens.create({ grant: { scope: 'read', projectId }, name: 'ci', expiresAt }, 'test')
    const statusId = toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now })] }))
    await store.projects.apply([{ kind: 'delete-repository', repositoryId }])
    expect(await claimNext(store)).toBeUndefined()
    expect(await store.queue.recover()).toEqual([])
    // Its subdomain, repository and root stay reserved.
    expect((await addProject(store, { repositoryId: 7, owner, repo })).subdomain).toBe(`${project.subdomain}-2`)
    clock.advance(29 * day)
    await store.prune()
    const deletedAt = '2026-11-20T07:00:00.000Z'
    expect(await store.projects.listDeleted()).toEqual([{ ...project, deletedAt }])
    expect((await store.projects.findRepository(repositoryId)).deleted).toEqual([{ ...project, deletedAt }])
    const values = { owner, repo: 'renamed', defaultBranch, private: false, installationId: 3 }
    const { tightened } = await store.projects.findRepository(repositoryId)
    await store.projects.apply([{ kind: 'confirm-repository', repositoryId, values, tightened, restore: true }])
    expect(await store.projects.find(projectId)).toEqual({ ...project, repo: 'renamed', installationId: 3 })
    expect(await store.statuses.find(statusId)).toBeDefined()
    expect(await store.tokens.check(made?.token ?? '')).toMatchObject({ kind: 'valid' })
    expect(await claimNext(store)).toMatchObject({ lease: { jobId: statusId } })
  })

  test('restores a project as private and without installation until GitHub confirms both', async () => {
    const { store } = await open()
    const project = await addProject(store)
    expect(await store.projects.restore(project.id, 'cli')).toBe(false)
    await store.projects.apply([{ kind: 'delete-repository', repositoryId: project.repositoryId }])
    expect(await store.projects.restore(project.id, 'cli')).toBe(true)
    const { installationId: _gone, ...rest } = project
    expect(await store.projects.find(project.id)).toEqual({ ...rest, private: true })
    expect(await store.audit.list()).toMatchObject([{ action: 'project.restore', subject: project.id, actor: 'cli' }])
  })

  test('keeps a project deleted that a person deleted, until a person restores it', async () => {
    const { store } = await open()
    const project = await addProject(store)
    const { repositoryId, owner, repo, defaultBranch, installationId = 1 } = project
    expect(await store.projects.remove('prj_none', 'github:boss')).toBe(false)
    expect(await store.projects.remove(project.id, 'github:boss')).toBe(true)
    expect(await store.projects.remove(project.id, 'github:boss')).toBe(false)
    expect(await store.projects.listDeleted()).toMatchObject([{ id: project.id, removedBy: 'github:boss' }])
    const { tightened } = await store.projects.findRepository(repositoryId)
    const values = { owner, repo, defaultBranch, private: false, installationId }
    const facts = { installationId, repositoryId, owner, repo, hasDocsConfig: true, defaultBranch, private: false }
    await store.projects.apply([
      { kind: 'confirm-repository', repositoryId, values, tightened, restore: true },
      { kind: 'upsert', project: { ...facts, root: project.root } },
      { kind: 'upsert', project: { ...facts, root: 'other' } },
    ])
    expect(await store.projects.list()).toEqual([])
    expect(await store.audit.list(1)).toMatchObject([{ action: 'project.delete', actor: 'github:boss', subject: project.id }])
    expect(await store.projects.restore(project.id, 'github:boss')).toBe(true)
    expect(await store.projects.find(project.id)).toBeDefined()
    await store.projects.apply([{ kind: 'delete-repository', repositoryId }])
    expect((await store.projects.listDeleted())[0]).not.toHaveProperty('removedBy')
  })

  test('gives a custom domain to the project that verified it last, while the project exists', async () => {
    const { store } = await open()
    const [first, second] = [await addProject(store), await addProject(store, { repositoryId: 7, repo: 'other' })]
    const domain = 'docs.example.com'
    for (const { id } of [first, second]) await store.domains.set(id, domain, 'github:boss')
    const claims = [await store.domains.find(first.id), await store.domains.find(second.id)]
    expect(await store.domains.findSubdomain(domain)).toBeUndefined()
    for (const [index, project] of [first, second].entries()) {
      const claim = claims[index]
      if (!claim) throw new Error('The domain was not stored')
      expect(await store.domains.verify({ ...claim, token: 'other' }, 'github:boss')).toBe(false)
      expect(await store.domains.verify(claim, 'github:boss')).toBe(true)
      expect(await store.domains.findSubdomain(domain)).toBe(project.subdomain)
    }
    expect(await store.domains.find(first.id)).not.toHaveProperty('verifiedAt')
    await store.domains.set(second.id, domain, 'github:boss')
    expect(await store.domains.find(second.id)).toHaveProperty('verifiedAt')
    await store.projects.remove(second.id, 'github:boss')
    expect(await store.domains.findSubdomain(domain)).toBeUndefined()
    await store.projects.restore(second.id, 'github:boss')
    expect(await store.domains.findSubdomain(domain)).toBe(second.subdomain)
    await store.domains.remove(second.id, 'github:boss')
    expect(await store.domains.find(second.id)).toBeUndefined()
  })

  test('lists verified domains that are due for a check, the oldest check first', async () => {
    const { store, clock } = await open()
    const due = async (limit = 10) =>
      (await store.domains.listDue(new Date(clock.now()).toISOString(), limit)).map(({ domain }) => domain.domain)
    const claim = async (repositoryId: number, domain: string) => {
      const { id } = await addProject(store, { repositoryId, repo: domain })
      await store.domains.set(id, domain, 'github:boss')
      const found = await store.domains.find(id)
      if (!found) throw new Error('The domain was not stored')
      return found
    }
    const [first, second] = [await claim(7, 'a.example.com'), await claim(8, 'b.example.com')]
    await claim(9, 'c.example.com')
    for (const domain of [first, second]) {
      await store.domains.verify(domain, 'github:boss')
      clock.advance(1_000)
    }
    expect([await due(), await due(1)]).toEqual([['a.example.com', 'b.example.com'], ['a.example.com']])
    await store.domains.recordCheck(first, 'wrong', 60_000)
    clock.advance(1_000)
    expect(await due()).toEqual(['b.example.com', 'a.example.com'])
    // Another token: the domain was removed and added again during the check.
    expect(await store.domains.recordCheck({ ...first, token: 'old' }, 'wrong', 0)).toBe('recorded')
    expect(await store.domains.recordCheck(first, 'unknown', 0)).toBe('recorded')
    clock.advance(60_000)
    expect(await store.domains.recordCheck(first, 'wrong', 60_000)).toBe('lapsed')
    expect(await due()).toEqual(['b.example.com'])
    await store.projects.remove(second.projectId, 'github:boss')
    expect(await due()).toEqual([])
  })

  test('purges a project and all its data 30 days after its deletion', async () => {
    const { store, clock } = await open()
    const project = await addProject(store)
    const statusId = toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now })] }))
    await store.projects.apply([{ kind: 'delete-repository', repositoryId: project.repositoryId }])
    clock.advance(30 * 24 * 3_600_000 + 1)
    expect(await store.prune()).toBeGreaterThan(0)
    expect(await store.projects.listDeleted()).toEqual([])
    expect(await store.projects.restore(project.id, 'cli')).toBe(false)
    expect((await addProject(store)).subdomain).toBe(project.subdomain)
    expect(await store.statuses.find(statusId)).toBeUndefined()
  })

  test('notices during a run that its project was deleted', async () => {
    const { store, clock } = await open()
    const project = await addProject(store, { repositoryId: 1 })
    const docs = await addProject(store, { repositoryId: 1, root: 'docs' })
    toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now })] }))
    const job = await claimNext(store)
    if (!job) throw new Error('nothing claimed')
    await store.projects.apply([{ kind: 'delete-project', projectId: project.id }])
    expect(await store.queue.heartbeat(job.lease, 1000)).toBe(0)
    expect(await store.queue.complete(job.lease)).toBe(false)
    expect(await store.queue.retry(job.lease, { reason: 'x' })).toEqual({ kind: 'lease-lost' })
    expect(await store.projects.list()).toEqual([docs])
    await store.projects.apply([{ kind: 'delete-repository', repositoryId: 1 }])
    expect(await store.projects.list()).toEqual([])
  })

  test('moves a docs directory unless the repository already has a project there', async () => {
    const { store } = await open()
    const project = await addProject(store, { hasDocsConfig: false })
    const move = (root: string) => store.projects.apply([{ kind: 'move-root', projectId: project.id, root, hasDocsConfig: true }])
    await move('docs')
    expect(await store.projects.list()).toEqual([{ ...project, root: 'docs', hasDocsConfig: true }])
    const api = await addProject(store, { root: 'api' })
    await move('api')
    expect(await store.projects.list()).toEqual([api, { ...project, root: 'docs', hasDocsConfig: true }])
    await store.projects.apply([{ kind: 'move-root', projectId: 'prj_none', root: 'x', hasDocsConfig: true }])
  })

  test('keeps the settings of a person when GitHub reports changes', async () => {
    const { store } = await open()
    const first = await addProject(store, { repositoryId: 1 })
    const second = await addProject(store, { repositoryId: 2 })
    expect(await store.projects.set(first.id, { subdomain: 'pets', enabled: false, siteAccess: 'public' }, 'cli')).toEqual({
      kind: 'set',
      project: { ...first, subdomain: 'pets', enabled: false, siteAccess: 'public' },
    })
    expect(await addProject(store, { repositoryId: 1 })).toEqual({
      ...first,
      subdomain: 'pets',
      enabled: false,
      siteAccess: 'public',
    })
    expect(await store.projects.set(second.id, { subdomain: 'pets' }, 'cli')).toEqual({ kind: 'subdomain-taken' })
    expect(await store.projects.set('prj_none', {}, 'cli')).toEqual({ kind: 'not-found' })
    expect(await store.projects.set(first.id, { subdomain: 'pets', enabled: true }, 'cli')).toMatchObject({ kind: 'set' })
    expect((await store.audit.list()).map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
      ['project.set', first.id, 'subdomain pets, enabled, site for public'],
      ['project.set', first.id, 'subdomain pets, disabled, site for public'],
    ])
  })
}
