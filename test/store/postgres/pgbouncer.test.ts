import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openPostgresStore } from '../../../src/store/store.ts'
import { hasPgBouncer, startPgBouncer } from '../../support/pgbouncer.ts'
import { canStartPostgres, startPostgres } from '../../support/postgres.ts'
import { addProject, claimUpdate, newPush } from '../store-fixture.ts'

describe.skipIf(!hasPgBouncer || !canStartPostgres)('PgBouncer', () => {
  const server = hasPgBouncer && canStartPostgres ? startPostgres() : undefined
  afterAll(() => server?.stop())

  async function connect(mode: 'session' | 'transaction') {
    if (!server) throw new Error('no server')
    const bouncer = await startPgBouncer(server, { url: await server.createDatabase(), mode })
    onTestFinished(() => bouncer.stop())
    return bouncer.url
  }

  test('in session mode, serves several processes, with their messages and locks', async () => {
    const url = await connect('session')
    const [one, other] = [await openPostgresStore({ url, connections: 2 }), await openPostgresStore({ url, connections: 2 })]
    onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => undefined))
    const project = await addProject(one)
    await one.accept({ updates: [newPush(one, project, { now: Date.now })] })
    expect((await claimUpdate(other)).stored.update.projectId).toBe(project.id)
    const order: string[] = []
    const first = one.locks('name', async () => {
      order.push('one begins')
      await new Promise((resolve) => setTimeout(resolve, 300))
      order.push('one ends')
    })
    await vi.waitUntil(() => order.length === 1, 120_000)
    await Promise.all([first, other.locks('name', async () => order.push('other'))])
    expect(order).toEqual(['one begins', 'one ends', 'other'])
  })

  test('in transaction mode, is refused', async () => {
    await expect(openPostgresStore({ url: await connect('transaction') })).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringMatching(/^Cannot use the database \S+: a connection pooler lets several clients share/),
      hint: expect.stringContaining('pool_mode = session'),
    })
  })
})
