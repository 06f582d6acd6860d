import { isScalar, parseDocument } from 'yaml'
import type { OffsetRange } from '../text/position.ts'
import { findFrontmatter } from './parse-page-frontmatter.ts'

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
