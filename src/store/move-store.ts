import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import {
  allowWrites,
  forgetChanges,
  hasChanged,
  markMoved,
  readChanges,
  readLastChange,
  refuseNewWork,
  refuseWrites,
} from './change-log.ts'
import { type MoveProgress, readProgress, saveProgress } from './move-progress.ts'
import { StoreError, toTime } from './store-context.ts'
import {
  countRows,
  deleteRange,
  deleteRows,
  insertRows,
  isSameRow,
  type Key,
  type Row,
  readRange,
  readRows,
  type TableShape,
  toKey,
  toSize,
} from './table-shape.ts'
import type { Tables } from './tables.ts'

/** Two open databases with the same schema. */
export interface Move {
  readonly tables: readonly TableShape[]
  /** Both connections of the SQLite store. Its change log is running. */
  readonly source: { readonly reader: Kysely<Tables>; readonly writer: Kysely<Tables> }
  readonly target: Kysely<Tables>
  /** For people, without a password. */
  readonly targetPlace: string
  readonly signal: AbortSignal
  /** How long to wait for running jobs. */
  readonly drainMs: number
  /** Stops after the comparison, without refusing writes. */
  readonly copyOnly: boolean
  report(event: MoveEvent): void
}

export type MoveEvent =
  | { readonly kind: 'begin'; readonly phase: MovePhase }
  /** After each batch of a table. */
  | ({ readonly kind: 'progress'; readonly phase: 'copy' | 'compare' } & MoveProgress)
  | { readonly kind: 'difference'; readonly table: string; readonly key: Key; readonly what: string }
  /** The number of jobs that still run. */
  | { readonly kind: 'waiting'; readonly jobs: number }
  | { readonly kind: 'changes'; readonly rows: number }

export type MovePhase = 'copy' | 'compare' | 'stop-writes' | 'last-changes'

export interface MoveResult {
  readonly rows: number
  readonly bytes: number
  readonly differences: number
  /** How long writes were refused; `undefined` if they were not. */
  readonly refusedMs?: number
}

/**
 * Copies every row while the server works on the source, compares every row, refuses writes, copies the last changes, and marks the source
 * as moved. Each batch is a transaction of the target that also stores its progress, so a killed move continues where it stopped.
 *
 * Allows writes again if it fails. A killed process cannot, so that the source refuses writes until the move continues or is undone.
 *
 * @throws {StoreError} if a database fails.
 */
export async function moveStore(move: Move): Promise<MoveResult> {
  const { report, source, target, tables } = move
  report({ kind: 'begin', phase: 'copy' })
  for (const table of tables) await copyTable(move, table)
  await applyChanges(move)
  report({ kind: 'begin', phase: 'compare' })
  let differences = 0
  for (const table of tables) differences += await compareTable(move, table)
  if (differences > 0 || move.copyOnly) return { ...(await sumProgress(move)), differences }
  const startedAt = performance.now()
  try {
    report({ kind: 'begin', phase: 'stop-writes' })
    await waitForJobs(move)
    await refuseWrites(source.writer, tables)
    report({ kind: 'begin', phase: 'last-changes' })
    report({ kind: 'changes', rows: await applyChanges(move) })
    for (const table of tables) {
      const [expected, actual] = [await countRows(source.reader, table), await countRows(target, table)]
      if (expected === actual) continue
      differences += 1
      report({ kind: 'difference', table: table.name, key: [], what: `${expected} rows in the source, ${actual} in the target` })
    }
    move.signal.throwIfAborted()
    if (differences === 0) await markMoved(source.writer, move.targetPlace)
  } catch (error) {
    await allowWrites(source.writer)
    throw error
  }
  if (differences > 0) await allowWrites(source.writer)
  return { ...(await sumProgress(move)), differences, refusedMs: performance.now() - startedAt }
}

/** About this much is in memory at a time. */
const batchBytes = 2_000_000
const maxBatchRows = 500

async function copyTable(move: Move, table: TableShape): Promise<void> {
  const { source, target, report, signal } = move
  let progress = await readProgress(target, table, 'copy')
  // The first batch may have large rows.
  for (let limit = 20; !progress.isDone; ) {
    signal.throwIfAborted()
    const rows = await readRange(source.reader, table, { after: progress.lastKey, limit })
    const last = rows.at(-1)
    const size = rows.reduce((sum, row) => sum + toSize(row), 0)
    const next: MoveProgress = {
      ...progress,
      isDone: rows.length < limit,
      lastKey: last ? toKey(table, last) : progress.lastKey,
      rows: progress.rows + rows.length,
      bytes: progress.bytes + size,
    }
    try {
      await target.transaction().execute(async (transaction) => {
        // Changes after the last batch may have written some of these rows already.
        await deleteRange(transaction, table, { after: progress.lastKey, until: next.isDone ? undefined : next.lastKey })
        await insertRows(transaction, table, rows)
        await saveProgress(transaction, 'copy', next)
      })
    } catch (error) {
      // A unique value went from a copied row to one of these.
      if (!isUniqueViolation(error) || (await applyChanges(move)) === 0) throw error
      continue
    }
    progress = next
    limit = toLimit(rows.length, size)
    report({ kind: 'progress', phase: 'copy', ...progress })
  }
}

