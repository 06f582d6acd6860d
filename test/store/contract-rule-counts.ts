import { expect, test } from 'vitest'
import { finishUpdate } from '../../src/status/update-record.ts'
import type { NewRuleCounts, RuleCounts } from '../../src/store/rule-count-store.ts'
import { addProject, claimUpdate, createClock, newPush, type OpenStore, toRunning, toSha } from './store-fixture.ts'

export function describeRuleCounts(openStore: OpenStore): void {
  const day = 24 * 3_600_000

  async function open() {
    const clock = createClock()
    const { store } = await openStore({ now: clock.now })
    const project = await addProject(store)
    let sha = 0
    const end = async (ruleCounts?: NewRuleCounts, of = project) => {
      await store.accept({ updates: [{ ...newPush(store, of, { now: clock.now, sha: ++sha }), once: 'always' }] })
      const job = await claimUpdate(store)
      const endedAt = new Date(clock.now()).toISOString()
      await store.queue.finish(job.lease, finishUpdate(toRunning(job), { status: 'success', summary: 'Valid.', endedAt }), {
        ruleCounts,
      })
      await store.queue.complete(job.lease)
    }
    return { store, clock, project, end }
  }

  test('stores the last result of each day with the end of an update', async () => {
    const { store, clock, project, end } = await open()
    await end(counts({ 'operation-tags': 5 }))
    clock.advance(3_600_000)
    await end(counts({ 'operation-tags': 2, 'Zoë’s “rule”': 1 }))
    await end()
    const checkedAt = '2026-11-20T08:00:00.000Z'
    expect(await store.ruleCounts.list([project.id, 'prj_other'], '2026-11-20')).toEqual([
      {
        projectId: project.id,
        day: '2026-11-20',
        checkedAt,
        sha: toSha(2),
        total: 3,
        ...counts({ 'operation-tags': 2, 'Zoë’s “rule”': 1 }),
      },
    ])
    expect(await store.ruleCounts.list([], '2026-11-20')).toEqual([])
  })

  test('compares with the last day before a given one, else with the first day', async () => {
    const { store, clock, project, end } = await open()
    for (const count of [7, 5, 3]) {
      await end(counts({ a: count }))
      clock.advance(10 * day)
    }
    const compare = async (before: string) => {
      const [found] = await store.ruleCounts.list([project.id], before)
      return [found?.total, found?.earlier]
    }
    expect(await compare('2026-12-05')).toEqual([3, { day: '2026-11-30', total: 5 }])
    expect(await compare('2026-11-01')).toEqual([3, { day: '2026-11-20', total: 7 }])
    expect(await compare('2026-12-31')).toEqual([3, undefined])
  })

  test('deletes the counts of a project that has no rules any more', async () => {
    const { store, project, end } = await open()
    const other = await addProject(store, { repositoryId: 200 })
    await end(counts({ a: 1 }))
    await end(counts({ a: 2 }), other)
    await end('none')
    const ids = [project.id, other.id]
    expect((await store.ruleCounts.list(ids, '2026-11-20')).map(({ projectId }) => projectId)).toEqual([other.id])
  })

  test('keeps the rules with the most problems, and all problems in the total', async () => {
    const { store, project, end } = await open()
    await end(counts(Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`rule-${index}`, index]))))
    const [found] = await store.ruleCounts.list([project.id], '2026-11-20')
    expect([found?.counts.length, found?.counts[0]?.rule, found?.total]).toEqual([300, 'rule-399', (399 * 400) / 2])
  })

  test('prunes counts after 400 days, and those of purged projects', async () => {
    const { store, clock, project, end } = await open()
    const other = await addProject(store, { repositoryId: 200 })
    const list = async () => (await store.ruleCounts.list([project.id, other.id], '9999-01-01')).map(({ total }) => total)
    await end(counts({ a: 1 }))
    clock.advance(380 * day)
    await end(counts({ a: 2 }), other)
    clock.advance(21 * day)
    await store.prune()
    expect(await list()).toEqual([2])
    await store.projects.apply([{ kind: 'delete-project', projectId: other.id }])
    clock.advance(31 * day)
    await store.prune()
    expect(await list()).toEqual([])
  })
}

function counts(warnings: Readonly<Record<string, number>>): RuleCounts {
  return {
    ruleset: {
      name: 'acme/.github',
      repositoryId: 7,
      isPrivate: true,
      path: '.spectral.yaml',
      sha: toSha(9),
      ruleCount: 12,
      isNewOnly: false,
      problems: [],
      problemCount: 0,
    },
    counts: Object.entries(warnings).map(([rule, count]) => ({ rule, errors: 0, warnings: count, infos: 0 })),
  }
}
