import { toComparable } from '../../changes/compare/compare.ts'
import { ConfigError, knownValueOf } from '../../text/errors.ts'
import { compareText } from '../../text/plain/lists.ts'
import { joinPath, matchWildcards, parentPath } from '../../text/plain/paths.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import {
  addExchange,
  addUnreadable,
  type ClientRecord,
  describeRecord,
  emptyClient,
  isUncertain,
  keepReads,
  operationsOf,
  readClientFile,
  writeClientFile,
} from '../../traffic/client-file.ts'
import { createRouter, readRecordedUrl } from '../../traffic/route.ts'
import { readNearestConfig } from '../read/find-docs.ts'
import { findClientsFolder, readClients } from '../read/read-clients.ts'
import { readRecordings, type UnreadRecording } from '../read/read-recordings.ts'
import type { DocsAccess } from '../types.ts'
import { checkEntryDocument } from './run-check.ts'

interface RecordOptions {
  readonly name: string
  /** Files and folders, relative to the boundary. */
  readonly recordings: readonly string[]
  /** Relative to the boundary, or URLs. */
  readonly documents: readonly string[]
  /** Older exchanges are left out: an ISO date. */
  readonly since?: string | undefined
  /** Only exchanges with this host; `*` is any text. */
  readonly host?: string | undefined
}

/** The record of a client, and the file that it belongs into. */
export interface RecordedClient {
  /** Relative to the boundary. */
  readonly path: string
  readonly before: string | undefined
  readonly text: string
  /** What it is, and what is unknown, in lines. */
  readonly summary: readonly string[]
  readonly unread: readonly UnreadRecording[]
  /** Whether too much is unknown, or nothing was recorded. */
  readonly isUncertain: boolean
}

/** Records what a client sends and receives, without values. Lines under `reads` in an earlier file of the client are kept. */
export async function recordClient(
  { name, recordings, documents, since, host }: RecordOptions,
  access: DocsAccess,
): Promise<RecordedClient> {
  const { apis, folder, config } = await openDocuments(documents, access)
  const path = joinPath(folder, `${name}.yaml`)
  const route = createRouter(apis, config.traffic)
  const record = emptyClient(name)
  const dates = await access.git?.findDates?.(recordings)
  const read = await readRecordings(
    recordings,
    access.files,
    (exchange) => {
      const isOld = since !== undefined && exchange.date !== undefined && exchange.date < since
      const recordedHost = readRecordedUrl(exchange.request.url)?.host
      const isOther = host !== undefined && recordedHost !== undefined && !matchWildcards(recordedHost, host, '*')
      if (!isOld && !isOther) addExchange(record, route(exchange))
    },
    { dateOf: (file) => knownValueOf(dates)?.get(file) },
  )
  // How many exchanges are in an unread file is not known: at least one.
  addUnreadable(record, read.incomplete + read.unread.length)
  const before = await readEarlier(path, access.files)
  if (before) keepReads(record, before.record)
  const withoutDates = dates?.kind === 'unknown' ? [`${dates.reason}. Exchanges without a date have none`] : []
  return {
    path,
    before: before?.source.text,
    text: writeClientFile(record),
    summary: [...describeRecord(record).slice(1), ...withoutDates],
    unread: read.unread,
    isUncertain: isUncertain(record),
  }
}

async function openDocuments(documents: readonly string[], access: DocsAccess) {
  const checks = await Promise.all(
    documents.map(async (document) => await checkEntryDocument(document, access, { errorsOnly: true })),
  )
  const apis = checks.flatMap((check) => toComparable(check) ?? [])
  const [first] = documents
  if (first === undefined || apis.length < documents.length) {
    throw new ConfigError(first === undefined ? 'found no OpenAPI document' : `cannot read ${first} as an OpenAPI document`, {
      hint: 'Name the document with --document, or run `openapi-pages check` for its problems',
    })
  }
  const { config } = await readNearestConfig(parentPath(first), access)
  return { checks, apis, config, folder: await findClientsFolder(first, config, access.files) }
}

/** Reads the file of a client that is to be replaced. If it cannot be read, what a person wrote in it would be lost. */
async function readEarlier(path: string, files: DocsAccess['files']) {
  const existing = await files.read(path)
  if (existing.kind === 'missing') return undefined
  const source = existing.kind === 'file' ? toSourceFile(path, existing.bytes) : undefined
  const { record } = source ? await readClientFile(source) : {}
  if (!source || !record) {
    throw new ConfigError(`cannot read the clients file ${path}, whose \`reads\` are kept`, { hint: 'Correct or remove it' })
  }
  return { source, record }
}

/** An operation, and the clients that use it. */
export interface UsedOperation {
  /** `GET /orders`. */
  readonly name: string
  readonly document: string
  readonly isDeprecated: boolean
  readonly clients: readonly { readonly client: string; readonly count: number; readonly last: string | undefined }[]
}

/** Lists the operations of documents with the recorded clients that use them. */
export async function listClients(documents: readonly string[], access: DocsAccess) {
  const { checks, apis, folder } = await openDocuments(documents, access)
  const records = await readClients(folder, access.files)
  const operations = checks.flatMap(({ description }, index): UsedOperation[] => {
    const document = apis[index]?.root.file ?? ''
    return (description?.operations ?? []).map(({ method, pathTemplate, deprecated }) => {
      const name = `${method.toUpperCase()} ${pathTemplate}`
      return { name, document, isDeprecated: deprecated === true, clients: listUses(records, document, name) }
    })
  })
  return { folder, hasClients: records.length > 0, operations, unknown: listUnknown(records, operations) }
}

function listUses(records: readonly ClientRecord[], document: string, name: string): UsedOperation['clients'] {
  return records.flatMap((record) => {
    const operation = operationsOf(record, document).get(name)
    return operation ? [{ client: record.client, count: operation.count, last: operation.last }] : []
  })
}

/** Recorded operations that the documents do not have, or no more. */
function listUnknown(records: readonly ClientRecord[], operations: readonly UsedOperation[]): readonly string[] {
  const recorded = records.flatMap((record) => {
    const found = new Set(operations.map(({ document, name }) => operationsOf(record, document).get(name)))
    return [...record.documents.values()].flatMap((own) =>
      [...own].flatMap(([name, operation]) => (found.has(operation) ? [] : `${record.client}: ${name}`)),
    )
  })
  return [...new Set(recorded)].sort(compareText)
}
