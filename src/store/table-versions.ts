import { randomUUID } from 'node:crypto'
import { type KyselyPlugin, type RootOperationNode, TableNode } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

type TableName = keyof Tables

/** Tells the caches of all processes which tables have changed. */
export interface TableVersions {
  /**
   * A number that changes when one of these tables has changed: at once for commits of this process, and after some milliseconds for those
   * of other processes. It changes each second, so that a lost message does not matter.
   */
  read(tables: readonly TableName[]): number
  /** Call it after a commit. Tells the other processes. */
  change(tables: ReadonlySet<TableName>): void
  close(): Promise<void>
}

/** How old a cached value can be if the messages between processes are lost. */
const maxAgeMs = 1_000

/** Changes within this time share one message. */
const collectMs = 10

const reconnectMs = 500

const channel = 'openapi_pages_changes'

/**
 * Listens for the changes of other processes on a separate connection.
 *
 * PostgreSQL handles commits with `NOTIFY` one after another, so the message is sent after the commit, outside the transaction.
 */
export function openTableVersions(config: pg.ClientConfig, pool: pg.Pool): TableVersions {
  const sender = randomUUID()
  const changed = new Map<string, number>()
  let sequence = 0
  let everything = 0
  let refreshAt = 0
  const unsent = new Set<TableName>()
  let sending: NodeJS.Timeout | undefined
  let listener: pg.Client | undefined
  let reconnecting: NodeJS.Timeout | undefined
  let isClosed = false

  const changeEverything = () => {
    everything = ++sequence
    refreshAt = performance.now() + maxAgeMs
  }

  const send = () => {
    sending = undefined
    const message = JSON.stringify({ sender, tables: [...unsent] })
    unsent.clear()
    // Other processes notice the changes a second later if this fails.
    pool.query('select pg_notify($1, $2)', [channel, message]).catch(() => undefined)
  }

  const connect = async () => {
    const client = new pg.Client(config)
    listener = client
    const reconnect = () => {
      client.removeAllListeners()
      // A later error of a lost connection must not end the process.
      client.on('error', () => undefined)
      client.end().catch(() => undefined)
      if (!isClosed && listener === client) reconnecting = setTimeout(() => void connect(), reconnectMs)
    }
    client.once('error', reconnect)
    client.once('end', reconnect)
    client.on('notification', ({ payload = '' }) => {
      const message = JSON.parse(payload) as { readonly sender: string; readonly tables: readonly string[] }
      if (message.sender !== sender) for (const table of message.tables) changed.set(table, ++sequence)
    })
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      changeEverything()
    } catch {
      reconnect()
    }
  }
  void connect()

  return {
    read(tables) {
      if (performance.now() >= refreshAt) changeEverything()
      return tables.reduce((newest, table) => Math.max(newest, changed.get(table) ?? 0), everything)
    },
    change(tables) {
      for (const table of tables) {
        changed.set(table, ++sequence)
        unsent.add(table)
      }
      if (tables.size > 0 && !isClosed) sending ??= setTimeout(send, collectMs)
    },
    async close() {
      isClosed = true
      clearTimeout(reconnecting)
      clearTimeout(sending)
      listener?.removeAllListeners()
      listener?.on('error', () => undefined)
      await listener?.end().catch(() => undefined)
    },
  }
}

/** Collects the tables that the queries of a transaction change. */
export function collectChanges(tables: Set<TableName>): KyselyPlugin {
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
