import { parsePageFrontmatter } from '../docs/page-frontmatter.ts'
import type { PlannedPage } from './types.ts'

/** Says in a few words what is new in a page: `title changed`, `renamed: GET /pets → GET /animals`. */
export function describePageChange(before: string, after: string, page: PlannedPage): string {
  const { target, document, previous } = page
  if (previous && previous.operation !== target) return `renamed: ${previous.operation} → ${target}`
  if (previous && previous.document !== document) return `now of \`${document}\`, was of \`${previous.document}\``
  const old = parsePageFrontmatter(before)?.values ?? {}
  const now = parsePageFrontmatter(after)?.values ?? {}
  const keys = new Set([...Object.keys(now), ...Object.keys(old)])
  const changed = [...keys].filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
  if (changed.length === 0) return 'content changed'
  return changed.length > 3 ? 'frontmatter changed' : `${joinWords(changed)} changed`
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
