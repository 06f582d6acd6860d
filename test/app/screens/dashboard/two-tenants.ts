import type { ConnectOptions } from '../../support/connected-app.ts'
import { endUpdate, type PeopleApp, startPeopleApp, toSha } from '../../support/people-app.ts'

export const site = { 'index.html': 'a' }

/** Two tenants, each with an update. `reader` and `writer` belong to the first. */
export async function startTenants(options: ConnectOptions = {}) {
  const app = await startPeopleApp(options)
  const { project: ours } = await app.addRepository(
    'acme/api',
    { reader: 'read', writer: 'write', boss: 'admin' },
    { private: true },
  )
  const { project: theirs } = await app.addRepository('rival/api', { spy: 'admin' }, { private: true })
  const old = await endUpdate(app.store, ours, { sha: toSha('1'), message: 'First', site })
  const last = await endUpdate(app.store, ours, { sha: toSha('2'), message: 'Second', site })
  const failed = await endUpdate(app.store, ours, { sha: toSha('3'), status: 'failure', summary: 'Failed.' })
  const foreign = await endUpdate(app.store, theirs, { sha: toSha('4'), message: 'Secret plans', site })
  return { app, ours, theirs, old, last, failed, foreign }
}

export async function shownSha({ store }: PeopleApp, projectId: string) {
  return (await store.sites.findPublished(projectId))?.build.sha
}
