import { bindingKey, formatBinding } from '../docs/binding-text.ts'
import { toWellFormed } from '../text/escape-text.ts'
import { pageTitle } from './page-title.ts'
import { toFrontmatterYaml } from './to-frontmatter-yaml.ts'
import type { PageSubject } from './types.ts'

export interface PageContext {
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
