import { stringify } from 'yaml'

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
