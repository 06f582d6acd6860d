import { isObject, type JsonObject } from '../../source/is-object.ts'
import { valueAtPointer } from '../../source/json-pointer.ts'
import { defaultLimits } from '../../source/limits.ts'
import { parseSource } from '../../source/parse-source.ts'
import { toSourceFile } from '../../source/source-file.ts'
import type { LoadDocument } from '../document-set.ts'
import { splitReference } from '../uri.ts'

/** A `$ref` where OpenAPI has none and nothing is checked: in an extension, or in place of a text or of a whole example. */
export interface Embed {
  /** The copy of the mapping that has it; another value may take its place. */
  readonly copy: JsonObject
  readonly text: string
  readonly file: string
  /** The places it stands in, outermost first, so that one which contains itself ends. */
  readonly within: readonly string[]
}

/** Copies a value that nothing is known about, with its keys masked, and lists the references in it. */
export function copyUnknown(value: unknown, from: Pick<Embed, 'file' | 'within'>, embeds: Embed[], budget: Budget): unknown {
  budget.left--
  if (Array.isArray(value)) return value.map((entry) => copyUnknown(entry, from, embeds, budget))
  if (!isObject(value)) return value
  const copy: JsonObject = Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [maskKey(key), copyUnknown(entry, from, embeds, budget)]),
  )
  if (typeof value['$ref'] === 'string') embeds.push({ ...from, copy, text: value['$ref'] })
  return copy
}

/** What takes the place of which copy, and the references that stay. */
interface EmbeddedValues {
  readonly values: ReadonlyMap<unknown, unknown>
  readonly left: readonly string[]
}

/**
 * Looks up what these references lead to, as the tools do that know the extensions. Files of other kinds than JSON and YAML and files that
 * are not there leave the reference as it is.
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
  // What is embedded can have others.
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

/** The same value with the values of this map in their places. */
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
  const { value, faults } = await parseSource(toSourceFile(path, loaded.bytes), defaultLimits, 'exact')
  return faults.length > 0 ? undefined : value
}

/** How many more values may be copied: what is written at each use can grow without bound when it contains itself twice over. */
export interface Budget {
  left: number
}

/** Several times what the largest description known to us has. */
export const maxCopiedValues = 5_000_000

/**
 * The name of a key while parts are joined: a key that begins with `$` gets a mark in front.
 *
 * So the library that joins them sees the references to parts and no others: neither those within the document, which are right already,
 * nor a `$ref` in an example, which is data.
 */
export function maskKey(key: string): string {
  return key.startsWith('$') || key.startsWith(mark) ? mark + key : key
}

/** The same value with all its keys masked; a value of unknown meaning is copied like this. */
export function maskKeys(value: unknown): unknown {
  return renameKeys(value, maskKey)
}

/** The opposite of `maskKeys`. */
export function unmaskKeys(value: unknown): unknown {
  return renameKeys(value, (key) => (key.startsWith(mark) ? key.slice(mark.length) : key))
}

const mark = '\u0001'

function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((entry) => renameKeys(entry, rename))
  if (!isObject(value)) return value
  // Not by assignment, which would take a key `__proto__` for the prototype.
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [rename(key), renameKeys(entry, rename)]))
}
