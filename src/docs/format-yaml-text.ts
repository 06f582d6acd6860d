import { stringify } from 'yaml'
import type { FrontmatterEntry } from './split-page.ts'

/** Writes a text as the value of a key in frontmatter, in the quotes that are asked for; without any only where YAML reads it as the same text. */
export function formatYamlText(text: string, quote: FrontmatterEntry['quote']): string {
  if (quote === "'" && !/[\n\r]/.test(text)) return `'${text.replaceAll("'", "''")}'`
  if (quote !== '') return JSON.stringify(text)
  return stringify(text, { lineWidth: 0, compat: 'yaml-1.1' }).trimEnd()
}
