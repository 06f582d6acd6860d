import { getLocation } from 'jsonc-parser'
import { divisionKeys, docsConfigKeys } from '../../docs-config/docs-config-keys.ts'
import { findFrontmatter } from '../../docs-config/page-frontmatter.ts'
import { divisionLists } from '../../docs-config/read-divisions.ts'
import type { OffsetRange } from '../../source/position.ts'

/** What a text can be completed with. Paths are relative to the docs directory. */
export interface CompletionSources {
  /** Without extension. */
  readonly pages: readonly string[]
  /** Paths of OpenAPI documents. */
  readonly documents: readonly string[]
  /** `GET /pets` and `webhook petSold`, with the document if several have it. */
  readonly bindings: readonly { readonly text: string; readonly summary: string | undefined }[]
}

export interface Completion {
  readonly label: string
  readonly kind: 'key' | 'page' | 'document' | 'operation'
  readonly detail?: string | undefined
  /** Replaces `offsets`. */
  readonly newText: string
  readonly offsets: OffsetRange
}

/** Completes the keys of docs.json, the pages of its navigation, and its documents. */
export function completeDocsConfig(text: string, offset: number, sources: CompletionSources): readonly Completion[] {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset)
  const isInside =
    previousNode !== undefined && previousNode.offset <= offset && offset <= previousNode.offset + previousNode.length
  const offsets = isInside
    ? { start: previousNode.offset, end: previousNode.offset + previousNode.length }
    : { start: offset, end: offset }
  const complete = (label: string, kind: Completion['kind'], detail?: string): Completion => ({
    label,
    kind,
    detail,
    newText: JSON.stringify(label),
    offsets,
  })
  const keys = path.map(String)
  if (isAtPropertyKey) {
    return listKeys(keys.slice(0, -1)).map((key) => ({
      ...complete(key, 'key'),
      newText: isInside ? JSON.stringify(key) : `${JSON.stringify(key)}: `,
    }))
  }
  const field = keys.findLast((key) => !/^\d+$/.test(key))
  const documents = sources.documents.map((path) => complete(path, 'document'))
  if (field === 'openapi' || (field === 'source' && keys.includes('openapi'))) return documents
  if (field === 'root') return sources.pages.map((page) => complete(page, 'page'))
  if (field !== 'pages') return []
  return [
    ...sources.pages.map((page) => complete(page, 'page')),
    ...sources.bindings.map(({ text: binding, summary }) => complete(binding, 'operation', summary)),
  ]
}

function listKeys(path: readonly string[]): readonly string[] {
  const [first] = path
  if (first === undefined) return docsConfigKeys
  if (first !== 'navigation') return first === 'api' && path.length === 1 ? ['openapi', 'playground', 'examples', 'params'] : []
  const list = path.findLast((key) => !/^\d+$/.test(key)) ?? 'navigation'
  if (list === 'navigation') return divisionKeys('navigation')
  if (list === 'openapi') return ['source', 'directory']
  // Entries of `pages` that are objects are groups.
  const kind = list === 'pages' ? 'group' : Object.entries(divisionLists).find(([name]) => name === list)?.[1]
  return kind === undefined ? [] : divisionKeys(kind)
}

/** Completes the binding of a page in its frontmatter. */
export function completeFrontmatter(text: string, offset: number, { bindings }: CompletionSources): readonly Completion[] {
  const frontmatter = findFrontmatter(text)
  if (!frontmatter || offset < frontmatter.start || offset > frontmatter.end) return []
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const lineEnd = /\r?\n|$/.exec(text.slice(offset))?.index ?? 0
  const line = text.slice(lineStart, offset + lineEnd)
  const key = /^openapi:[ \t]*/.exec(line)?.[0]
  if (key === undefined || offset < lineStart + 'openapi:'.length) return []
  const offsets = { start: lineStart + key.length, end: lineStart + line.trimEnd().length }
  const space = /[ \t]$/.test(key) ? '' : ' '
  return bindings.map(({ text: binding, summary }) => ({
    label: binding,
    kind: 'operation',
    detail: summary,
    newText: `${space}${binding}`,
    offsets: offsets.end < offsets.start ? { start: offsets.start, end: offsets.start } : offsets,
  }))
}