function toLimit(rows: number, size: number): number {
  return Math.min(maxBatchRows, Math.max(1, Math.floor((batchBytes * rows) / Math.max(1, size))))
}

/** `unique_violation`. */
function isUniqueViolation(error: unknown): boolean {
  return error instanceof StoreError && error.code === '23505'
}

/** @returns The number of rows that differ and did not change meanwhile. */
async function compareTable(move: Move, table: TableShape): Promise<number> {
  const { source, target, report, signal } = move
  let differences = 0
  let progress = await readProgress(target, table, 'compare')
  for (let limit = 20; !progress.isDone; ) {
    signal.throwIfAborted()
    const rows = await readRange(source.reader, table, { after: progress.lastKey, limit })
    const last = rows.at(-1)
    const isDone = rows.length < limit
    const lastKey = last ? toKey(table, last) : progress.lastKey
    const copies = await readRange(target, table, { after: progress.lastKey, until: isDone ? undefined : lastKey })
    for (const difference of compareRows(table, rows, copies)) {
      // The source still changes. Its log has the rows that the target must get.
      if (await hasChanged(source.reader, table, difference.key)) continue
      differences += 1
      report({ kind: 'difference', table: table.name, ...difference })
    }
    const size = rows.reduce((sum, row) => sum + toSize(row), 0)
    progress = { ...progress, isDone, lastKey, rows: progress.rows + rows.length, bytes: progress.bytes + size }
    // A table with differences is compared again when the move continues.
    if (differences === 0) await saveProgress(target, 'compare', progress)
    limit = toLimit(rows.length, size)
    report({ kind: 'progress', phase: 'compare', ...progress })
  }
  return differences
}

function compareRows(table: TableShape, rows: readonly Row[], copies: readonly Row[]): { key: Key; what: string }[] {
  const toId = (row: Row) => JSON.stringify(toKey(table, row))
  const rest = new Map(copies.map((copy) => [toId(copy), copy]))
  const differences: { key: Key; what: string }[] = []
  for (const row of rows) {
    const copy = rest.get(toId(row))
    rest.delete(toId(row))
    if (copy === undefined) differences.push({ key: toKey(table, row), what: 'missing in the target' })
    else if (!isSameRow(table, row, copy)) differences.push({ key: toKey(table, row), what: 'different in the target' })
  }
  return [...differences, ...[...rest.values()].map((copy) => ({ key: toKey(table, copy), what: 'only in the target' }))]
}

/**
 * Writes all rows of the change log to the target as they are now, and compares them.
 *
 * @returns The number of rows.
 */
async function applyChanges(move: Move): Promise<number> {
  const { source, target, tables } = move
  let rowCount = 0
  const last = await source.reader.connection().execute(async (snapshot) => {
    // One snapshot, so that unique values are never on two rows.
    await sql`begin`.execute(snapshot)
    try {
      const last = await readLastChange(snapshot)
      if (last === undefined) return undefined
      await target.transaction().execute(async (transaction) => {
        for (const table of tables) {
          for await (const keys of readChanges(snapshot, table, last)) await deleteRows(transaction, table, keys)
        }
        for (const table of tables) {
          for await (const keys of readChanges(snapshot, table, last)) {
            rowCount += keys.length
            const rows = await readRows(snapshot, table, keys)
            await insertRows(transaction, table, rows)
            const [difference] = compareRows(table, rows, await readRows(transaction, table, keys))
            if (!difference) continue
            throw new StoreError(`Cannot copy ${JSON.stringify(difference.key)} of ${table.name}: it is ${difference.what}`)
          }
        }
      })
      return last
    } finally {
      await sql`rollback`.execute(snapshot)
    }
  })
  if (last !== undefined) await forgetChanges(source.writer, last)
  return rowCount
}

/** Refuses new work and waits until the running jobs have ended. The new server takes over those that take longer when their leases end. */
async function waitForJobs(move: Move): Promise<void> {
  const { source, signal, report, drainMs } = move
  await refuseNewWork(source.writer)
  for (const giveUpAt = performance.now() + drainMs; ; ) {
    await applyChanges(move)
    const { count } = await source.reader
      .selectFrom('jobs')
      .select((expression) => expression.fn.countAll<number>().as('count'))
      .where('state', '=', 'leased')
      .where('lease_until', '>', toTime(Date.now()))
      .executeTakeFirstOrThrow()
    report({ kind: 'waiting', jobs: count })
    if (count === 0 || performance.now() > giveUpAt) return
    await sleep(100, undefined, { signal })
  }
}

async function sumProgress({ target, tables }: Move): Promise<{ rows: number; bytes: number }> {
  let [rows, bytes] = [0, 0]
  for (const table of tables) {
    const progress = await readProgress(target, table, 'copy')
    rows += progress.rows
    bytes += progress.bytes
  }
  return { rows, bytes }
}
