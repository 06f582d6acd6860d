import { isSubdomain } from '../../status/subdomain.ts'
import type { Project } from '../../status/update-record.ts'
import type { Store } from '../../store/store.ts'
import { ConfigError } from '../../text/errors.ts'
import { readConfig } from '../base/config/app-config.ts'
import { toProjectName } from '../base/projects.ts'
import { toQuotaUses } from '../base/quotas.ts'
import { type Environment, printRows, withStore } from './with-store.ts'

interface SetOptions {
  readonly subdomain?: string
  readonly enable?: true
  readonly disable?: true
  readonly siteAccess?: string
}

export async function showProject(env: Environment, projectId: string): Promise<number> {
  const found = await withStore(env, (store) => store.projects.find(projectId))
  return await printProject(env, projectId, found)
}

async function printProject(env: Environment, projectId: string, project: Project | undefined): Promise<number> {
  if (!project) throw new ConfigError(`no project ${projectId}`, { hint: 'See `openapi-pages-app project list`' })
  const usage = await readUsage(env, project)
  printRows([...Object.entries(project), ...usage].map(([name, value]) => [name, String(value)]))
  return 0
}

export async function listProjects(env: Environment, { deleted }: { readonly deleted?: true }): Promise<number> {
  if (deleted) return await listDeleted(env)
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

export async function restoreProject(env: Environment, projectId: string): Promise<number> {
  const isRestored = await withStore(env, (store) => store.projects.restore(projectId, 'cli'))
  if (!isRestored) {
    throw new ConfigError(`no deleted project ${projectId}`, { hint: 'See `openapi-pages-app project list --deleted`' })
  }
  console.log(`Restored ${projectId}. Its site is private until GitHub confirms that the repository is public.`)
  return 0
}

export async function setProject(env: Environment, projectId: string, options: SetOptions): Promise<number> {
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
  return await printProject(env, projectId, result.kind === 'set' ? result.project : undefined)
}

/** The quota usage of the installation of a project. */
async function readUsage(env: Environment, { installationId }: Project): Promise<(readonly [string, string])[]> {
  if (installationId === undefined) return []
  const config = await readConfig(env)
  const usage = await withStore(env, (store) => store.usage.read(installationId))
  return toQuotaUses({ config }, usage).map(({ name, text }) => [name, text])
}
