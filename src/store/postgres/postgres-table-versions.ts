import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { elapsedSince, readClocks } from '../database/holds.ts'
import {
  createTableVersions,
  noticeMs,
  type TableName,
  type TableVersions,
  waitUntilNoticed,
} from '../database/table-versions.ts'
import { endClient, type PooledConnection, type PostgresTimes } from './postgres-pool.ts'

interface SharedVersions extends TableVersions {
  close(): Promise<void>
}

interface VersionOptions extends Pick<PostgresTimes, 'probeMs' | 'sessionMs'> {
  /** For the messages of this process. */
  readonly connect: () => Promise<PooledConnection>
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
 * @param config Its `query_timeout` also ends the wait for the answer to a probe: a connection that only listens would never notice that it is lost.
 *
 * PostgreSQL handles commits with `NOTIFY` one after another, so the message is sent after the commit, outside the transaction.
 */
export function openTableVersions(
  config: pg.ClientConfig,
  { connect: connectToSend, probeMs, sessionMs }: VersionOptions,
): SharedVersions {
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
    try {
      const connection = await connectToSend()
      await connection.query('select pg_notify($1, $2)', [channel, message]).finally(connection.release)
    } catch {
      // Other processes notice the changes a second later.
    }
  }

  const connect = async () => {
    const client = new pg.Client(config)
    listener = client
    let probing: NodeJS.Timeout | undefined
    const reconnect = () => {
      clearInterval(probing)
      client.removeAllListeners()
      // A later error of a lost connection must not end the process.
      client.on('error', () => undefined)
      void endClient(client)
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
      await client.query(`set idle_session_timeout = ${sessionMs}; listen ${channel}`)
      changeEverything()
      probing = setInterval(() => void client.query('select').catch(reconnect), probeMs)
      client.once('end', () => clearInterval(probing))
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
      if (listener) await endClient(listener)
    },
  }
}
