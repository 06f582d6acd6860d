import type { OffsetRange } from '../text/position.ts'
import { parseBinding, parseSchemaBinding } from './parse-binding.ts'
import { findFrontmatter, type PageFrontmatter, parsePageFrontmatter } from './parse-page-frontmatter.ts'
import type { PageBinding } from './types.ts'

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
