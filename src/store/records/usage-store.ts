import { type StoreDatabase, toTime } from '../database/store-database.ts'
import type { InstallationUsage } from './stored-records.ts'

/** How long CPU time counts. */
export const cpuWindowMs = 3_600_000

/** CPU time is stored in slots of this length, so that an hour has few rows. */
const slotMs = 60_000

/** Usage of installations, kept across restarts. */
export function createUsageStore({ write, reader, leaseNow }: StoreDatabase) {
  const toSlot = (at: number) => toTime(Math.floor(at / slotMs) * slotMs)
  const readCpuTime = async (installationId: number) => {
    // Not the clock of this process: a worker whose clock is ahead would not see what the others used.
    const now = await leaseNow(reader)
    const rows = await reader
      .selectFrom('cpu_slots')
      .select(['slot', 'cpu_ms'])
      .where('installation_id', '=', installationId)
      .where('slot', '>', toTime(now - cpuWindowMs))
      .orderBy('slot')
      .execute()
    return rows.map(({ slot, cpu_ms: cpuMs }) => ({ countsForMs: Date.parse(slot) + cpuWindowMs - now, cpuMs: Number(cpuMs) }))
  }
  const readUsage = async (installationId: number): Promise<InstallationUsage> => {
    const cpuMs = (await readCpuTime(installationId)).reduce((sum, part) => sum + part.cpuMs, 0)
    const queued = await reader
      .selectFrom('jobs')
      .select((expression) => expression.fn.countAll<number>().as('count'))
      .where('installation_id', '=', installationId)
      .where('kind', '=', 'run')
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    const stored = await reader
      .selectFrom('projects')
      .innerJoin('site_sizes', 'site_sizes.project_id', 'projects.id')
      .select((expression) => expression.fn.sum<number | null>('stored_bytes').as('bytes'))
      .where('installation_id', '=', installationId)
      .executeTakeFirst()
    return { installationId, cpuMs, queuedUpdates: Number(queued?.count ?? 0), storedBytes: Number(stored?.bytes ?? 0) }
  }
  return {
    async addCpuTime(installationId: number, cpuMs: number) {
      const row = { installation_id: installationId, slot: toSlot(await leaseNow(reader)), cpu_ms: Math.ceil(cpuMs) }
      await write(async (transaction) => {
        await transaction
          .insertInto('cpu_slots')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .columns(['installation_id', 'slot'])
              .doUpdateSet((expression) => ({ cpu_ms: expression('cpu_slots.cpu_ms', '+', row.cpu_ms) })),
          )
          .execute()
      })
    },

    /** The CPU time of the last hour, oldest first, with the milliseconds for which each part still counts. */
    readCpuTime,

    read: readUsage,

    /** The stored size of the sites of each project with any, screenshots included. */
    async readStoredBytes() {
      const rows = await reader.selectFrom('site_sizes').selectAll().execute()
      return new Map(rows.map((row) => [row.project_id, Number(row.stored_bytes)]))
    },

    /** All installations with projects. */
    async list() {
      const installations = await reader
        .selectFrom('projects')
        .select('installation_id')
        .distinct()
        .where('installation_id', 'is not', null)
        .execute()
      const usages: InstallationUsage[] = []
      for (const { installation_id: id } of installations) if (id !== null) usages.push(await readUsage(id))
      return usages
    },
  }
}
