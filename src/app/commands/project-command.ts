import type { Command } from 'commander'
import { ConfigError } from '../../errors.ts'
import { isSubdomain } from '../../status/subdomain.ts'
import type { Project } from '../../status/types.ts'
import type { Store } from '../../store/types.ts'
import { readConfig } from '../app-config.ts'
import { toQuotaUses } from '../quotas.ts'
import { toProjectName } from '../run/run-context.ts'
import { type CommandContext, type Environment, printRows, withStore } from './with-store.ts'

const help = `openapi-pages-app project list [--deleted]
openapi-pages-app project show PROJECT_ID
openapi-pages-app project set PROJECT_ID [--subdomain LABEL] [--enable | --disable] [--site-access repository|public]
openapi-pages-app project restore PROJECT_ID

A project is one docs directory of one repository. Installing the GitHub App on a repository creates its projects.
With --disable, updates are off and the project ignores pushes. Only people who can read a private repository can read
its site, unless --site-access is public.

Deleting the repository or uninstalling the app deletes the project. Installing the app again within 30 days restores
it, and so does the restore command. A restored site is private until GitHub confirms that the repository is public.`

interface SetOptions {
  readonly subdomain?: string
  readonly enable?: true
  readonly disable?: true
  readonly siteAccess?: string
}

/** Lists, shows, changes and restores projects. */
export function defineProject(program: Command, { env, onEnd }: CommandContext): void {
  const project = program.command('project').configureHelp({ formatHelp: () => `${help}\n` })
  project
    .command('list')
    .option('--deleted')
    .action(async ({ deleted }: { deleted?: true }) => onEnd(await (deleted ? listDeleted(env) : listProjects(env))))
  project
    .command('restore')
    .argument('[projectId]')
    .action(async (id: string | undefined) => onEnd(await restoreProject(requireId(id), env)))
  project
    .command('show')
    .argument('[projectId]')
    .action(async (id: string | undefined) => {
      const projectId = requireId(id)
      const found = await withStore(env, (store) => store.projects.find(projectId))
      onEnd(await printProject(projectId, found, env))
    })
  project
    .command('set')
    .argument('[projectId]')
    .option('--subdomain <label>')
    .option('--enable')
    .option('--disable')
    .option('--site-access <access>')
    .action(async (id: string | undefined, options: SetOptions) => {
      const projectId = requireId(id)
      onEnd(await printProject(projectId, await setProject(projectId, options, env), env))
    })
}

function requireId(projectId: string | undefined): string {
  if (!projectId) throw new ConfigError('missing the project ID', { hint: 'See `openapi-pages-app project list`' })
  return projectId
}

async function printProject(projectId: string, project: Project | undefined, env: Environment): Promise<number> {
  if (!project) throw new ConfigError(`no project ${projectId}`, { hint: 'See `openapi-pages-app project list`' })
  const usage = await readUsage(env, project)
  printRows([...Object.entries(project), ...usage].map(([name, value]) => [name, String(value)]))
  return 0
}

async function listProjects(env: Environment): Promise<number> {
  const projects = await withStore(env, (store) => store.projects.list())
  const rows = projects.map((project) => [project.id, toProjectName(project), project.subdomain, project.enabled ? 'on' : 'off'])
  if (rows.length === 0) console.log('No projects. Install the app on a repository to create one.')
  else printRows([['PROJECT', 'REPOSITORY', 'SUBDOMAIN', 'STATE'], ...rows])
  return 0
}

async function listDeleted(env: Environment): Promise<number> {
  const deleted = await withStore(env, (store) => store.projects.listDeleted())
  const rows = deleted.map((project) => [project.id, toProjectName(project), project.subdomain, project.deletedAt.slice(0, 10)])
  if (rows.length === 0) console.log('No projects were deleted in the last 30 days.')
  else printRows([['PROJECT', 'REPOSITORY', 'SUBDOMAIN', 'DELETED'], ...rows])
  return 0
}

async function restoreProject(projectId: string, env: Environment): Promise<number> {
  const isRestored = await withStore(env, (store) => store.projects.restore(projectId, 'cli'))
  if (!isRestored) {
    throw new ConfigError(`no deleted project ${projectId}`, { hint: 'See `openapi-pages-app project list --deleted`' })
  }
  console.log(`Restored ${projectId}. Its site is private until GitHub confirms that the repository is public.`)
  return 0
}

async function setProject(projectId: string, options: SetOptions, env: Environment): Promise<Project | undefined> {
  const { subdomain, enable, disable, siteAccess } = options
  if (enable && disable) throw new ConfigError('unexpected --enable with --disable')
  if (subdomain === undefined && siteAccess === undefined && !enable && !disable) {
    throw new ConfigError('nothing to set', { hint: 'Add --subdomain, --enable, --disable or --site-access' })
  }
  if (siteAccess !== undefined && siteAccess !== 'repository' && siteAccess !== 'public') {
    throw new ConfigError(`unexpected --site-access ${siteAccess}, expected repository or public`)
  }
  if (subdomain !== undefined && !isSubdomain(subdomain)) {
    throw new ConfigError(`unexpected --subdomain ${subdomain}, expected a DNS label`, {
      hint: 'Use up to 49 lowercase letters, digits and single hyphens. Names such as `www` and `api` are reserved',
    })
  }
  const set: Parameters<Store['projects']['set']>[1] = {
    ...(subdomain !== undefined && { subdomain }),
    ...((enable || disable) && { enabled: enable === true }),
    ...(siteAccess !== undefined && { siteAccess }),
  }
  const result = await withStore(env, (store) => store.projects.set(projectId, set, 'cli'))
  if (result.kind === 'subdomain-taken') throw new ConfigError(`another project already uses the subdomain ${subdomain}`)
  return result.kind === 'set' ? result.project : undefined
}

/** The quota usage of the installation of a project. */
async function readUsage(env: Environment, { installationId }: Project): Promise<(readonly [string, string])[]> {
  if (installationId === undefined) return []
  const config = await readConfig(env)
  const usage = await withStore(env, (store) => store.usage.read(installationId))
  return toQuotaUses({ config }, usage).map(({ name, text }) => [name, text])
}
