import { isObject, type JsonObject, toWritten, valueAtPointer, withWritten } from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import { splitReference } from '../references/follow-reference.ts'
import type { LoadDocument } from '../types.ts'

/** A `$ref` where OpenAPI allows none and nothing is checked: in an extension, or in place of a string or a whole example. */
export interface Embed {
  /** The copy of the mapping with the `$ref`, which may be replaced. */
  readonly copy: JsonObject
  readonly text: string
  readonly file: string
  /** The enclosing locations, outermost first, to stop at cycles. */
  readonly within: readonly string[]
}

/** Copies a value of unknown meaning with masked keys, and lists its references. */
export function copyUnknown(written: unknown, from: Pick<Embed, 'file' | 'within'>, embeds: Embed[], budget: Budget): unknown {
  budget.left--
  const value = withWritten(written)
  if (Array.isArray(value)) return value.map((entry) => copyUnknown(entry, from, embeds, budget))
  if (!isObject(value)) return value
  const copy: JsonObject = Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [maskKey(key), copyUnknown(entry, from, embeds, budget)]),
  )
  if (typeof value['$ref'] === 'string') embeds.push({ ...from, copy, text: value['$ref'] })
  return copy
}

/** The replacement of each copy, and the unresolved references. */
interface EmbeddedValues {
  readonly values: ReadonlyMap<unknown, unknown>
  readonly left: readonly string[]
}

/**
 * Resolves these references, as tools that know the extensions do. References to missing files and to other file types stay unchanged.
 */
export async function embedValues(
  embeds: Embed[],
  entryPath: string,
  load: LoadDocument,
  budget: Budget,
): Promise<EmbeddedValues> {
  const documents = new Map<string, unknown>()
  const values = new Map<unknown, unknown>()
  const left: string[] = []
  // Embedded values can contain more references.
  for (let next = embeds.shift(); next; next = embeds.shift()) {
    const { copy, text, file, within } = next
    const target = splitReference(text, file)
    if (target.kind === 'file' && target.path === entryPath && file === entryPath) continue
    const place = target.kind === 'file' ? `${target.path}\n${target.fragment}` : ''
    if (target.kind !== 'file' || within.includes(place) || budget.left < 0) {
      left.push(text)
      continue
    }
    if (!documents.has(target.path)) documents.set(target.path, await readValue(target.path, load))
    const value = valueAtPointer(documents.get(target.path), target.fragment)
    if (value === undefined) left.push(text)
    else values.set(copy, copyUnknown(value, { file: target.path, within: [...within, place] }, embeds, budget))
  }
  return { values, left }
}

/** Replaces values by this map. */
export function putInPlace(value: unknown, values: ReadonlyMap<unknown, unknown>): unknown {
  if (values.size === 0) return value
  if (values.has(value)) return putInPlace(values.get(value), values)
  if (Array.isArray(value)) return value.map((entry) => putInPlace(entry, values))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, putInPlace(entry, values)]))
}

async function readValue(path: string, load: LoadDocument): Promise<unknown> {
  const loaded = await load(path)
  if (loaded.kind === 'failed') return undefined
  const { value, faults } = await parseSource(toSourceFile(path, loaded.bytes))
  return faults.length > 0 ? undefined : value
}

/** How many more values may be copied. A value that contains itself twice would grow without bound. */
export interface Budget {
  left: number
}

/** Several times the size of the largest known description. */
export const maxCopiedValues = 5_000_000

/**
 * Marks keys that start with `$` while parts are joined.
 *
 * The joining library then only sees references to parts. It ignores references within the document, which are already valid, and a
 * `$ref` in an example, which is data.
 */
export function maskKey(key: string): string {
  return key.startsWith('$') || key.startsWith(mark) ? mark + key : key
}

/** Masks all keys of a value of unknown meaning. */
export function maskKeys(value: unknown): unknown {
  return renameKeys(toWritten(value), maskKey)
}

/** The key without its mark. */
export function unmaskKey(key: string): string {
  return key.startsWith(mark) ? key.slice(mark.length) : key
}

const mark = '\u0001'

/** Renames the keys of a value and of all values inside it. */
export function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((entry) => renameKeys(entry, rename))
  if (!isObject(value)) return value
  // Assignment would treat a key `__proto__` as the prototype.
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [rename(key), renameKeys(entry, rename)]))
}
