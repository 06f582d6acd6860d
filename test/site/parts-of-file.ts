import { structuredPatch } from 'diff'
import { unescapeHtml } from '../../src/text/plain/escape-text.ts'

interface PageElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly parent: PageElement | undefined
  readonly start: number
  end: number
}

const token = /<!--.*?-->|<(script|style)\b((?:"[^"]*"|[^">])*)>.*?<\/\1>|<(\/?)([a-z][\w-]*)((?:"[^"]*"|[^">])*)>/gis
const withoutEnd = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])

/** The elements of a page of ours, in which all elements have an end and all values are in double quotes. */
function listElements(html: string): readonly PageElement[] {
  const found: PageElement[] = []
  let open: PageElement | undefined
  for (const { 0: whole, 1: raw, 2: ofRaw, 3: slash, 4: name = '', 5: ofElement, index } of html.matchAll(token)) {
    const end = index + whole.length
    if (slash === '/') {
      if (open?.name !== name) throw new Error(`Unexpected </${name}> in <${open?.name}> at ${index}`)
      open.end = end
      open = open.parent
    } else if (!whole.startsWith('<!--')) {
      const written = (ofRaw ?? ofElement ?? '').matchAll(/([^\s="/]+)(?:="([^"]*)")?/g)
      const attributes = new Map(Array.from(written, ([, key = '', value = '']) => [key, unescapeHtml(value)] as const))
      const element = { name: raw ?? name, attributes, parent: open, start: index, end }
      found.push(element)
      if (raw === undefined && !withoutEnd.has(name) && !whole.endsWith('/>')) open = element
    }
  }
  return found
}

/** Whether an element has the name, ID, classes and attributes in `name#id.class[key=value]`. */
function matches({ name, attributes }: PageElement, selector: string): boolean {
  const [, wanted = '', ...rest] = /^([\w-]*)(.*)$/.exec(selector) ?? []
  const parts = rest.join('').match(/[#.][\w-]+|\[[^\]]*\]/g) ?? []
  const classes = attributes.get('class')?.split(' ') ?? []
  return (
    (wanted === '' || wanted === name) &&
    parts.every((part) => {
      if (part.startsWith('#')) return attributes.get('id') === part.slice(1)
      if (part.startsWith('.')) return classes.includes(part.slice(1))
      const [key = '', value] = part.slice(1, -1).split('=')
      return value === undefined ? attributes.has(key) : attributes.get(key) === value
    })
  )
}

function isSelected(element: PageElement | undefined, steps: readonly string[]): boolean {
  const [last = '', ...before] = steps
  if (element === undefined || !matches(element, last)) return false
  const isInside = (parent: PageElement | undefined): boolean =>
    parent !== undefined && (isSelected(parent, before) || isInside(parent.parent))
  return before.length === 0 || isInside(element.parent)
}

/** One element on a line, data as JSON, and icons without their drawings. */
const toLines = (html: string) =>
  html
    .replace(
      /(<script type="application\/ld\+json">)(.*?)(?=<\/script>)/gs,
      (_, tag, json) => tag + toJson(json).replaceAll('<', '\\u003c'),
    )
    .replace(/(<symbol\b[^>]*>).*?<\/symbol>/gs, '$1</symbol>')
    .replaceAll('><', '>\n<')
    .replace(/(<(\w+)[^<>\n]*>)\n(?=<\/\2>)/g, '$1')

const toJson = (text: string) => JSON.stringify(JSON.parse(text), undefined, 2)

/** The text that readers see. Lines of code stay lines. */
const toText = (html: string) => unescapeHtml(html.replace(/<(?:script|style)\b.*?<\/(?:script|style)>|<[^>]*>/gs, ''))

/**
 * Parts of a file of a site: `all` of it, what is different from `plain` (`diff`), what matches an `/expression/`, or the elements that
 * match a selector such as `main nav.pager`, with one element on a line; only their text with `text` before the selector.
 */
export function partsOfFile(path: string, content: string, wanted: string, plain = ''): string {
  if (wanted === 'diff') return diff(plain, content)
  if (wanted === 'all') return path.endsWith('.json') ? toJson(content) : toLines(content)
  if (wanted.startsWith('/')) return (content.match(new RegExp(wanted.slice(1, -1), 'gms')) ?? []).map(toLines).join('\n')
  const steps = wanted.match(/(?:\[[^\]]*\]|\S)+/g) ?? []
  const isText = steps[0] === 'text'
  const selector = steps.slice(isText ? 1 : 0).reverse()
  const found = listElements(content).filter((element) => isSelected(element, selector))
  return found
    .map(({ start, end }) => content.slice(start, end))
    .map((html) => (isText ? toText(html) : toLines(html)))
    .join('\n')
}

function diff(before: string, after: string): string {
  const { hunks } = structuredPatch('', '', toLines(before), toLines(after), '', '', { context: 0 })
  return hunks.map(({ lines }) => lines.filter((line) => !line.startsWith('\\')).join('\n')).join('\n…\n')
}
