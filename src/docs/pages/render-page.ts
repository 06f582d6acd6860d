import { stringify } from 'yaml'
import { toWellFormed } from '../../text/plain/escape-text.ts'
import { bindingKey, formatBinding } from '../navigation/parse-binding.ts'
import type { PageSubject } from './types.ts'

interface PageContext {
  /** As written in the binding: a URL, or a path relative to the docs directory without a leading `/`. */
  readonly document: string
  /** The `version` of the enclosing division. */
  readonly version: string | undefined
}

/**
 * Renders a page: `title`, `description`, `openapi` or `openapi-schema`, `version`, `deprecated`, then `x-mint.metadata` and
 * `groups`, then `x-mint.content`.
 *
 * The frontmatter is always valid YAML with the same meaning in YAML 1.1 and 1.2. Metadata can override every key except the
 * binding.
 */
export function renderPage(subject: PageSubject, { document, version }: PageContext): string {
  const metadata = new Map(Object.entries(subject.mint?.metadata ?? {}))
  const { binding } = subject
  // Metadata must not change the binding of a generated page.
  for (const key of ['openapi', 'openapi-schema']) metadata.delete(key)
  const defaults: readonly (readonly [key: string, value: unknown])[] = [
    ['title', pageTitle(subject)],
    ['description', subject.description === undefined ? undefined : toUnixLines(subject.description).trimEnd()],
    ...(binding.kind === 'overview' ? [] : [[bindingKey(binding), formatBinding({ ...binding, file: document })] as const]),
    ['version', version],
    ['deprecated', subject.deprecated === true ? true : undefined],
  ]
  const frontmatter = new Map<string, unknown>()
  for (const [key, fallback] of defaults) {
    const value = metadata.has(key) ? metadata.get(key) : fallback
    if (value !== undefined) frontmatter.set(key, value)
    metadata.delete(key)
  }
  const groups = subject.mint?.groups
  if (groups !== undefined && !metadata.has('groups')) metadata.set('groups', groups)
  for (const [key, value] of metadata) frontmatter.set(key, value)
  const content = toUnixLines(subject.mint?.content ?? '')
    .replace(/^\n+/, '')
    .trimEnd()
  return toWellFormed(`---\n${toFrontmatterYaml(frontmatter)}---\n${content === '' ? '' : `\n${content}\n`}`)
}

function toUnixLines(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

/**
 * Returns the title of a page on one line: the summary, or else a title from method and path or from the webhook name. Schemas
 * use their name.
 */
export function pageTitle({ summary, binding }: PageSubject): string {
  if (summary !== undefined) return summary.trim().replace(/(?<!\s)\s*[\r\n]\s*/g, ' ')
  if (binding.kind === 'schema') return binding.name
  if (binding.kind === 'overview') return 'Overview'
  if (binding.kind === 'webhook') return toSentence(toWords(binding.name)) || binding.name
  const steps = binding.pathTemplate.split('/').filter(Boolean)
  const parameter = /^\{([^{}]+)\}$/.exec(steps.at(-1) ?? '')?.[1]
  const words = steps.filter((step) => !/^\{[^{}]*\}$/.test(step)).flatMap((step) => toWords(step.replace(/\{[^{}]*\}/g, ' ')))
  const by = parameter === undefined ? [] : ['by', ...toWords(parameter)]
  return toSentence([binding.method, ...words, ...by])
}

/** Splits `orderShipped`, `order.shipped`, `order_shipped` and `orderID` into two words each. */
function toWords(text: string): string[] {
  const spaced = text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
  return spaced.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)
}

function toSentence(words: readonly string[]): string {
  const text = words.map((word) => (word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase())).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Formats frontmatter with one line per value, with the same meaning in YAML 1.1 and 1.2.
 *
 * Common values are formatted here, because the `yaml` package is much slower.
 */
export function toFrontmatterYaml(frontmatter: ReadonlyMap<string, unknown>): string {
  if (frontmatter.size === 0) return toYaml(frontmatter)
  return [...frontmatter].map(([key, value]) => toQuickYaml(key, value) ?? toYaml(new Map([[key, value]]))).join('')
}

function toYaml(values: ReadonlyMap<string, unknown>): string {
  return stringify(values, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })
}

const plainKeys = new Set(['title', 'description', 'openapi', 'openapi-schema', 'deprecated', 'sidebarTitle'])

/** Starts with a letter, has several words and no control characters, so it cannot be a YAML keyword, number or date. */
const plainText = /^(?=[^ \n]+[ \n])[A-Za-z][\x20-\x7e\n\u00a1-\u1fff\u2010-\u2027]*[\x21-\x7e\u00a1-\u167f\u2010-\u2027]$/

function toQuickYaml(key: string, value: unknown): string | undefined {
  if (!plainKeys.has(key)) return undefined
  if (typeof value === 'boolean') return `${key}: ${value}\n`
  if (typeof value !== 'string' || !plainText.test(value)) return undefined
  if (value.includes('\n')) return `${key}: |-\n  ${value.replace(/\n+/g, '$&  ')}\n`
  return /: |:$| #/.test(value) ? undefined : `${key}: ${value}\n`
}
