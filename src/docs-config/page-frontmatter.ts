import { isScalar, parseDocument, stringify } from 'yaml'
import { isObject, type JsonObject } from '../source/is-object.ts'
import { parseYaml } from '../source/parse-yaml.ts'
import type { OffsetRange } from '../source/position.ts'
import { parseBinding, parseSchemaBinding } from './binding-text.ts'
import type { PageBinding } from './types.ts'

/** The YAML between the `---` lines at the top of a page. */
export interface PageFrontmatter {
  /** Empty where the YAML is no mapping. */
  readonly values: JsonObject
  /** Where the YAML stands in the text of the page. */
  readonly offsets: OffsetRange
  /** What is wrong with the YAML, in words. */
  readonly fault: { readonly message: string; readonly offsets: OffsetRange } | undefined
}

/** Reads the frontmatter of a page's text; `undefined` for a page without one. Never throws. */
export function parsePageFrontmatter(text: string): PageFrontmatter | undefined {
  const offsets = findFrontmatter(text)
  if (!offsets) return undefined
  const yaml = text.slice(offsets.start, offsets.end)
  if (yaml.trim() === '') return { values: {}, offsets, fault: undefined }
  const { value, faults } = parseYaml(yaml)
  const fault = faults.find(({ code }) => code !== 'empty-document')
  return {
    values: isObject(value) ? value : {},
    offsets,
    fault: fault && { message: fault.message, offsets: shift(fault.offsets, offsets.start) },
  }
}

/** Where the YAML between the `---` lines stands; found without parsing it. */
export function findFrontmatter(text: string): OffsetRange | undefined {
  const open = /^---[ \t]*\r?\n/.exec(text)
  if (!open) return undefined
  const start = open[0].length
  const close = /^---[ \t]*$/m.exec(text.slice(start).replaceAll('\r', ' '))
  return close ? { start, end: start + close.index } : undefined
}

function shift({ start, end }: OffsetRange, by: number): OffsetRange {
  return { start: start + by, end: end + by }
}

/** What the frontmatter of a page says about its binding. */
export type PageBindingReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'bound'; readonly key: BindingKey; readonly binding: PageBinding }
  /** There is a key, but no binding in it. `written` is its value. */
  | { readonly kind: 'unreadable'; readonly key: BindingKey; readonly written: unknown }
  /** The frontmatter is not YAML. */
  | { readonly kind: 'fault'; readonly message: string; readonly offsets: OffsetRange }

type BindingKey = 'openapi' | 'openapi-schema'

/**
 * Reads the binding of a page's text. `openapi-schema` wins over `openapi`. Parses only frontmatter that has the word `openapi` in it.
 *
 * @param known the frontmatter of the text, where it was parsed already.
 */
export function readPageBinding(text: string, known?: PageFrontmatter): PageBindingReading {
  const offsets = findFrontmatter(text)
  if (!offsets && isUnfinished(text)) return { kind: 'fault', ...unfinished }
  if (!offsets || !text.slice(offsets.start, offsets.end).includes('openapi')) return { kind: 'none' }
  const frontmatter = known ?? parsePageFrontmatter(text)
  if (!frontmatter) return { kind: 'none' }
  if (frontmatter.fault) return { kind: 'fault', ...frontmatter.fault }
  for (const key of ['openapi-schema', 'openapi'] as const) {
    const written = frontmatter.values[key]
    if (written === undefined || written === null) continue
    const parse = key === 'openapi' ? parseBinding : parseSchemaBinding
    const binding = typeof written === 'string' ? parse(written) : undefined
    return binding ? { kind: 'bound', key, binding } : { kind: 'unreadable', key, written }
  }
  return { kind: 'none' }
}

const unfinished = { message: 'Missing `---` at the end of the frontmatter', offsets: { start: 0, end: 3 } }

/**
 * What is wrong with the frontmatter of a page, whatever it is about.
 *
 * @param known the frontmatter of the text, where it was parsed already.
 */
export function findFrontmatterFault(text: string, known: PageFrontmatter | undefined): PageFrontmatter['fault'] {
  if (known) return known.fault
  return /^---[ \t]*\r?\n[A-Za-z][\w-]*:(?:[ \t]|\r?\n)/.test(text) ? unfinished : undefined
}

