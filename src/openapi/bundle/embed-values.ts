import { isObject, type JsonObject, valueAtPointer, withWritten } from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import { isReference, splitReference } from '../references/follow-reference.ts'
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

/** How many more values may be copied. A value that contains itself twice would grow without bound. */
export interface Budget {
  left: number
}

/** Copies a value of unknown meaning, and lists its references. */
export function copyUnknown(written: unknown, from: Pick<Embed, 'file' | 'within'>, embeds: Embed[], budget: Budget): unknown {
  budget.left--
  const value = withWritten(written)
  if (Array.isArray(value)) return value.map((entry) => copyUnknown(entry, from, embeds, budget))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, entry]) => [key, copyUnknown(entry, from, embeds, budget)] as const)
  const copy: JsonObject = Object.fromEntries(entries)
  if (isReference(value)) embeds.push({ ...from, copy, text: value.$ref })
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
