import { joinPath, normalizePath } from '../../source/relative-path.ts'
import { suggest } from '../../source/suggest.ts'
import { type CleanElement, cleanElement, isAllowedFrame } from './allowed-html.ts'
import { textOf, toProps } from './mdx-values.ts'
import type { ParsedMdx } from './parsed-mdx.ts'
import { type PageRun, type Piece, type RawElement, reportAt } from './piece.ts'
import type { MdxHeading, MdxNode, MdxProps, MdxValue } from './types.ts'

/** What an element shows: itself where it is allowed or a known component, what a snippet has in it, or only its children. */
export function toElement(element: RawElement, piece: Piece): readonly MdxNode[] {
  const { name, place } = element
  const { run } = piece
  if (--run.budget.nodes < 0) return []
  if (/^[a-z]/.test(name) && !name.includes('.')) return toHtml(element, piece)
  const entry = piece.scope.get(name.split('.')[0] ?? name)
  if (entry?.kind === 'snippet' || entry?.kind === 'function') return run.fillComponent(entry, element, piece)
  if (entry?.kind === 'unavailable') {
    return [
      {
        kind: 'element',
        name: 'Unavailable',
        props: toProps([...Object.entries(element.props), ['name', name], ['from', entry.from]]),
        children: element.children(),
        place,
      },
    ]
  }
  if (run.components.has(name)) {
    // Before the children: headings inside come after it.
    const props = withAnchor(element, run)
    return [{ kind: 'element', name, props, children: element.children(), place }]
  }
  if (name === 'Snippet') {
    const snippet = findOldSnippet(element.props, run)
    if (snippet) return run.fillComponent({ kind: 'snippet', snippet }, element, piece)
  }
  const near = suggest(name, run.components)
  reportAt(run, place, {
    code: 'unknown-component',
    message: `Unexpected component \`<${name}>\`, which is neither known nor imported; only what is inside it is shown`,
    ...(near !== undefined && { hint: `did you mean \`<${near}>\`?` }),
  })
  return element.children()
}

function toHtml({ name, props, children, place }: RawElement, { run }: Piece): readonly MdxNode[] {
  const source = props['src']
  const isRefusedFrame = name.toLowerCase() === 'iframe' && !(typeof source === 'string' && isAllowedFrame(source))
  const clean: CleanElement = isRefusedFrame ? { kind: 'nothing' } : cleanElement(name, props)
  if (clean.kind === 'element') return [{ ...clean, children: children(), place }]
  const what = isRefusedFrame
    ? `\`<iframe>\` of ${typeof source === 'string' ? `\`${source.slice(0, 200)}\`` : 'no address'}`
    : `\`<${name}>\``
  const message = `${what} is not shown${clean.kind === 'children' ? ', only what is inside it' : ''}`
  reportAt(run, place, { code: 'refused-html', message, hint: hintOf(name.toLowerCase()) })
  return clean.kind === 'children' ? children() : []
}

function hintOf(name: string): string {
  if (name === 'iframe') return 'link to it; films of the usual players can be framed'
  return 'a page may use HTML that shows something, not what runs or sends'
}

interface Anchored {
  /** The prop that says what it is called, the first that is there. */
  readonly names: readonly string[]
  readonly prefix?: string
  /** Where it stands among the contents of the page; absent: nowhere. */
  readonly depth?: 2 | 3
  /** Its title is a heading below another: of the level above where there is none, as a page may not leave one out. */
  readonly isBelow?: boolean
}

const field: Anchored = { names: ['path', 'query', 'body', 'header', 'cookie', 'name'], prefix: 'param-' }

/** Components with an address of their own on the page. */
const anchored: ReadonlyMap<string, Anchored> = new Map<string, Anchored>([
  ['Step', { names: ['title'], depth: 3, isBelow: true }],
  ['Update', { names: ['label'], depth: 2 }],
  ['Accordion', { names: ['title'] }],
  ['Tab', { names: ['title'] }],
  ['View', { names: ['title'] }],
  ['ParamField', field],
  ['ResponseField', { ...field, prefix: 'field-' }],
])

/** Titles of steps that stand below no other heading; they do not count as one for those after them. */
const topSteps = new WeakSet<MdxHeading>()

/** The props of a component with the `id` that it has on the page: the written one, else one made from what it is called. */
function withAnchor({ name, props }: RawElement, run: PageRun): MdxProps {
  const rule = anchored.get(name)
  if (!rule) return props
  const title = rule.names.map((one) => toText(props[one])).find((text) => text !== '') ?? ''
  const written = toText(props['id'])
  if (title === '' && written === '') return props
  const id = written === '' ? run.slugger.slug(`${rule.prefix ?? ''}${title}`) : run.slugger.slug(written, true)
  const isListed = rule.depth !== undefined && title !== '' && props['noAnchor'] !== true && props['titleSize'] !== 'p'
  const isTop = rule.isBelow === true && !run.headings.some((heading) => heading.depth === 2 && !topSteps.has(heading))
  if (isListed) {
    const heading = { depth: isTop ? 2 : rule.depth, id, text: title }
    if (isTop) topSteps.add(heading)
    run.headings.push(heading)
  }
  return toProps([...Object.entries(props), ['id', id], ...(isTop ? [['usualTitleSize', 'h2'] as const] : [])])
}

function toText(value: MdxValue | undefined): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim()
  return typeof value === 'object' && value?.kind === 'fragment' ? textOf(value.children).trim() : ''
}

/** The snippet of `<Snippet file="name.mdx" />`, the way before imports: a file of `snippets/` or `_snippets/`. */
function findOldSnippet({ file }: MdxProps, run: PageRun): ParsedMdx | undefined {
  if (typeof file !== 'string' || !/\.mdx?$/i.test(file)) return undefined
  for (const folder of ['snippets', '_snippets']) {
    const path = normalizePath(joinPath(run.root, `${folder}/${file}`))
    const prefix = run.root === '' ? `${folder}/` : `${run.root}/${folder}/`
    const snippet = path.startsWith(prefix) ? run.readSnippet(path) : undefined
    if (snippet) return snippet
  }
  return undefined
}