/** Frontmatter that nothing ends is a page's text for a host, with its binding. Markdown can begin with a rule too, then a blank line follows. */
function isUnfinished(text: string): boolean {
  const lines = /^---[ \t]*\r?\n((?:[^\r\n]+\r?\n)+)/.exec(text)?.[1] ?? ''
  return /^openapi(-schema)?:/m.test(lines)
}

/** Where the text that a top-level key of a page's frontmatter has stands, with its quotes; a block text with its `|` or `>`. */
export function locateFrontmatterValue(text: string, key: string): OffsetRange | undefined {
  const offsets = findFrontmatter(text)
  if (!offsets) return undefined
  const yaml = text.slice(offsets.start, offsets.end)
  const node = parseDocument(yaml).get(key, true)
  if (!isScalar(node) || !node.range) return undefined
  const [start, end] = node.range
  return { start: offsets.start + start, end: offsets.start + start + yaml.slice(start, end).trimEnd().length }
}

/**
 * Gives a top-level key of a page's frontmatter another text, in the quotes that the old one has. Everything else of the page keeps its bytes,
 * comments too.
 *
 * Returns `undefined` when the page does not have the key, or no value for it.
 */
export function editFrontmatterValue(text: string, key: string, value: string): string | undefined {
  const offsets = locateFrontmatterValue(text, key)
  if (!offsets || offsets.start === offsets.end) return undefined
  const first = text.charAt(offsets.start)
  const written = formatYamlText(value, first === '"' || first === "'" ? first : '')
  const lineEnd = text.startsWith('---\r\n') ? '\r\n' : '\n'
  return text.slice(0, offsets.start) + written.replaceAll('\n', lineEnd) + text.slice(offsets.end)
}

/** Writes a text as the value of a key in frontmatter, in the quotes that are asked for; without any only where YAML reads it as the same text. */
export function formatYamlText(text: string, quote: FrontmatterEntry['quote']): string {
  if (quote === "'" && !/[\n\r]/.test(text)) return `'${text.replaceAll("'", "''")}'`
  if (quote !== '') return JSON.stringify(text)
  return stringify(text, { lineWidth: 0, compat: 'yaml-1.1' }).trimEnd()
}

/** The text of a page in the parts that a person writes alike in many pages. */
export interface PageParts {
  readonly lineEnd: '\n' | '\r\n'
  /** The top-level keys of the frontmatter, in order; comments are left out. */
  readonly entries: readonly FrontmatterEntry[]
  /** All that follows the closing `---`, its line end included. */
  readonly tail: string
}

export interface FrontmatterEntry {
  readonly key: string
  /** The value as it is written, with its quotes and without the blanks around it; lines end with `\n`. One that begins on the next line begins with it. */
  readonly raw: string
  readonly quote: '"' | "'" | ''
}

/** Splits the text of a page; `undefined` for one without frontmatter. Looks at lines only, so the YAML may have faults. */
export function splitPage(text: string): PageParts | undefined {
  const offsets = findFrontmatter(text)
  if (!offsets) return undefined
  const entries: { key: string; raw: string }[] = []
  for (const line of text.slice(offsets.start, offsets.end).split(/\r?\n/)) {
    const [, key, value] = /^("[^"]*"\s*|'[^']*'\s*|[^\s#'"-][^:]*):(?:\s(.*))?$/.exec(line) ?? []
    const last = entries.at(-1)
    if (key !== undefined) entries.push({ key: key.trimEnd().replace(/^(["'])(.*)\1$/, '$2'), raw: value ?? '' })
    else if (last && !line.startsWith('#')) last.raw += `\n${line}`
  }
  return {
    lineEnd: text.slice(0, offsets.start).includes('\r') ? '\r\n' : '\n',
    entries: entries.map(({ key, raw }) => ({ key, raw: toRaw(raw), quote: toQuote(raw.trim()) })),
    tail: text.slice(offsets.end).replace(/^---[ \t]*/, ''),
  }
}

function toRaw(raw: string): string {
  return raw.trimStart().length === 0 ? '' : raw.replace(/^[ \t]+/, '').trimEnd()
}

function toQuote(raw: string): FrontmatterEntry['quote'] {
  const first = raw.charAt(0)
  return first === '"' || first === "'" ? first : ''
}
