import { statfs } from 'node:fs/promises'
import { formatCount } from '../../../diagnostics/diagnostic.ts'
import { type GitHubApp, listInstallations } from '../../../github/apps/github-app.ts'
import type { Project } from '../../../status/update-record.ts'
import { countJobs, type JobGroup, toQueueStats } from '../../../store/queue/jobs.ts'
import { listReaders } from '../../../store/sites/stored-sites.ts'
import { GitHubError } from '../../../text/errors.ts'
import type { AppContext } from '../../base/app-context.ts'
import { listLackingPermissions } from '../../base/manifest.ts'
import { toProjectName } from '../../base/projects.ts'
import { formatBytes } from '../pages/formats.ts'

/** A part of the state of the server: for people by its label, titles and notes, for programs by all values. Plain JSON. */
interface StatusSection {
  readonly id: string
  readonly label: string
  /** Without a full stop. */
  readonly empty: string
  readonly items: readonly {
    readonly title: string
    readonly note: string
    /** ISO 8601. */
    readonly since?: string | undefined
    readonly projectId?: string
    readonly [value: string]: unknown
  }[]
}

/** Whose lines to read. Lines that belong to no project or installation, such as the audit log, are only in `everything`. */
type StatusScope = 'everything' | { readonly mayRead: (project: Project) => boolean; readonly installations: ReadonlySet<number> }

/**
 * Reads what the page for administrators and the command `inspect` show: from one answer of the queue, what waits and what GitHub refuses.
 *
 * @param app Asked for permissions. Without it, they are unknown.
 * @param scope `everything` for operators only: never because it would be the same.
 */
export async function readServerStatus(
  { store, config: { dataDir } }: Pick<AppContext, 'store' | 'config'>,
  app: GitHubApp | undefined,
  scope: StatusScope,
): Promise<readonly StatusSection[]> {
  const isWhole = scope === 'everything'
  const projects = (await store.projects.list()).filter((project) => isWhole || scope.mayRead(project))
  const names = new Map(projects.map((project) => [project.id, toProjectName(project)]))
  const owners = new Set(projects.map(({ installationId }) => installationId))
  const groups = (await store.queue.listGroups()).filter(({ projectId }) => isWhole || names.has(projectId))
  const queue = [...new Set(groups.map(({ kind }) => kind))].map((kind) => {
    const ofKind = groups.filter((group) => group.kind === kind)
    const stats = toQueueStats(ofKind)
    const note = `${stats.waiting} waiting, ${stats.leased} running, ${stats.refused} refused, ${stats.delayed} delayed`
    return { title: countWork(kind, countJobs(ofKind)), note, since: ofKind[0]?.since, kind, ...stats }
  })
  const hindered = groups.flatMap(({ refusal, ...group }) => {
    if (!refusal) return []
    const title = `${countWork(group.kind, group.count)} of ${names.get(group.projectId) ?? 'the server'}`
    return [{ title, note: refusal.words, ...group, ...refusal }]
  })
  const lacking = app && (await listLacking(app, (id) => isWhole || (owners.has(id) && scope.installations.has(id))))
  const stored = await store.usage.readStoredBytes()
  const sites = [...names].map(([id, title]) => ({ title, bytes: stored.get(id) ?? 0 }))
  sites.sort((a, b) => b.bytes - a.bytes)
  if (isWhole) {
    const { bavail, bsize } = await statfs(dataDir)
    sites.unshift({ title: 'Free', bytes: bavail * bsize })
  }
  const people = await store.sessions.listPeople()
  const readers = projects.flatMap((project) => {
    const own = listReaders(project, people)
    return (project.audiences ?? []).map(({ name }) => {
      const count = own.filter(({ audience }) => audience === name).length
      return { title: `${name} of ${toProjectName(project)}`, note: formatCount(count, 'reader'), projectId: project.id }
    })
  })
  const refused = hindered.filter(({ by }) => by === 'github')
  const delayed = hindered.filter(({ by }) => by === 'server')
  return [
    { id: 'queue', label: 'Queue', empty: 'Nothing waits or runs', items: queue },
    { id: 'refused', label: 'Refused by GitHub, and tried again', empty: 'Nothing is refused', items: refused },
    { id: 'delayed', label: 'Delayed by this server, and tried again', empty: 'Nothing is delayed', items: delayed },
    {
      id: 'permissions',
      label: 'Installations without a permission',
      empty: lacking ? 'All have granted all permissions' : `Unknown: ${app ? 'GitHub does not answer' : withoutKey}`,
      items: lacking ?? [],
    },
    {
      id: 'disk',
      label: 'Disk, and the sites on it',
      empty: 'No projects',
      items: sites.map((entry) => ({ ...entry, note: formatBytes(entry.bytes) })),
    },
    { id: 'readers', label: 'Readers who are signed in, by audience', empty: 'No project has audiences', items: readers },
    ...(isWhole ? await readServerSections(store) : []),
  ]
}

const withoutKey = 'the key of the GitHub App is missing here. Run the command with the environment of the server'

async function readServerSections({ notes, audit }: AppContext['store']): Promise<readonly StatusSection[]> {
  const comparedAt = await notes.read('reconciled-at')
  return [
    {
      id: 'comparison',
      label: 'Last comparison with GitHub',
      empty: 'There was none yet',
      items: comparedAt === undefined ? [] : [{ title: 'Complete', note: '', since: comparedAt }],
    },
    {
      id: 'audit',
      label: 'Audit log',
      empty: 'No changes yet',
      items: (await audit.list()).map((line) => {
        return { title: `${line.actor}: ${line.action}`, note: `${line.subject} ${line.detail}`, since: line.at, ...line }
      }),
    },
  ]
}

/** `2 checks` */
function countWork(kind: JobGroup['kind'], count: number): string {
  return formatCount(count, kind, kind === 'status' ? 'statuses' : undefined)
}

/** The installations that are suspended or lack a permission; `undefined` if GitHub does not answer. */
async function listLacking(app: GitHubApp, isShown: (id: number) => boolean) {
  try {
    const installations = (await listInstallations(app.client)).filter(({ id }) => isShown(id))
    return installations.flatMap(({ account, isSuspended, permissions }) => {
      const lacking = isSuspended ? ['suspended by the account'] : listLackingPermissions(permissions)
      return lacking.length === 0 ? [] : [{ title: account, note: lacking.join(', '), isSuspended }]
    })
  } catch (error) {
    if (error instanceof GitHubError) return undefined
    throw error
  }
}
