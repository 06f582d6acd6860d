import { Document } from 'yaml'
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

export { addExchange, addUnreadable, emptyClient, keyOfParameter } from './record-client.ts'
export type { ClientRecord, OperationRecord, Shape }
export { countUnknown, countValues, isUncertain, nameAlternative }

/** The text of a clients file. The same record has the same text. */
export function writeClientFile({ client, recorded, documents }: ClientRecord): string {
  const document = new Document(null, { aliasDuplicateObjects: false })
  const toNode = (entries: Iterable<readonly [string, unknown]>, isFlow = false) =>
    document.createNode(new Map([...entries].filter(([, value]) => isSaid(value))), { flow: isFlow })
  const toList = (values: Iterable<unknown>) => document.createNode([...values].sort(compareValues), { flow: true })
  const writeShape = (shape: Shape): unknown => {
    const isLeaf = shape.fields.size === 0 && !shape.each && !shape.entries
    const ranges = sizes.map(
      (name) => [name, shape.sizes.get(name) && document.createNode(shape.sizes.get(name), { flow: true })] as const,
    )
    const own = [
      ['types', toNode(sorted(shape.types), true)],
      ...ranges,
      ['words', shape.words.size > 0 && toList(shape.words)],
      ['as', shape.as.size > 0 && toList(shape.as)],
      ['undocumented', shape.undocumented],
    ] as const
    const inner = [
      ['fields', shape.fields.size > 0 && toNode(writeShapes(shape.fields))],
      ['each', shape.each && writeShape(shape.each)],
      ['entries', shape.entries && writeShape(shape.entries)],
    ] as const
    return toNode([...own, ...inner], isLeaf)
  }
  const writeShapes = (shapes: ReadonlyMap<string, Shape>) =>
    sorted(shapes).map(([name, shape]) => [name, writeShape(shape)] as const)
  const writeOperation = ({ count, last, parameters, undocumented, withoutBody, sends, receives, reads }: OperationRecord) =>
    toNode([
      ...([
        ['count', count],
        ['last', last],
      ] as const),
      ['parameters', parameters.size > 0 && toNode(writeShapes(parameters))],
      ...([
        ['undocumented', undocumented],
        ['withoutBody', withoutBody],
      ] as const),
      ['sends', sends.size > 0 && toNode(writeShapes(sends))],
      [
        'receives',
        receives.size > 0 &&
          toNode(
            sorted(receives).map(([status, one]) => [
              status,
              toNode(
                [
                  ['count', one.count],
                  ['body', one.body.size > 0 && toNode(writeShapes(one.body))],
                ],
                one.body.size === 0,
              ),
            ]),
          ),
      ],
      ['reads', reads.size > 0 && toList(reads)],
    ])
  const written = sorted(documents).map(([path, operations]) => {
    return [path, toNode(sorted(operations).map(([name, operation]) => [name, writeOperation(operation)]))] as const
  })
  document.contents = toNode([
    ['client', client],
    ['recorded', toNode(Object.entries(recorded), true)],
    ['documents', toNode(written)],
  ]) as typeof document.contents // A node of the document.
  document.commentBefore = describeRecord({ client, recorded })
    .map((line) => ` ${line}`)
    .join('\n')
  return document.toString({ lineWidth: 0 })
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

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== false && value !== 0
}

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => compareText(a, b))
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
  if (client === undefined || !isObject(readOwn(value, 'documents'))) {
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
      body: readMap(readOwn(one, 'body'), readShape),
    })),
    reads: new Set(listTexts(readOwn(value, 'reads'))),
  }
}

function readShape(value: unknown): Shape {
  const [each, entries] = [readOwn(value, 'each'), readOwn(value, 'entries')]
  const ranges = sizes.flatMap((name) => {
    const [least, most] = listOf(readOwn(value, name)).map(numberOf)
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
    ...(each === undefined ? {} : { each: readShape(each) }),
    ...(entries === undefined ? {} : { entries: readShape(entries) }),
  }
}
