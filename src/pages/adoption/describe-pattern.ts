import { findFolderRule, findNameRule } from './derive-path.ts'
import { mostCommon } from './most-common.ts'
import { findCommonSource, listKeys } from './render-like-siblings.ts'
import type { Sibling } from './sibling.ts'

/** How the pages of an area are made, as a person would say it; a new page is made likewise. */
export interface PagePattern {
  /** `api/<tag>`, or the folder of most pages. */
  readonly folder: string
  /** What the files are named after; absent where they follow no rule. */
  readonly name: string | undefined
  readonly extension: string
  /** What titles come from; absent where they were written one by one, or there are none. */
  readonly title: string | undefined
  /** The keys of the frontmatter, in order. */
  readonly keys: readonly string[]
  /** The binding of one page as it is written, quotes included. */
  readonly binding: string
  /** The text after the frontmatter is the same in most pages. */
  readonly sharesBody: boolean
}

/** Finds out how most of some pages are made; `undefined` for none. */
export function describePattern(siblings: readonly Sibling[]): PagePattern | undefined {
  const first = siblings[0]
  if (!first) return undefined
  const folders = findFolderRule(siblings)
  const usual = mostCommon(siblings, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1))
  const tail = mostCommon(siblings, ({ parts }) => parts.tail)
  const spelling = mostCommon(siblings, ({ parts }) => toSpelling(parts.entries.find(({ key }) => key === 'openapi')?.raw ?? ''))
  const model = siblings.find(
    ({ parts }) => toSpelling(parts.entries.find(({ key }) => key === 'openapi')?.raw ?? '') === spelling?.value,
  )
  return {
    folder: folders ? [folders.base, '<tag>'].filter(Boolean).join('/') : (usual?.value.replace(/\/$/, '') ?? ''),
    name: findNameRule(siblings),
    extension: mostCommon(siblings, ({ path }) => path.slice(path.lastIndexOf('.')))?.value ?? '.mdx',
    title: findCommonSource('title', siblings),
    keys: listKeys(siblings),
    binding: (model ?? first).parts.entries.find(({ key }) => key === 'openapi')?.raw ?? '',
    sharesBody: tail !== undefined && tail.value.trim() !== '' && tail.count * 2 > siblings.length,
  }
}

/** A binding without what is different from page to page. */
function toSpelling(raw: string): string {
  return raw
    .replace(/(?<![^\s"'])([^\s"'/]*)\/[^\s"']*(["']?)$/, '$1/$2')
    .replace(/\b(get|put|post|delete|options|head|patch|trace)\b/, 'method')
    .replace(/\b(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE)\b/, 'METHOD')
}
