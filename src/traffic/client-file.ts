import { Document, isMap, visit } from 'yaml'
import type { Finding } from '../diagnostics/diagnostic.ts'
import { entriesOf, isContainer, isObject, listOf, listTexts, numberOf, readOwn, readText } from '../text/json/json-values.ts'
import { parseSource } from '../text/parse-source.ts'
import { compareText, formatNumber } from '../text/plain/lists.ts'
import type { SourceFile } from '../text/plain/source-file.ts'
import {
  type ClientRecord,
  countUnknown,
  emptyOperation,
  isUncertain,
  type OperationRecord,
  type RecordedCounts,
} from './record-client.ts'
import { countValues, emptyShape, nameAlternative, type Shape, sizes } from './shapes.ts'

export {
  addExchange,
  addUnreadable,
  emptyClient,
  isClientName,
  keepReads,
  keyOfParameter,
  operationsOf,
} from './record-client.ts'
export type { ClientRecord, OperationRecord, Shape }
export { countUnknown, countValues, isUncertain, nameAlternative }

/** The text of a clients file. The same record has the same text. */
export function writeClientFile(record: ClientRecord): string {
  const document = new Document(toPlain(record), { aliasDuplicateObjects: false })
  visit(document, {
    // Only what has places inside takes several lines.
    Map: (_, map) => {
      map.flow = map.items.every(({ key, value }) => !isMap(value) || /^(?:types|sizes)$/.test(String(key)))
    },
    Seq: (_, list) => {
      list.flow = true
    },
  })
  document.commentBefore = describeRecord(record)
    .map((line) => ` ${line}`)
    .join('\n')
  return document.toString({ lineWidth: 0 })
}

/** Without what is empty. Maps and sets are sorted. */
function toPlain(value: unknown): unknown {
  if (value instanceof Set) return [...value].sort(compareValues)
  if (!(value instanceof Map) && !isObject(value)) return value
  const entries = value instanceof Map ? [...value].sort(([a], [b]) => compareValues(a, b)) : Object.entries(value)
  const plain = entries.map(([key, one]) => [key, toPlain(one)] as const)
  const isSaid = (one: unknown) =>
    one !== undefined && one !== 0 && !(one instanceof Map && one.size === 0) && !(Array.isArray(one) && one.length === 0)
  return new Map(plain.filter(([, one]) => isSaid(one)))
}

/** What a clients file is, and what is unknown, in lines. */
export function describeRecord({ client, recorded }: Pick<ClientRecord, 'client' | 'recorded'>): string[] {
  const { exchanges, unmatched, unreadable, missing } = recorded
  const unknown = [
    [unmatched, 'match no operation'],
    [unreadable, 'cannot be read'],
    [missing, 'have a body that was not recorded or cannot be read'],
  ] as const
  const listed = unknown.flatMap(([count, what]) => (count > 0 ? [`${formatNumber(count)} ${what}`] : []))
  const total = `${formatNumber(countUnknown(recorded))} of ${formatNumber(exchanges)} exchanges are unknown`
  return [
    `What \`${client}\` sends and receives, without values. Written by \`openapi-pages clients record\`; \`reads\` is yours`,
    ...(listed.length > 0 ? [`${total}: ${listed.join(', ')}`] : []),
    ...(isUncertain({ recorded }) ? ['This is more than 5 %, so the effect of changes on this client is unknown'] : []),
  ]
}

function compareValues(a: unknown, b: unknown): number {
  return compareText(typeof a, typeof b) || compareText(String(a), String(b))
}

/** Reads a clients file. It is untrusted: what is not as it is written counts as absent, and a file without a client has no record. */
export async function readClientFile(
  source: SourceFile,
): Promise<{ readonly record?: ClientRecord; readonly findings: readonly Finding[] }> {
  const { value, faults } = await parseSource(source)
  const findings: Finding[] = faults.map(({ related: _, ...fault }) => ({ ...fault, file: source.path, pointer: '' }))
  const client = readText(value, 'client')
  if (findings.length > 0) return { findings }
  if (client === undefined) {
    const hint = 'Write the file with `openapi-pages clients record`'
    const message = 'Unexpected content of a clients file, expected `client`, `recorded` and `documents`'
    return { findings: [{ code: 'wrong-type', message, file: source.path, pointer: '', hint }] }
  }
  const counts = readOwn(value, 'recorded')
  const recorded: RecordedCounts = {
    exchanges: readCount(counts, 'exchanges'),
    from: readText(counts, 'from'),
    to: readText(counts, 'to'),
    unmatched: readCount(counts, 'unmatched'),
    unreadable: readCount(counts, 'unreadable'),
    missing: readCount(counts, 'missing'),
  }
  const documents = readMap(readOwn(value, 'documents'), (operations) => readMap(operations, readOperation))
  return { record: { client, recorded, documents }, findings }
}

function readMap<Value>(value: unknown, read: (one: unknown) => Value): Map<string, Value> {
  return new Map(isObject(value) ? entriesOf(value).map(([name, one]) => [name, read(one)]) : [])
}

function readCount(value: unknown, name: string): number {
  return numberOf(readOwn(value, name)) ?? 0
}

function readOperation(value: unknown): OperationRecord {
  return {
    ...emptyOperation(),
    count: readCount(value, 'count'),
    last: readText(value, 'last'),
    undocumented: readCount(value, 'undocumented'),
    withoutBody: readCount(value, 'withoutBody'),
    parameters: readMap(readOwn(value, 'parameters'), readShape),
    sends: readMap(readOwn(value, 'sends'), readShape),
    receives: readMap(readOwn(value, 'receives'), (one) => ({
      count: readCount(one, 'count'),
      headers: readMap(readOwn(one, 'headers'), readShape),
      body: readMap(readOwn(one, 'body'), readShape),
    })),
    reads: new Set(listTexts(readOwn(value, 'reads'))),
  }
}

function readShape(value: unknown): Shape {
  const [each, entries] = [readOwn(value, 'each'), readOwn(value, 'entries')]
  const ranges = sizes.flatMap((name) => {
    const [least, most] = listOf(readOwn(readOwn(value, 'sizes'), name)).map(numberOf)
    return least === undefined || most === undefined ? [] : [[name, [least, most]] as const]
  })
  return {
    ...emptyShape(),
    types: readMap(readOwn(value, 'types'), (count) => numberOf(count) ?? 0),
    sizes: new Map(ranges),
    words: new Set(listOf(readOwn(value, 'words')).filter((word) => !isContainer(word))),
    as: new Set(listOf(readOwn(value, 'as')).map(String)),
    undocumented: readCount(value, 'undocumented'),
    fields: readMap(readOwn(value, 'fields'), readShape),
    each: each === undefined ? undefined : readShape(each),
    entries: entries === undefined ? undefined : readShape(entries),
  }
}
