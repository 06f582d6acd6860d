import { addTo } from '../../src/text/plain/lists.ts'

type SiteFormat = 'HTML' | 'Markdown'

/** What a page shows. All texts are reduced to their letters and digits. */
export interface ShownPage {
  readonly format: SiteFormat
  readonly all: string
  /** The rows, by name. */
  readonly rows: ReadonlyMap<string, readonly ShownRow[]>
  /** The routes that it links to. */
  readonly links: ReadonlySet<string>
  /** The text of its part pages outside of rows: that of the row that they continue. */
  readonly parts: string
}

interface ShownRow {
  /** Its own text, reduced. */
  readonly text: string
  /** The texts of the list items in it, as they are written. */
  readonly items: readonly string[]
}

/** Reads the files of a page and of its parts in a format, by path. */
export function readShownPage(format: SiteFormat, files: readonly (readonly [string, string])[]): ShownPage {
  const rows = new Map<string, ShownRow[]>()
  const links = new Set<string>()
  const addRow: AddRow = (name, text, items = []) => addTo(rows, squashPlain(name), { text, items })
  const read = format === 'HTML' ? readHtml : readMarkdown
  const texts = files
    .filter(([path]) => path.endsWith('.md') === (format === 'Markdown'))
    .map(([path, page]) => ({ ...read(page, addRow, links), isPart: path.includes('_parts/') }))
  return {
    format,
    all: texts.map(({ all }) => all).join(' '),
    rows,
    links,
    parts: texts.map(({ outside, isPart }) => (isPart ? outside : '')).join(''),
  }
}

type AddRow = (name: string, text: string, items?: readonly string[]) => void

/** All text of a page, and the text outside of rows. */
interface PageText {
  readonly all: string
  readonly outside: string
}

/** Reads the rows of a page: list items with a `p-head`, whose name is a link or has a class. The text of other items is that of the row around them. */
function readHtml(page: string, addRow: AddRow, links: Set<string>): PageText {
  const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'))
  for (const [, href = ''] of main.matchAll(/ href="\/([^"#]*?)\/?"/g)) links.add(href)
  const createRow = (): { text: string; name: string | undefined; items: string[] } => ({ text: '', name: undefined, items: [] })
  const outside = createRow()
  const stack = [outside]
  let at: 'head' | 'name' | undefined
  for (const [token] of main.matchAll(/<[^>]*>|[^<]+/g)) {
    const top = stack.at(-1) ?? outside
    if (/^<li\b/.test(token)) stack.push(createRow())
    else if (token === '</li>') {
      stack.pop()
      const around = stack.at(-1) ?? outside
      if (top.name === undefined) {
        around.text += ` ${top.text}`
        around.items.push(decodeEntities(top.text), ...top.items)
      } else addRow(decodeEntities(top.name), squashPlain(decodeEntities(top.text)), top.items)
    } else if (token.startsWith('<p class="p-head"')) at = 'head'
    else if (at === 'head' && /^<(?:a |span class="p-name")/.test(token)) at = 'name'
    else if (!token.startsWith('<')) {
      if (at === 'name') top.name ??= token
      if (at === 'name') at = undefined
      top.text += token
    }
  }
  return { all: squashHtml(main), outside: squashPlain(decodeEntities(outside.text)) }
}

/** Reads the rows of a page: list items that begin with a name in code. Other items are part of the row around them. */
function readMarkdown(page: string, addRow: AddRow, links: Set<string>): PageText {
  for (const [, href = ''] of page.matchAll(/\]\(\/([^()\s]*)\.md\)/g)) links.add(href)
  const stack: { indent: number; name: string; text: string }[] = []
  const close = (indent: number) => {
    for (let top = stack.at(-1); top && top.indent >= indent; top = stack.at(-1)) {
      stack.pop()
      addRow(top.name, squashMarkdown(top.text))
    }
  }
  for (const line of page.split('\n')) {
    const [, space = '', , name] = /^( *)- (`+) ?(.+?) ?\2 \(/.exec(line) ?? []
    const indent = /^ */.exec(line)?.[0].length ?? 0
    if (name !== undefined) {
      close(space.length)
      stack.push({ indent: space.length, name, text: '' })
    } else if (line.trim() !== '') close(indent === 0 ? 0 : /^ *- /.test(line) ? indent : Math.max(1, indent - 1))
    const top = stack.at(-1)
    if (top) top.text += `${line}\n`
  }
  close(0)
  const all = squashMarkdown(page)
  return { all, outside: all }
}

/** The letters and digits of a text. */
export function squashPlain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Markdown without what is not shown: URLs of links, tags, and the language of code. */
function toPlainText(markdown: string): string {
  return decodeEntities(
    markdown
      .replace(
        /^([ \t]*)(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:\n[ \t]*\2[`~]*[ \t]*$|(?![\s\S]))/gm,
        (_, _indent, _fence, code: string) => ` ${code.replace(/[<>[\]()]/g, ' ')}\0 `,
      )
      .replace(/^([ \t]*>[ \t]*)\[!\w+\]/gm, '$1')
      .replace(/\\([<>[\]`])/g, ' ')
      .replace(
        /(?<!`)(`+)(?!`)((?:(?!\n\n)[\s\S])+?)(?<!`)\1(?!`)/g,
        (_, _fence, code: string) => ` ${code.replace(/[<>[\]()]/g, ' ')}\0 `,
      )
      .replace(/^[ \t]*\[[^\]\n]+\]:[ \t]*\S+.*$/gm, ' ')
      .replace(/!\[([^\]]*)\]\([^)]*\)/g, ' ')
      .replace(/\]\(\s*<?[^()\s]*(?:\([^()]*\)[^()\s]*)*>?(?:\s+"[^"]*")?\s*\)/g, ']')
      .replace(/\]\[[^[\]]*\]/g, ']')
      .replace(/^[ \t>]*\d+[.)][ \t]/gm, ' ')
      // Names of unknown elements are text: `List<String>`.
      .replace(/<\/?([a-zA-Z][a-zA-Z0-9-]*)(?:\s[^<>\0]*)?\/?>|<!--[\s\S]*?-->/g, (tag, name?: string) =>
        name === undefined || elements.has(name.toLowerCase()) ? ' ' : tag,
      ),
  )
}

const elements = new Set(
  [
    'a abbr article b blockquote br button center cite code dd del details div dl dt em font h1 h2 h3 h4 h5 h6 hr i iframe img ins',
    'kbd li mark ol p pre s samp section small span strong sub summary sup table tbody td th thead tr tt u ul var video',
  ].flatMap((names) => names.split(' ')),
)

export function decodeEntities(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(
      /&(?:lt|gt|quot|apos|nbsp|amp);/g,
      (name) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&nbsp;': ' ', '&amp;': '&' })[name] ?? name,
    )
}

function squashHtml(html: string): string {
  return squashPlain(decodeEntities(html.replace(/<svg[\s\S]*?<\/svg>/g, ' ').replace(/<[^>]*>/g, '')))
}

/** The letters and digits of a Markdown text that readers see. */
export function squashMarkdown(text: string): string {
  return squashPlain(toPlainText(text))
}
