import type { Command } from 'commander'
import { isSubdomain } from '../../status/subdomain.ts'
import type { Project } from '../../status/update-record.ts'
import type { Store } from '../../store/store.ts'
import { ConfigError } from '../../text/errors.ts'
import { readConfig } from '../base/config/app-config.ts'
import { toProjectName } from '../base/projects.ts'
import { toQuotaUses } from '../base/quotas.ts'
import { type CommandContext, type Environment, printRows, withStore } from './with-store.ts'

interface SetOptions {
  readonly subdomain?: string
  readonly enable?: true
  readonly disable?: true
  readonly siteAccess?: string
}

/** Lists, shows, changes and restores projects. */
export function defineProject(program: Command, { env, onEnd }: CommandContext): void {
  const project = program
    .command('project')
    .helpCommand(false)
    .summary('List, show, change and restore projects')
    .description('Lists, shows, changes and restores projects. A project is one docs directory of one repository.')
  project
    .command('list')
    .summary('List projects')
    .description('Lists the ID, repository, subdomain and state of each project.')
    .option('--deleted', 'list the projects that were deleted in the last 30 days')
    .action(async ({ deleted }: { deleted?: true }) => onEnd(await (deleted ? listDeleted(env) : listProjects(env))))
  project
    .command('show')
    .summary('Show a project')
    .description('Shows everything that is stored about a project, and how much of its quotas the installation uses.')
    .argument('<projectId>', 'project ID')
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages-app project show prj_…`,
    )
    .action(async (projectId: string) => {
      const found = await withStore(env, (store) => store.projects.find(projectId))
      onEnd(await printProject(projectId, found, env))
    })
  project
    .command('set')
    .summary('Change a project')
    .description('Changes a project and shows it.')
    .argument('<projectId>', 'project ID')
    .option('--subdomain <label>', 'subdomain of its sites')
    .option('--enable', 'run updates for pushes')
    .option('--disable', 'ignore pushes')
    .option(
      '--site-access <access>',
      'who can read the site of a private repository: repository (people who can read it) or public',
    )
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages-app project set prj_… --subdomain pets
  openapi-pages-app project set prj_… --disable`,
    )
    .action(async (projectId: string, options: SetOptions) => {
      onEnd(await printProject(projectId, await setProject(projectId, options, env), env))
    })
  project
    .command('restore')
    .summary('Restore a deleted project')
    .description(
      'Restores a project whose repository was deleted, or from which the app was uninstalled, in the last 30 days. Installing the app again ' +
        'does the same. A restored site is private until GitHub confirms that the repository is public.',
    )
    .argument('<projectId>', 'project ID')
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages-app project restore prj_…`,
    )
    .action(async (projectId: string) => onEnd(await restoreProject(projectId, env)))
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
