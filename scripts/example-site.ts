import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inExample, runCli } from './example-run.ts'

const notePath = 'needs-preview.html'
const note = `<h1>Search and playground need a server</h1><div class="prose"><p>You read this site from files. To search, send requests, print or download, run <code>openapi-pages preview</code> in <code>examples/petstore</code> of the repository. It serves the same pages at <code>http://localhost:3000/</code>.</p></div>`

/**
 * The site of the petstore, for readers who open its files: with relative links, and without scripts, which browsers refuse to load from files.
 *
 * @returns the text of each file, by its path in `examples/petstore-site`
 */
export function renderExampleSite(): Record<string, string> {
  return inExample((folder) => {
    runCli(folder, 'build', '-o', 'site')
    const site = join(folder, 'site')
    const read = (path: string) => readFileSync(join(site, path), 'utf8')
    const html = readdirSync(site, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('index.html'))
    const pages = html.filter((path) => path !== 'search/index.html' && !read(path).includes('http-equiv="refresh"'))
    const known = new Map(pages.map((path) => [`/${path.replace('index.html', '')}`, toFlat(path)]))
    for (const url of ['/search/', '/openapi.json', '/openapi.yaml', '/print.html']) known.set(url, notePath)
    const styles = new Map<string, string>()
    for (const [url = '', name = ''] of read('index.html').matchAll(/\/_assets\/(\w+)-\w+\.css/g)) {
      known.set(url, `${name}.css`)
      styles.set(`${name}.css`, read(url.slice(1)))
    }
    const noted = read('search/index.html')
      .replaceAll('All pages', 'Needs a server')
      .replace(/(<main\b[^>]*>)[\s\S]*<\/main>/, `$1<div class="page"><article>${note}</article></div></main>`)
    const entries = [...pages.map((path) => [toFlat(path), read(path)] as const), [notePath, noted] as const]
    return Object.fromEntries([...styles, ...entries.map(([path, text]) => [path, toStatic(text, path, known)] as const)])
  })
}

/** `a/b/index.html` becomes `a/b.html`. */
function toFlat(path: string): string {
  return path === 'index.html' ? path : path.replace('/index.html', '.html')
}

function toStatic(text: string, path: string, known: ReadonlyMap<string, string>): string {
  const up = '../'.repeat(path.split('/').length - 1)
  return `${text
    .replaceAll(
      /<script\b[^>]*>[\s\S]*?<\/script>|<link rel="(?:alternate|expect)"[^>]*>|<meta (?:http-equiv|name="base")[^>]*>/g,
      '',
    )
    .replaceAll(/<details class="menu">[\s\S]*?<\/details>|<button\b[^>]*data-theme-toggle[\s\S]*?<\/button>/g, '')
    .replaceAll(
      /<button\b[^>]*data-open="playground"[^>]*>([\s\S]*?)<\/button>/g,
      `<a class="btn primary" href="/search/">$1</a>`,
    )
    .replaceAll(/ href="(\/[^"#]*)/g, (_match, target: string) => {
      const found = known.get(target)
      if (found === undefined) throw new Error(`${path} links to ${target}, which the example site does not have`)
      return ` href="${up}${found}`
    })}\n`
}
