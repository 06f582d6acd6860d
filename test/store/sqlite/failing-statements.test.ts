import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { onTestFinished, test } from 'vitest'
import type { Project } from '../../../src/status/update-record.ts'
import { createProcessLocks } from '../../../src/store/database/holds.ts'
import type { OpenedDatabase } from '../../../src/store/database/store-database.ts'
import type { Tables } from '../../../src/store/database/tables.ts'
import { prepareSqlite } from '../../../src/store/sqlite/node-sqlite.ts'
import { createStore, openSqliteStore, type Store } from '../../../src/store/store.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { publishPush } from '../site-fixture.ts'
import { addProject, createClock, newPush, toCreatedId } from '../store-fixture.ts'

// A statement without `await` is still sent in its order, so that only its failure shows it: the call would succeed without it.

const hour = 3_600_000

/** A project with work for each call: a dropped site, and a job without its record. */
async function fill() {
  const path = join(makeTemporaryFolder(), 'store.sqlite')
  const { now, advance } = createClock()
  const store = await openSqliteStore({ path, now, limits: { maxPreviews: 0 } })
  const project = await addProject(store)
  for (const sha of [1, 2]) await publishPush(store, project, { now, sha, texts: { 'index.html': `${sha}` } })
  const gone = toCreatedId(await store.accept({ updates: [newPush(store, project, { now, sha: 3 })] }))
  await store.close()
  const hand = new DatabaseSync(path)
  hand.prepare('delete from updates where id = ?').run(gone)
  hand.close()
  advance(2 * hour)
  return { path, project, now }
}

/** Opens a copy of the store, whose write with this number fails. */
function open({ path, now }: Awaited<ReturnType<typeof fill>>, failing: number) {
  const copy = join(makeTemporaryFolder(), 'store.sqlite')
  copyFileSync(path, copy)
  const connection = new DatabaseSync(copy)
  let writes = 0
  const prepare = (text: string) => {
    if (/^(?:insert|update|delete)/.test(text) && ++writes === failing) throw new Error('this statement fails')
    return prepareSqlite(connection, text)
  }
  const database = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: { close: () => connection.close(), prepare } }),
  })
  onTestFinished(() => database.destroy())
  const opened: OpenedDatabase = {
    database: {
      write: (work) => database.transaction().execute(work),
      reader: database,
      readVersion: () => 0,
      untilNoticed: async () => undefined,
      leaseNow: async () => now(),
    },
    limits: undefined,
    locks: createProcessLocks(),
    runLong: (work) => work(),
    backup: async () => undefined,
    close: async () => undefined,
  }
  return { store: createStore(opened, { now }), hasFailed: () => writes >= failing }
}

const audit = { actor: 'cli', action: 'project.set', subject: 'x', detail: '' } as const
const moved = { owner: 'acme', repo: 'moved', defaultBranch: 'next', private: false, installationId: 2 }

test.for<readonly [string, (store: Store, project: Project, now: () => number) => Promise<unknown>]>([
  [
    'accepts work',
    (store, project, now) =>
      store.accept({
        delivery: { id: 'd9', event: 'push' },
        updates: [newPush(store, project, { now, sha: 9 })],
        tasks: [{ id: store.newId(), name: 'x', installationId: 1, payload: '{}' }],
        audit: [audit],
        idempotency: { projectId: project.id, key: 'k', bodyHash: 'a' },
      }),
  ],
  ['claims a job', (store) => store.queue.claim({ worker: 'w', leaseMs: hour })],
  ['collects sites', (store) => store.sites.collect()],
  ['sets a project', (store, { id }) => store.projects.set(id, { enabled: false }, 'cli')],
  ['removes a project', (store, { id }) => store.projects.remove(id, 'cli')],
  [
    'moves a repository',
    (store, { repositoryId }) =>
      store.projects.apply([{ kind: 'confirm-repository', repositoryId, values: moved, tightened: 0 }]),
  ],
  ['writes an audit line', (store) => store.audit.add(audit)],
])('a call that %s fails with any of its statements', async ([, call], { expect }) => {
  const filled = await fill()
  for (let failing = 1; ; failing++) {
    const { store, hasFailed } = open(filled, failing)
    const said = await call(store, filled.project, filled.now).then(
      () => 'it succeeded',
      (error: unknown) => String(error),
    )
    if (!hasFailed()) {
      expect({ said, failing }).toEqual({ said: 'it succeeded', failing: expect.toSatisfy((count: number) => count > 1) })
      return
    }
    expect(said).toContain('this statement fails')
  }
})
