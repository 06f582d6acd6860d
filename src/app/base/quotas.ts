import type { Project } from '../../status/update-record.ts'
import type { InstallationUsage, MissingSite } from '../../store/records/stored-records.ts'
import type { AppContext } from './app-context.ts'
import { findSitesPlace } from './sites-domain.ts'
import type { Metrics } from './telemetry/metrics.ts'

/** The usage of one quota by an installation. */
export interface QuotaUse {
  readonly name: string
  /** `12.3 of 60 min in the last hour` */
  readonly text: string
  /** The consequence, if the quota is exceeded. */
  readonly exceeded?: string
}

const megabyte = 1024 * 1024

/** The number of previews to keep for a project; 0 builds none. */
export function countPreviews({ config: { sitePreviews } }: Pick<AppContext, 'config'>, { maxPreviews }: Project): number {
  return Math.min(sitePreviews, maxPreviews ?? sitePreviews)
}

/** Compares the usage of an installation with the configured quotas. */
export function toQuotaUses({ config }: Pick<AppContext, 'config'>, usage: InstallationUsage): readonly QuotaUse[] {
  const { installationCpuMinutes: minutes, installationStoredMb: storedMb, installationQueuedUpdates: queued } = config
  const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 1 })
  const isOver = {
    cpu: usage.cpuMs >= minutes * 60_000,
    stored: usage.storedBytes >= storedMb * megabyte,
    queued: usage.queuedUpdates >= queued,
  }
  return [
    {
      name: 'CPU time',
      text: `${number(usage.cpuMs / 60_000)} of ${number(minutes)} min in the last hour`,
      ...(isOver.cpu && { exceeded: 'Updates wait until the usage in the last hour drops below the quota.' }),
    },
    {
      name: 'Stored sites',
      text: `${number(usage.storedBytes / megabyte)} of ${number(storedMb)} MB`,
      ...(isOver.stored && { exceeded: 'Commits are checked but get no site. Published sites stay online.' }),
    },
    {
      name: 'Queued updates',
      text: `${number(usage.queuedUpdates)} of ${number(queued)}`,
      ...(isOver.queued && { exceeded: 'The oldest queued updates are not run.' }),
    },
  ]
}

/** The time (in milliseconds since 1970) when an installation is below its CPU quota again; `undefined` if it already is. */
export async function findCpuWait({ store, config, now }: AppContext, installationId: number): Promise<number | undefined> {
  const quotaMs = config.installationCpuMinutes * 60_000
  const parts = await store.usage.readCpuTime(installationId)
  let usedMs = parts.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
  if (usedMs < quotaMs) return undefined
  for (const { cpuMs, countsForMs } of parts) {
    usedMs -= cpuMs
    if (usedMs < quotaMs) return now().getTime() + countsForMs
  }
  return undefined
}

/** Explains in a clause why no site is stored; `undefined` if it may be. */
export async function findStorageRefusal(
  { store, config }: Pick<AppContext, 'store' | 'config'>,
  installationId: number,
): Promise<string | undefined> {
  const { storedBytes } = await store.usage.read(installationId)
  const quotaMb = config.installationStoredMb
  if (storedBytes < quotaMb * megabyte) return undefined
  return `the stored sites of this installation exceed their quota (INSTALLATION_STORED_MB=${quotaMb})`
}

/** The reasons for a missing site that do not hold for a project now. */
export async function listOvercome(
  context: Pick<AppContext, 'store' | 'config'>,
  project: Project,
): Promise<readonly MissingSite[]> {
  const { installationId } = project
  const { sitesDomain, baseUrl = 'http://localhost', port } = context.config
  if (!findSitesPlace(sitesDomain, baseUrl, port)) return []
  const isFull = installationId !== undefined && (await findStorageRefusal(context, installationId)) !== undefined
  return ['hosting', ...(countPreviews(context, project) > 0 ? ['previews' as const] : []), ...(isFull ? [] : ['quota' as const])]
}

/** Records the CPU time of a child process. An error of the store is logged and does not fail the update. */
export function countCpuTime(
  { store, log }: AppContext,
  { cpuSeconds }: Metrics,
  work: 'check' | 'compare' | 'site',
  installationId: number | undefined,
): (cpuMs: number) => void {
  return (cpuMs) => {
    cpuSeconds.inc({ work }, cpuMs / 1000)
    if (installationId === undefined) return
    store.usage.addCpuTime(installationId, cpuMs).catch((error: unknown) => {
      log.warn({ err: error, installationId }, 'Cannot record CPU time')
    })
  }
}
