import { hashContent } from '../files/output-folder.ts'
import { llmsSeparator } from '../site/markdown/render-llms-files.ts'
import type { EarlierBuild } from './earlier-build.ts'
import type { RememberedPage } from './render-memory.ts'

/**
 * Makes the function that gives the Markdown of a page as an earlier build wrote it, cut out of the file that has those of many pages. Absent
 * where it does not stand there as it was.
 */
export function createEarlierTexts({
  memory,
  read,
}: Pick<EarlierBuild, 'memory' | 'read'>): (route: string) => string | undefined {
  const places = new Map<string, { readonly path: string; readonly start: number } & RememberedPage['text']>()
  for (const { files, routes = [] } of memory.groups.values()) {
    const path = files[0]?.path ?? ''
    let start = 0
    for (const route of routes) {
      const { hash = '', length = 0 } = memory.pages.get(route)?.text ?? {}
      places.set(route, { path, start, hash, length })
      start += length + llmsSeparator.length
    }
  }
  let last: { readonly path: string; readonly text: string } | undefined
  const textOf = (path: string): string => {
    // They are asked for in the order in which they stand.
    if (last?.path !== path) last = { path, text: Buffer.from(read(path) ?? []).toString('utf8') }
    return last.text
  }
  return (route) => {
    const place = places.get(route)
    const text = place && textOf(place.path).slice(place.start, place.start + place.length)
    return text !== undefined && hashContent(text) === place?.hash ? text : undefined
  }
}
