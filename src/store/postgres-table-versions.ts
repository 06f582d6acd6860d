import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { elapsedSince, readClocks } from './keep-hold.ts'
import { createTableVersions, noticeMs, type TableName, type TableVersions, waitUntilNoticed } from './table-versions.ts'

interface SharedVersions extends TableVersions {
  close(): Promise<void>
}

/** How old a cached value can be if the messages between processes are lost. */
const maxAgeMs = 1_000

/** Changes within this time share one message. */
const collectMs = noticeMs / 2

const reconnectMs = 500

const channel = 'openapi_pages_changes'

/**
 * Sends the changes of this process to the others, and listens for theirs on a separate connection.
 *
 * PostgreSQL handles commits with `NOTIFY` one after another, so the message is sent after the commit, outside the transaction.
 */
export function openTableVersions(config: pg.ClientConfig, pool: pg.Pool): SharedVersions {
  const sender = randomUUID()
  const versions = createTableVersions()
  let refreshed = { monotonicMs: 0, wallMs: 0 }
  const unsent = new Set<TableName>()
  let sending: NodeJS.Timeout | undefined
  let listener: pg.Client | undefined
  let reconnecting: NodeJS.Timeout | undefined
  let isClosed = false

  const changeEverything = () => {
    versions.changeEverything()
    refreshed = readClocks()
  }

  const send = async () => {
    sending = undefined
    const message = JSON.stringify({ sender, tables: [...unsent] })
    unsent.clear()
    // Other processes notice the changes a second later if this fails.
    await pool.query('select pg_notify($1, $2)', [channel, message]).catch(() => undefined)
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
      const message = JSON.parse(payload) as { readonly sender: string; readonly tables: readonly TableName[] }
      if (message.sender !== sender) versions.change(new Set(message.tables))
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
      if (elapsedSince(refreshed) >= maxAgeMs) changeEverything()
      return versions.read(tables)
    },
    change(tables) {
      versions.change(tables)
      for (const table of tables) unsent.add(table)
      if (tables.size > 0 && !isClosed) sending ??= setTimeout(() => void send(), collectMs)
    },
    untilNoticed: () => waitUntilNoticed(maxAgeMs),
    async close() {
      isClosed = true
      clearTimeout(reconnecting)
      if (sending) {
        clearTimeout(sending)
        await send()
      }
      listener?.removeAllListeners()
      listener?.on('error', () => undefined)
      await listener?.end().catch(() => undefined)
    },
  }
}
