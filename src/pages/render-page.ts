import { stringify } from 'yaml'
import { bindingKey, formatBinding } from '../docs-config/binding-text.ts'
import { toWellFormed } from '../source/escape-text.ts'
import type { PageSubject } from './types.ts'

interface PageContext {
  /** As it stands in the binding: relative to the docs root without leading `/`, or a URL. */
  readonly document: string
  /** Of the division around the page. */
  readonly version: string | undefined
}

/**
 * Writes a page: `title`, `description`, `openapi` or `openapi-schema`, `version`, `deprecated`, then `x-mint.metadata` and `groups`, then `x-mint.content`.
 *
 * The frontmatter is always valid YAML and says the same to readers of YAML 1.1 and 1.2. Metadata overrides every key but the binding.
 */
export function renderPage(subject: PageSubject, { document, version }: PageContext): string {
  const metadata = new Map(Object.entries(subject.mint?.metadata ?? {}))
  const { binding } = subject
  // A page of ours is bound to what it was made for, whatever the metadata says.
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

/** The title of a page, on one line: the summary, else one made from method and path, or from the name of the webhook; the name of a schema as it is. */
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

/** `orderShipped`, `order.shipped` and `order_shipped` are two words each; `orderID` too. */
function toWords(text: string): string[] {
  const spaced = text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
  return spaced.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)
}

function toSentence(words: readonly string[]): string {
  const text = words.map((word) => (word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase())).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Writes frontmatter, one line a value, so that readers of YAML 1.1 and 1.2 read the same.
 *
 * What nearly all pages have is written here: `yaml` takes fifty times as long over it, to the same end.
 */
export function toFrontmatterYaml(frontmatter: ReadonlyMap<string, unknown>): string {
  if (frontmatter.size === 0) return toYaml(frontmatter)
  return [...frontmatter].map(([key, value]) => toQuickYaml(key, value) ?? toYaml(new Map([[key, value]]))).join('')
}

function toYaml(values: ReadonlyMap<string, unknown>): string {
  return stringify(values, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })
}

const plainKeys = new Set(['title', 'description', 'openapi', 'openapi-schema', 'deprecated', 'sidebarTitle'])

/** A letter first, no controls, and more than one word: no word of YAML such as `no`, no number, no date. */
const plainText = /^(?=[^ \n]+[ \n])[A-Za-z][\x20-\x7e\n\u00a1-\u1fff\u2010-\u2027]*[\x21-\x7e\u00a1-\u167f\u2010-\u2027]$/

function toQuickYaml(key: string, value: unknown): string | undefined {
  if (!plainKeys.has(key)) return undefined
  if (typeof value === 'boolean') return `${key}: ${value}\n`
  if (typeof value !== 'string' || !plainText.test(value)) return undefined
  if (value.includes('\n')) return `${key}: |-\n  ${value.replace(/\n+/g, '$&  ')}\n`
  return /: |:$| #/.test(value) ? undefined : `${key}: ${value}\n`
}
