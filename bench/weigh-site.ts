import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Weight of pages: median, 95th percentile and maximum. */
interface PageWeights {
  readonly count: number
  /** Compressed HTML. */
  readonly bytes: readonly number[]
  /** Number of elements. */
  readonly elements: readonly number[]
}

/** A page with its compressed size and its number of elements. */
interface PageWeight {
  readonly path: string
  readonly bytes: number
  readonly elements: number
}

/** Weighs the matching pages of a built site. */
export function weighPages(output: string, which: RegExp): PageWeights {
  const pages = listPageWeights(output, which)
  const spread = (field: 'bytes' | 'elements') => toSpread(pages.map((page) => page[field]))
  return { count: pages.length, bytes: spread('bytes'), elements: spread('elements') }
}

/** Weighs each of the matching pages of a built site. */
export function listPageWeights(output: string, which: RegExp): PageWeight[] {
  return listFiles(output)
    .filter((path) => path.endsWith('index.html') && which.test(path))
    .map((path) => {
      const page = readFileSync(join(output, path))
      return { path, bytes: gzipSync(page).length, elements: page.toString().match(/<[a-z]/g)?.length ?? 0 }
    })
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
    `Search index: ${sent(/_search\/names/)} kB gz of names, ${sent(/_search\/parameters/)} kB gz of parameters, ${sent(/_search\/text/)} kB gz of texts.`,
  ]
}

/** Compressed bytes of the scripts that a page loads before a click, and of those that the form of the playground needs in addition. */
export function weighScripts(output: string): { readonly before: number; readonly form: number } {
  const folder = join(output, '_assets')
  const names = listFiles(folder)
  const sumOf = (entries: RegExp) => {
    const found = new Set<string>()
    const add = (name: string) => {
      if (found.has(name)) return
      found.add(name)
      const code = readFileSync(join(folder, name), 'utf8')
      // Static imports. Dynamic ones have parentheses.
      for (const [, imported = ''] of code.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) add(imported)
    }
    for (const name of names.filter((one) => entries.test(one))) add(name)
    return [...found].reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0)
  }
  return { before: sumOf(/^(?:page|theme)-\w+\.js$/), form: sumOf(/^open-playground-\w+\.js$/) }
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
