import { constants, copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { ConfigError, GitHubError } from '../../errors.ts'
import { GitHubApp } from '../../github/github-app.ts'
import { configFileName, credentialsFileName, readConfig } from '../app-config.ts'
import { createNamedLocks } from '../app-context.ts'
import { createLog } from '../create-log.ts'
import { type Examination, examine } from '../doctor.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import type { ReconcileChange } from '../reconcile/settle-repository.ts'
import { linkKeyFileName } from '../signed-links.ts'
import { databaseFileName } from '../start-app.ts'
import { type CommandContext, type Environment, printRows, withStore } from './with-store.ts'

const doctorHelp = `openapi-pages doctor

Checks the settings, the data folder and its disk, the browser that takes pictures of sites, the keys of the GitHub App,
its permissions and events, the webhook address from here and from GitHub's list of deliveries, and the clock. Exits 1 where something is wrong.`

/** Reports what keeps the server from working, each with its fix. */
export function defineDoctor(program: Command, { env, onEnd }: CommandContext): void {
  program
    .command('doctor')
    .configureHelp({ formatHelp: () => `${doctorHelp}\n` })
    .action(async () => onEnd(await runDoctor(env)))
}

const backupHelp = `openapi-pages backup FOLDER

Copies the store, the keys and the settings into a new folder, while the server runs. The copy of the store is checked.
To restore: stop the server, make the folder the data folder, start the server. The folder holds secrets: keep it closed.`

/** Copies everything in the data folder that has to be kept, as of one moment, while the server runs. */
export function defineBackup(program: Command, { env, onEnd }: CommandContext): void {
  program
    .command('backup')
    .argument('[folder]')
    .configureHelp({ formatHelp: () => `${backupHelp}\n` })
    .action(async (folder: string | undefined) => onEnd(await backUp(folder, env)))
}

const reconcileHelp = `openapi-pages reconcile [--dry-run]

Compares the store with GitHub: installations, repositories, visibility, default branches, and branches without an
update. Corrects what differs and prints it; --dry-run only prints. The server does the same at start and every hour.
Updates that it queues are run by the server. Exits 1 where something could not be compared.`

/** Compares the store with GitHub and corrects it, beside a running server. */
export function defineReconcile(program: Command, { env, onEnd }: CommandContext): void {
  program
    .command('reconcile')
    .option('--dry-run')
    .configureHelp({ formatHelp: () => `${reconcileHelp}\n` })
    .action(async ({ dryRun = false }: { dryRun?: boolean }) => onEnd(await runReconcile(dryRun, env)))
}

const marks: Readonly<Record<Examination['state'], string>> = { well: '✔', warning: '!', ill: '✖' }

async function runDoctor(env: Environment): Promise<number> {
  const config = await readConfig(env)
  const found = await examine(config, new Date())
  for (const { state, message, fix } of found) console.log(`${marks[state]} ${message}${fix ? `\n    ${fix}` : ''}`)
  const ill = found.filter(({ state }) => state === 'ill').length
  console.log(ill === 0 ? '\n✔ nothing stands in the way' : `\n✖ ${ill} ${ill === 1 ? 'thing has' : 'things have'} to be mended`)
  return ill === 0 ? 0 : 1
}

async function backUp(folder: string | undefined, env: Environment): Promise<number> {
  if (!folder)
    throw new ConfigError('missing the folder to write to', { hint: 'for example `openapi-pages backup backups/2026-11-20`' })
  if (existsSync(folder))
    throw new ConfigError(`${folder} exists already`, { hint: 'name a new folder: a backup is never overwritten' })
  const { dataDir } = await readConfig(env)
  await withStore(env, async (store) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    await store.backup(join(folder, databaseFileName))
  })
  const files = [credentialsFileName, linkKeyFileName, configFileName].filter((name) => existsSync(join(dataDir, name)))
  // `copyFileSync` keeps the mode, so the keys stay closed.
  for (const name of files) copyFileSync(join(dataDir, name), join(folder, name), constants.COPYFILE_EXCL)
  console.log(`Backed up ${[databaseFileName, ...files].join(', ')} to ${folder}`)
  return 0
}

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

async function runReconcile(isDryRun: boolean, env: Environment): Promise<number> {
  const config = await readConfig(env)
  const { credentials } = config
  if (!credentials) {
    throw new ConfigError('the server has no GitHub App yet', { hint: 'start the server and finish its setup page' })
  }
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
  const done = changes.length === 0 ? 'no differences' : isDryRun ? `${count}, nothing changed (--dry-run)` : `${count} corrected`
  console.log(
    `Compared ${toCount(installations, 'installation')} and ${toCount(repositories, 'repository', 'repositories')}: ${done}`,
  )
  return failures.length === 0 ? 0 : 1
}

function toCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
