import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, type KyselyPlugin, type RootOperationNode, TableNode } from 'kysely'
import type { Tables } from './tables.ts'

type TableName = keyof Tables

/** Runs `work` in a transaction that is on disk when the promise resolves. A rejected one changes nothing. */
export type Write = <Value>(work: (transaction: Kysely<Tables>) => Promise<Value>) => Promise<Value>

/**
 * Returns a number that changes when one of these tables has changed: at once for commits of this process, and some milliseconds later for those
 * of other processes. With PostgreSQL, it changes every second, whether another process has changed something or not.
 */
export type ReadVersion = (tables: readonly TableName[]) => number

/** Tells the caches of a process which tables have changed. */
export interface TableVersions {
  readonly read: ReadVersion
  /** Call it after a commit, before its caller continues. */
  readonly change: (tables: ReadonlySet<TableName>) => void
  /** Resolves when no process uses a value from before a commit that its caller has just made. */
  readonly untilNoticed: () => Promise<void>
}

/** A part more, for clocks that run at different speeds. */
const waitedPart = 1.1

/** @param maxAgeMs How long a process may use a value after another one has changed it. */
export async function waitUntilNoticed(maxAgeMs: number): Promise<void> {
  await sleep(maxAgeMs * waitedPart)
}

interface ChangedTables extends Omit<TableVersions, 'untilNoticed'> {
  /** For changes of other processes in unknown tables. */
  readonly changeEverything: () => void
}

/** Counts the changes of tables. */
export function createTableVersions(): ChangedTables {
  const changed = new Map<TableName, number>()
  let sequence = 0
  let everything = 0
  return {
    read: (tables) => tables.reduce((newest, table) => Math.max(newest, changed.get(table) ?? 0), everything),
    change(tables) {
      for (const table of tables) changed.set(table, ++sequence)
    },
    changeEverything() {
      everything = ++sequence
    },
  }
}

/** Tells `change` which tables each transaction changes: also after an error, because the answer to a commit that succeeded may have been lost. */
export function noteChanges(write: Write, change: TableVersions['change']): Write {
  return async (work) => {
    const tables = new Set<TableName>()
    try {
      return await write((transaction) => work(transaction.withPlugin(collectChanges(tables))))
    } finally {
      change(tables)
    }
  }
}

/** Collects the tables that the queries of a transaction change. */
function collectChanges(tables: Set<TableName>): KyselyPlugin {
  return {
    transformQuery({ node }) {
      const table = findChangedTable(node)
      // The names in queries are those of `Tables`.
      if (table !== undefined) tables.add(table as TableName)
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

function findChangedTable(node: RootOperationNode): string | undefined {
  const target =
    node.kind === 'InsertQueryNode'
      ? node.into
      : node.kind === 'UpdateQueryNode'
        ? node.table
        : node.kind === 'DeleteQueryNode'
          ? node.from.froms[0]
          : undefined
  return target && TableNode.is(target) ? target.table.identifier.name : undefined
}
