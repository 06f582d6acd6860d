import type { SiteSource } from '../render-site-page.tsx'
import type { SiteFile } from '../types.ts'
import { renderSearchIndex, searchFolder } from './render-search-index.ts'
import { toSearchEntry } from './to-search-entry.ts'

const kept = new WeakMap<SiteSource, readonly SiteFile[]>()

/** A file of the search index of a site that is not built, which is made with the first that is asked for; absent where it has none such. */
export function findSearchFile(path: string, source: SiteSource): SiteFile | undefined {
  if (!path.startsWith(`${searchFolder}/`)) return undefined
  const files = kept.get(source) ?? listSearchFiles(source)
  kept.set(source, files)
  return files.find((file) => file.path === path)
}

function listSearchFiles({ context, reader, references, textOf, root }: SiteSource): readonly SiteFile[] {
  const entries = context.plan.pages.flatMap((page) => {
    if (page.externalUrl !== undefined || page.hidden || page.noindex) return []
    const file = root === '' ? (page.path ?? '') : `${root}/${page.path}`
    const { nodes } = reader.readPage(file, page.path === undefined ? '' : (textOf(page.path) ?? ''))
    return toSearchEntry(page, nodes, references) ?? []
  })
  return renderSearchIndex(entries)
}
