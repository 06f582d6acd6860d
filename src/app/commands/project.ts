import { ConfigError } from '../../errors.ts'
import { isSubdomain } from '../../status/subdomain.ts'
import type { Project } from '../../status/types.ts'
import type { Store } from '../../store/types.ts'
import { readConfig } from '../app-config.ts'
import { toQuotaUses } from '../quotas.ts'
import type { Command, CommandInput } from './commands.ts'
import { printRows } from './print-rows.ts'
import { withStore } from './with-store.ts'

/** Shows projects and sets what a person may set. Projects come by themselves when the app is installed on a repository. */
export const projectCommand: Command = {
  help: `openapi-pages project list [--deleted]
openapi-pages project show PROJECT_ID
openapi-pages project set PROJECT_ID [--subdomain LABEL] [--enable | --disable] [--site-access repository|public]
openapi-pages project restore PROJECT_ID

A project is one docs root of one repository. It comes by itself when the GitHub App is installed there. A disabled
project makes no records. The site of a private repository is for those who can read the repository, unless
--site-access is public.

A project is deleted when its repository is, or when the app is uninstalled there. It comes back by itself when the
app is installed again within 30 days. Until then, restore brings it back: private, until GitHub confirms otherwise.`,
  options: {
    subdomain: { type: 'string' },
    enable: { type: 'boolean' },
    disable: { type: 'boolean' },
    'site-access': { type: 'string' },
    deleted: { type: 'boolean' },
  },
  takes: {
    list: { words: 0, options: ['deleted'] },
    restore: { words: 1 },
    show: { words: 1 },
    set: { words: 1, options: ['subdomain', 'enable', 'disable', 'site-access'] },
  },
  async run(input) {
    const [action, projectId] = input.positionals
    if (action === 'list' && input.values['deleted'] === true) return await listDeleted(input)
    if (action === 'list') {
      return withStore(input.env, async (store) => {
        const rows = (await store.projects.list()).map((project) => [
          project.id,
          toPlace(project),
          project.subdomain,
          project.enabled ? 'on' : 'off',
        ])
        if (rows.length === 0) console.log('No repository is connected. Install the app on one to see its first update here.')
        else printRows([['PROJECT', 'REPOSITORY', 'SUBDOMAIN', 'STATE'], ...rows])
        return 0
      })
    }
    if (!projectId) throw new ConfigError('missing the id of the project', { hint: 'see `openapi-pages project list`' })
    if (action === 'restore') return await restoreProject(projectId, input)
    const project =
      action === 'show'
        ? await withStore(input.env, (store) => store.projects.find(projectId))
        : await setProject(projectId, input)
    if (!project) throw new ConfigError(`no project ${projectId}`, { hint: 'see `openapi-pages project list`' })
    const usage = await readUsage(input.env, project)
    printRows([...Object.entries(project), ...usage].map(([name, value]) => [name, String(value)]))
    return 0
  },
}

async function listDeleted({ env }: CommandInput): Promise<number> {
  const deleted = await withStore(env, (store) => store.projects.listDeleted())
  const rows = deleted.map((project) => [project.id, toPlace(project), project.subdomain, project.deletedAt.slice(0, 10)])
  if (rows.length === 0) console.log('No project was deleted in the last 30 days.')
  else printRows([['PROJECT', 'REPOSITORY', 'SUBDOMAIN', 'DELETED'], ...rows])
  return 0
}

async function restoreProject(projectId: string, { env }: CommandInput): Promise<number> {
  const isRestored = await withStore(env, (store) => store.projects.restore(projectId, 'cli'))
  if (!isRestored) {
    throw new ConfigError(`no deleted project ${projectId}`, { hint: 'see `openapi-pages project list --deleted`' })
  }
  console.log(`Restored ${projectId}. Its site is private until GitHub confirms that the repository is public.`)
  return 0
}

async function setProject(projectId: string, { values, env }: CommandInput): Promise<Project | undefined> {
  const { subdomain, enable, disable, 'site-access': siteAccess } = values
  if (enable && disable) throw new ConfigError('unexpected --enable with --disable')
  if (subdomain === undefined && siteAccess === undefined && !enable && !disable) {
    throw new ConfigError('nothing to set', { hint: 'give --subdomain, --enable, --disable or --site-access' })
  }
  if (siteAccess !== undefined && !['repository', 'public'].includes(String(siteAccess))) {
    throw new ConfigError(`unexpected --site-access ${String(siteAccess)}, expected repository or public`)
  }
  if (typeof subdomain === 'string' && !isSubdomain(subdomain)) {
    throw new ConfigError(`unexpected --subdomain ${subdomain}, expected a DNS label`, {
      hint: 'lower-case letters, digits and single `-`, at most 49; names such as `www` and `api` are reserved',
    })
  }
  const set: Parameters<Store['projects']['set']>[1] = {
    ...(typeof subdomain === 'string' && { subdomain }),
    ...((enable || disable) && { enabled: enable === true }),
    ...((siteAccess === 'repository' || siteAccess === 'public') && { siteAccess }),
  }
  const result = await withStore(env, (store) => store.projects.set(projectId, set, 'cli'))
  if (result.kind === 'subdomain-taken') throw new ConfigError(`another project has the subdomain ${String(subdomain)}`)
  return result.kind === 'set' ? result.project : undefined
}

function toPlace({ owner, repo, root }: Project): string {
  return `${owner}/${repo}${root ? ` (${root}/)` : ''}`
}

/** What the installation of a project uses of its quotas. */
async function readUsage(env: CommandInput['env'], { installationId }: Project): Promise<(readonly [string, string])[]> {
  if (installationId === undefined) return []
  const config = await readConfig(env)
  const usage = await withStore(env, (store) => store.usage.read(installationId))
  return toQuotaUses({ config }, usage).map(({ name, text }) => [name, text])
}
