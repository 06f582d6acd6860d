import { isMap, isScalar, parseDocument, stringify } from 'yaml'
import { isObject, type JsonObject } from '../../text/json/json-values.ts'
import type { OffsetRange } from '../../text/plain/source-file.ts'
import { parseYaml } from '../../text/yaml/parse-yaml.ts'
import { parseBinding, parseSchemaBinding } from '../navigation/parse-binding.ts'
import type { PageBinding } from '../navigation/types.ts'

/** The YAML between the `---` lines at the top of a page. */
export interface PageFrontmatter {
  /** Empty if the YAML is not a mapping. */
  readonly values: JsonObject
  /** Range of the YAML in the page. */
  readonly offsets: OffsetRange
  /** The first YAML error, if any. */
  readonly fault: { readonly message: string; readonly offsets: OffsetRange } | undefined
}

/** Parses the frontmatter of a page. Returns `undefined` if there is none. Never throws. */
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

/** Finds the YAML between the `---` lines without parsing it. */
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

/** The result of reading a page's binding. */
export type PageBindingReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'bound'; readonly key: BindingKey; readonly binding: PageBinding }
  /** The key exists, but its value `written` is not a binding. */
  | { readonly kind: 'unreadable'; readonly key: BindingKey; readonly written: unknown }
  /** The frontmatter is not valid YAML. */
  | { readonly kind: 'fault'; readonly message: string; readonly offsets: OffsetRange }

type BindingKey = 'openapi' | 'openapi-schema'

/**
 * Reads the binding of a page. `openapi-schema` takes precedence over `openapi`. Frontmatter without the word `openapi` is not
 * parsed.
 *
 * @param known the frontmatter, if it was already parsed.
 */
export function readPageBinding(text: string, known?: PageFrontmatter): PageBindingReading {
  const offsets = findFrontmatter(text)
  if (!offsets && lacksClosingFence(text)) return { kind: 'fault', ...missingFence }
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

const missingFence = { message: 'Missing `---` at the end of the frontmatter', offsets: { start: 0, end: 3 } }

/**
 * Finds the first error in a page's frontmatter.
 *
 * @param known the frontmatter, if it was already parsed.
 */
export function findFrontmatterFault(text: string, known: PageFrontmatter | undefined): PageFrontmatter['fault'] {
  if (known) return known.fault
  return /^---[ \t]*\r?\n[A-Za-z][\w-]*:(?:[ \t]|\r?\n)/.test(text) ? missingFence : undefined
}

/**
 * Hosts render frontmatter without a closing `---` as page text, including the binding. A page may also start with a Markdown
 * rule, which is followed by a blank line.
 */
function lacksClosingFence(text: string): boolean {
  const lines = /^---[ \t]*\r?\n((?:[^\r\n]+\r?\n)+)/.exec(text)?.[1] ?? ''
  return /^openapi(-schema)?:/m.test(lines)
}

/** Finds the value of a top-level frontmatter key, including its quotes or the `|` or `>` of a block scalar. */
export function locateFrontmatterValue(text: string, key: string): OffsetRange | undefined {
  const offsets = findFrontmatter(text)
  if (!offsets) return undefined
  const yaml = text.slice(offsets.start, offsets.end)
  const node = parseDocument(yaml).get(key, true)
  if (!isScalar(node) || !node.range) return undefined
  const [start, end] = node.range
  return { start: offsets.start + start, end: offsets.start + start + yaml.slice(start, end).trimEnd().length }
}

/** Finds a top-level frontmatter key, including its quotes. */
export function locateFrontmatterKey(text: string, key: string): OffsetRange | undefined {
  const offsets = findFrontmatter(text)
  const top = offsets && parseDocument(text.slice(offsets.start, offsets.end)).contents
  if (!offsets || !isMap(top)) return undefined
  const found = top.items.map((pair) => pair.key).find((one) => isScalar(one) && one.value === key)
  return isScalar(found) && found.range ? shift({ start: found.range[0], end: found.range[1] }, offsets.start) : undefined
}

/**
 * Replaces the value of a top-level frontmatter key, keeping its quote style. The rest of the page, including comments, is
 * preserved byte for byte.
 *
 * Returns `undefined` if the key is missing or has no value.
 */
export function editFrontmatterValue(text: string, key: string, value: string): string | undefined {
  const offsets = locateFrontmatterValue(text, key)
  if (!offsets || offsets.start === offsets.end) return undefined
  const first = text.charAt(offsets.start)
  const written = formatYamlText(value, first === '"' || first === "'" ? first : '')
  const lineEnd = text.startsWith('---\r\n') ? '\r\n' : '\n'
  return text.slice(0, offsets.start) + written.replaceAll('\n', lineEnd) + text.slice(offsets.end)
}

/**
 * Formats a string as a frontmatter value with the given quotes. Quotes are added if YAML would read the plain string as
 * something else.
 */
export function formatYamlText(text: string, quote: FrontmatterEntry['quote']): string {
  if (quote === "'" && !/[\n\r]/.test(text)) return `'${text.replaceAll("'", "''")}'`
  if (quote !== '') return JSON.stringify(text)
  return stringify(text, { lineWidth: 0, compat: 'yaml-1.1' }).trimEnd()
}

/** The text of a page, split into the parts that many pages share. */
export interface PageParts {
  readonly lineEnd: '\n' | '\r\n'
  /** Top-level frontmatter keys in order, without comments. */
  readonly entries: readonly FrontmatterEntry[]
  /** Everything after the closing `---`, including its line ending. */
  readonly tail: string
}

export interface FrontmatterEntry {
  readonly key: string
  /**
   * The value as written, with quotes, without surrounding whitespace, and with `\n` line endings. Starts with `\n` if the value
   * begins on the next line.
   */
  readonly raw: string
  readonly quote: '"' | "'" | ''
}

/** Splits the text of a page. Returns `undefined` if it has no frontmatter. Works on lines only, so the YAML may be invalid. */
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
