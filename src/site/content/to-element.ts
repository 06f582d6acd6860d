import { type MdxHeading, type MdxNode, type MdxProps, toProps, valueToText } from '../../script/values/values.ts'
import { readOwn, stringOf } from '../../text/json/json-values.ts'
import { suggest } from '../../text/plain/suggest.ts'
import { type CleanElement, cleanElement, isAllowedFrame } from './allowed/allowed-html.ts'
import { cleanSvgProps, isSvgName } from './allowed/allowed-svg.ts'
import { fitContent } from './inline-content.ts'
import { type PageRun, type RawElement, reportAt } from './piece.ts'

/** Shows an allowed HTML element or a component of the site, or only the children of others. */
export function toElement(element: RawElement, run: PageRun): readonly MdxNode[] {
  const { name, place } = element
  if (--run.budget.nodes < 0) return []
  if (/^[a-z]/.test(name) && !name.includes('.')) return toHtml(element, run)
  if (run.components.has(name)) {
    // Must run before the children, because headings inside come after it.
    const props = withAnchor(element, run)
    return [{ kind: 'element', name, props, children: element.children(), place }]
  }
  const tab = toTab(element, run)
  if (tab) {
    const message = `Unexpected component \`<${name}>\`: it is shown as a \`<Tab>\``
    reportAt(run, place, { code: 'unknown-component', message, hint: 'Use `<Tab title="…">`' })
    return [tab]
  }
  const near = suggest(name, run.components)
  reportAt(run, place, {
    code: 'unknown-component',
    message: `Unexpected component \`<${name}>\`: only its content is shown`,
    ...(near !== undefined && { hint: `Did you mean \`<${near}>\`?` }),
  })
  return element.children()
}

/** A panel of tabs by another name, such as `<TabItem label>`, so that readers see one panel at a time. */
export function toTab({ name, props, children, place }: RawElement, run: PageRun): MdxNode | undefined {
  const isPanel = run.components.has('Tab') && /Tab(?:s?(?:Item|Panel|Pane|Content))?$/.test(name)
  const title =
    isPanel && ['label', 'title', 'name', 'value'].map((key) => valueToText(readOwn(props, key))).find((text) => text !== '')
  if (!title) return undefined
  return { kind: 'element', name: 'Tab', props: toProps([['title', title]]), children: children(), place }
}

function toHtml(element: RawElement, run: PageRun): readonly MdxNode[] {
  const { name, children, place } = element
  if (isSvgName(name)) return toSvg(element, run)
  const props = name.toLowerCase() === 'iframe' ? withScheme(element.props) : element.props
  const source = stringOf(props['src'])
  const isRefusedFrame = name.toLowerCase() === 'iframe' && !isAllowedFrame(source ?? '')
  const clean: CleanElement = isRefusedFrame ? { kind: 'nothing' } : cleanElement(name, props)
  if (clean.kind === 'element') return [fitContent({ ...clean, children: children(), place })]
  const what = isRefusedFrame
    ? `\`<iframe>\` ${source !== undefined ? `with \`${source.slice(0, 200)}\`` : 'without a URL'}`
    : `\`<${name}>\``
  const message = `Unsupported ${what}: ${clean.kind === 'children' ? 'only its content is shown' : 'it is not shown'}`
  reportAt(run, place, { code: 'refused-html', message, hint: toRefusalHint(name.toLowerCase()) })
  return clean.kind === 'children' ? children() : []
}

/** As in a page with `https`. */
function withScheme(props: MdxProps): MdxProps {
  const source = props['src']
  if (typeof source !== 'string' || !/^\s*\/\//.test(source)) return props
  return toProps([...Object.entries(props), ['src', `https:${source.trim()}`]])
}

function toSvg({ name, props, children, place }: RawElement, run: PageRun): readonly MdxNode[] {
  const clean = cleanSvgProps(name, props)
  run.budget.hasDrawings = true
  if (name === 'use' && clean['href'] === undefined) {
    const href = valueToText(props['href'] ?? props['xlinkHref'] ?? props['xlink:href'])
    reportAt(run, place, {
      code: 'refused-html',
      message: `Unsupported \`<use>\`${href === '' ? '' : ` with \`${href.slice(0, 200)}\``}: it is not shown`,
      hint: 'Write the drawing into the page, and refer to it with `#` and its ID',
    })
    return []
  }
  return [{ kind: 'element', name: name.toLowerCase(), props: clean, children: children(), place }]
}

function toRefusalHint(name: string): string {
  if (name === 'iframe') return 'Use a link. Only common video players and code editors can be embedded'
  return 'Use only HTML that displays content, not elements that run scripts or send data'
}

interface Anchored {
  /** The prop with the element's title. The first existing one is used. */
  readonly names: readonly string[]
  readonly prefix?: string
  /** Heading level in the table of contents. Absent if the element is not listed. */
  readonly depth?: 2 | 3
  /** The title is a subheading. If there is no heading above, it moves up one level so that no level is skipped. */
  readonly isBelow?: boolean
}

const field: Anchored = { names: ['path', 'query', 'body', 'header', 'cookie', 'name'], prefix: 'param-' }

const anchoredComponents: ReadonlyMap<string, Anchored> = new Map<string, Anchored>([
  ['Step', { names: ['title'], depth: 3, isBelow: true }],
  ['Update', { names: ['label'], depth: 2 }],
  ['Accordion', { names: ['title'] }],
  ['Tab', { names: ['title'] }],
  ['View', { names: ['title'] }],
  ['ParamField', field],
  ['ResponseField', { ...field, prefix: 'field-' }],
])

/** Titles of steps without a heading above. They do not count as a heading for later elements. */
const topSteps = new WeakSet<MdxHeading>()

/** Returns the props of a component with its `id`: as written, or else derived from its title. */
function withAnchor({ name, props }: RawElement, run: PageRun): MdxProps {
  const rule = anchoredComponents.get(name)
  if (!rule) return props
  const title = rule.names.map((one) => valueToText(readOwn(props, one))).find((text) => text !== '') ?? ''
  const written = valueToText(props['id'])
  if (title === '' && written === '') return props
  const id = written === '' ? run.slugger.slug(`${rule.prefix ?? ''}${title}`) : run.slugger.slug(written, true)
  const isListed = rule.depth !== undefined && title !== '' && props['noAnchor'] !== true && props['titleSize'] !== 'p'
  const isTop = rule.isBelow === true && !run.headings.some((heading) => heading.depth === 2 && !topSteps.has(heading))
  if (isListed) {
    const heading = { depth: isTop ? 2 : rule.depth, id, text: title }
    if (isTop) topSteps.add(heading)
    run.headings.push(heading)
  }
  return toProps([...Object.entries(props), ['id', id], ...(isTop ? [['defaultTitleSize', 'h2'] as const] : [])])
}
