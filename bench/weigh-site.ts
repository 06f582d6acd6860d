import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Weight of pages: median, 95th percentile and maximum. */
export interface PageWeights {
  readonly count: number
  /** Compressed HTML. */
  readonly bytes: readonly number[]
  /** Number of elements. */
  readonly elements: readonly number[]
}

/** Weighs the matching pages of a built site. */
export function weighPages(output: string, which: RegExp): PageWeights {
  const bytes: number[] = []
  const elements: number[] = []
  for (const path of listFiles(output)) {
    if (!path.endsWith('index.html') || !which.test(path)) continue
    const page = readFileSync(join(output, path))
    bytes.push(gzipSync(page).length)
    elements.push(page.toString().match(/<[a-z]/g)?.length ?? 0)
  }
  return { count: bytes.length, bytes: toSpread(bytes), elements: toSpread(elements) }
}

/** Markdown lines with the weight of a site: pages, scripts and styles before the first click, and the search index. */
export function weighSite(output: string): string[] {
  const { count, bytes, elements } = weighPages(output, /(?:)/)
  const files = listFiles(output)
  const sent = (name: RegExp) =>
    kilobytes(
      files.filter((path) => name.test(path)).reduce((sum, path) => sum + gzipSync(readFileSync(join(output, path))).length, 0),
    )
  return [
    `\n| what ${count} pages weigh | p50 | p95 | most |\n| --- | ---: | ---: | ---: |`,
    `| HTML, gz kB | ${bytes.map(kilobytes).join(' | ')} |`,
    `| elements | ${elements.join(' | ')} |`,
    `\nBefore a click also: scripts ${sent(/_assets\/(?:page|theme)-[^/]*\.js$/)} kB gz, stylesheet ${sent(/_assets\/site-[^/]*\.css$/)} kB gz.`,
    ...(files.some((path) => path.startsWith('_assets/diagrams/'))
      ? [
          `Pages with diagrams also: ${sent(/_assets\/diagrams\/diagrams-[^/]*\.js$/)} kB gz. Mermaid: ${sent(/_assets\/diagrams\//)} kB gz in all.`,
        ]
      : []),
    `Search index: ${sent(/_search\/names/)} kB gz of names, ${sent(/_search\/text/)} kB gz of texts.`,
  ]
}

function toSpread(numbers: readonly number[]): number[] {
  const sorted = numbers.toSorted((a, b) => a - b)
  return [0.5, 0.95, 1].map((share) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}
