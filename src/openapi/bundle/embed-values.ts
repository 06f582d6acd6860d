import { isObject } from '../../text/is-object.ts'
import { valueAtPointer } from '../../text/json-pointer.ts'
import { parseSource } from '../../text/parse-source.ts'
import { toSourceFile } from '../../text/source-file.ts'
import type { LoadDocument } from '../load-document.ts'
import { splitReference } from '../split-reference.ts'
import { maskKey } from './mask-key.ts'

/** A `$ref` where OpenAPI has none and nothing is checked: in an extension, or in place of a text or of a whole example. */
export interface Embed {
  /** The copy of the mapping or list that has it. */
  readonly container: object
  readonly key: string | number
  readonly text: string
  readonly file: string
  /** The places it stands in, outermost first, so that one which contains itself ends. */
  readonly within: readonly string[]
}

/** Copies a value that nothing is known about, with its keys masked, and lists the references to other files in it. */
export function copyUnknown(
  container: Embed['container'],
  key: Embed['key'],
  value: unknown,
  from: Pick<Embed, 'file' | 'within'>,
  embeds: Embed[],
): void {
  if (Array.isArray(value)) {
    const list: unknown[] = []
    value.forEach((entry: unknown, index) => {
      copyUnknown(list, index, entry, from, embeds)
    })
    setOwn(container, key, list)
    return
  }
  if (!isObject(value)) {
    setOwn(container, key, value)
    return
  }
  const mapping = {}
  for (const [name, entry] of Object.entries(value)) copyUnknown(mapping, maskKey(name), entry, from, embeds)
  setOwn(container, key, mapping)
  if (typeof value['$ref'] === 'string') embeds.push({ ...from, container, key, text: value['$ref'] })
}

/**
 * Writes in their places what these references lead to, as the tools do that know the extensions. Files of other kinds than JSON and YAML
 * and files that are not there leave the reference as it is.
 *
 * @returns the references that are left.
 */
export async function embedValues(embeds: Embed[], entryPath: string, load: LoadDocument): Promise<string[]> {
  const values = new Map<string, unknown>()
  const left: string[] = []
  // What is embedded can have others.
  for (let next = embeds.shift(); next; next = embeds.shift()) {
    const { container, key, text, file, within } = next
    const target = splitReference(text, file)
    if (target.kind === 'file' && target.path === entryPath && file === entryPath) continue
    const place = target.kind === 'file' ? `${target.path}\n${target.fragment}` : ''
    if (target.kind !== 'file' || within.includes(place) || within.length > maxDepth) {
      left.push(text)
      continue
    }
    if (!values.has(target.path)) values.set(target.path, await readValue(target.path, load))
    const value = valueAtPointer(values.get(target.path), target.fragment)
    if (value === undefined) left.push(text)
    else copyUnknown(container, key, value, { file: target.path, within: [...within, place] }, embeds)
  }
  return left
}

/** Deeper than anybody writes, so that a chain of references cannot grow for ever. */
const maxDepth = 20

async function readValue(path: string, load: LoadDocument): Promise<unknown> {
  const loaded = await load(path)
  if (loaded.kind === 'failed') return undefined
  const { value, faults } = await parseSource(toSourceFile(path, loaded.bytes))
  return faults.length > 0 ? undefined : value
}

/** Not by assignment, which would take a key `__proto__` for the prototype. */
function setOwn(container: Embed['container'], key: Embed['key'], value: unknown): void {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true })
}
