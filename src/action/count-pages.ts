import type { PageReport } from '../update/types.ts'

/** Counts pages by what happens to them. */
export function countPages(pages: readonly PageReport[]): { readonly [kind in PageReport['kind']]: number } {
  const counts = { added: 0, modified: 0, removed: 0, kept: 0, unchanged: 0 }
  for (const page of pages) counts[page.kind]++
  return counts
}
