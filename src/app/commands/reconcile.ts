import { ConfigError, GitHubError } from '../../errors.ts'
import { GitHubApp } from '../../github/github-app.ts'
import { readConfig } from '../app-config.ts'
import { createNamedLocks } from '../app-context.ts'
import { createLog } from '../create-log.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import type { ReconcileChange } from '../reconcile/settle-repository.ts'
import type { Command } from './commands.ts'
import { printRows } from './print-rows.ts'
import { withStore } from './with-store.ts'

const titles: Readonly<Record<ReconcileChange['kind'], readonly [done: string, planned: string]>> = {
  deleted: ['deleted', 'delete'],
  restored: ['restored', 'restore'],
  detached: ['detached', 'detach'],
  private: ['made private', 'make private'],
  public: ['made public', 'make public'],
  renamed: ['renamed', 'rename'],
  'default-branch': ['changed default branch', 'change default branch'],
  installation: ['changed installation', 'change installation'],
  found: ['added', 'add'],
  update: ['queued an update', 'queue an update'],
}

/** Compares the store with GitHub and corrects it, beside a running server. */
export const reconcileCommand: Command = {
  help: `openapi-pages reconcile [--dry-run]

Compares the store with GitHub: installations, repositories, visibility, default branches, and branches without an
update. Corrects what differs and prints it; --dry-run only prints. The server does the same at start and every hour.
Updates that it queues are run by the server. Exits 1 where something could not be compared.`,
  options: { 'dry-run': { type: 'boolean' } },
  takes: 0,
  async run({ env, values }) {
    const config = await readConfig(env)
    const { credentials } = config
    if (!credentials) {
      throw new ConfigError('the server has no GitHub App yet', { hint: 'start the server and finish its setup page' })
    }
    const isDryRun = values['dry-run'] === true
    const app = new GitHubApp({ appId: credentials.appId, privateKey: credentials.privateKey, apiUrl: config.githubApiUrl })
    const changes: ReconcileChange[] = []
    const context = {
      app,
      isDryRun,
      // What it changes is printed; the log of the server is not this terminal.
      log: createLog({ level: 'silent', format: 'text', write: () => undefined }),
      now: () => new Date(),
      locks: createNamedLocks(),
      report: (change: ReconcileChange) => void changes.push(change),
    }
    const result = await withStore(env, (store) => reconcile({ ...context, store }, { isFull: true })).catch((error: unknown) => {
      if (error instanceof GitHubError) throw new ConfigError(error.message, error.hint === undefined ? {} : { hint: error.hint })
      throw error
    })
    const { installations, repositories, failures } = result
    if (changes.length > 0) {
      printRows([
        ['CHANGE', 'REPOSITORY', 'DETAIL'],
        ...changes.map(({ kind, repository, detail }) => [titles[kind][isDryRun ? 1 : 0], repository, detail]),
      ])
      console.log('')
    }
    for (const failure of failures) console.error(`Cannot compare ${failure}`)
    const count = `${changes.length} ${changes.length === 1 ? 'difference' : 'differences'}`
    const done =
      changes.length === 0 ? 'no differences' : isDryRun ? `${count}, nothing changed (--dry-run)` : `${count} corrected`
    console.log(
      `Compared ${toCount(installations, 'installation')} and ${toCount(repositories, 'repository', 'repositories')}: ${done}`,
    )
    return failures.length === 0 ? 0 : 1
  },
}

function toCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
