import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { type MdxElement, type MdxNode, type MdxValue, valueToNodes } from '../../../script/values/values.ts'
import { readOwn } from '../../../text/json/json-values.ts'
import { listChoices } from '../../../text/plain/lists.ts'
import { isAllowedUrl } from '../../../text/plain/paths.ts'
import { suggest } from '../../../text/plain/suggest.ts'
import type { MdxReader } from '../../content/mdx-reader.ts'
import { isUnknownIcon, toIconFinding } from '../../plan/checks/check-icons.ts'
import { isImagePath, withStyle } from '../../plan/icon-sets.ts'
import { findUnusedOptions, readCodeMeta } from '../code/code-meta.ts'
import type { SiteSource } from '../site-context.ts'
import { readFlag } from './component-props.tsx'
import { componentProperties } from './components.tsx'
import { listSources, toForeignHeadingId } from './content-nodes.tsx'
import { toForeignIds } from './fields.tsx'
import { iconNames } from './icon-component.tsx'
import { readMarkdown } from './markdown-prop.ts'

/** Properties that the reader of pages adds. */
const added = new Set(['dark-style', 'defaultTitleSize'])

/** The most unknown icons of a page that are reported. */
const maxUnknownIcons = 100

/** What nodes show, without rendering them. A test compares the links and IDs with those of the rendered page. */
interface ContentSurvey {
  /** Properties of components, and options of code blocks, that have no effect on a page. Each is reported once, at its first element. */
  readonly findings: readonly Finding[]
  /** The icons of components and code blocks as written, with the first element that has each. */
  readonly icons: ReadonlyMap<string, MdxElement['place']>
  /** The links and images, as written. */
  readonly links: ReadonlySet<string>
  /** The IDs of elements: ours, and those that the original gives them. */
  readonly ids: ReadonlySet<string>
}

/** Checks what a page contains: its syntax, components, properties and icons. Also lists its links and IDs. */
export function checkContent(
  { nodes, findings }: Pick<ReturnType<MdxReader['readPage']>, 'nodes' | 'findings'>,
  { context: { media, plan }, textOf }: Pick<SiteSource, 'context' | 'textOf'>,
): Pick<ContentSurvey, 'findings' | 'links' | 'ids'> {
  const { icons, links, ids, findings: unused } = surveyContent(nodes)
  const source = { icons: media.icons, plan }
  const unknown = [...icons].filter(([icon]) => isUnknownIcon(icon, source)).slice(0, maxUnknownIcons)
  const ofIcons = unknown.map(([icon, place]) => {
    const offsets = locateIcon(icon, place, textOf(place.file) ?? '')
    return toIconFinding(icon, { file: place.file, pointer: '', offsets }, source)
  })
  return { findings: [...findings, ...unused, ...ofIcons], links, ids }
}

/** The name of an icon in the text of its element, else the element. */
function locateIcon(icon: string, { start, end }: MdxElement['place'], text: string) {
  const name = icon.trim().split(/\s/).at(-1) ?? ''
  const written = text.slice(start, end)
  const at = written.indexOf(name, Math.max(0, written.indexOf('icon')))
  return at === -1 ? { start, end } : { start: start + at, end: start + at + name.length }
}

/** Lists what the components of the nodes show, also those in properties. */
export function surveyContent(nodes: readonly MdxNode[]): ContentSurvey {
  const findings = new Map<string, Finding>()
  const icons = new Map<string, MdxElement['place']>()
  const links = new Set<string>()
  const ids = new Set<string>()
  const report = ({ file, start, end }: MdxElement['place'], message: string, hint: string) => {
    if (findings.has(message)) return
    findings.set(message, { code: 'property-not-used', message, file, pointer: '', offsets: { start, end }, hint })
  }
  const addIcon = (place: MdxElement['place'], value: MdxValue | undefined, iconType?: MdxValue) => {
    const name = typeof value === 'string' ? withStyle(value.trim(), iconType) : undefined
    if (name !== undefined && !icons.has(name)) icons.set(name, place)
  }
  const visit = (node: MdxNode): void => {
    if (node.kind === 'text') return
    if (node.kind === 'code') {
      const { icon } = readCodeMeta(node.meta)
      addIcon(node.place, icon)
      if (icon !== undefined && isImagePath(icon)) links.add(icon)
      for (const { name, note, hint } of findUnusedOptions(node.meta))
        report(node.place, `Cannot use \`${name}\` of a code block: ${note}`, hint)
      return
    }
    const { name, props, place } = node
    const known = componentProperties.get(name)
    for (const id of listIdsOf(node)) ids.add(id)
    const keys = name === 'Icon' ? iconNames : ['icon']
    const icon = keys.map((key) => readOwn(props, key)).find((value) => value !== undefined)
    if (known?.includes('icon')) addIcon(place, icon, props['iconType'])
    for (const [key, value] of Object.entries(props)) {
      if (known && !known.includes(key) && key !== 'children') {
        if (isUnused(key, value)) report(place, ...describe(key, name, known))
        continue
      }
      if (typeof value === 'string') for (const url of listUrls(node, key, value)) links.add(url)
      const inside = markdownProps.has(`${name} ${key}`) ? readMarkdown(value) : undefined
      for (const child of inside ?? valueToNodes(value)) visit(child)
    }
    node.children.forEach(visit)
  }
  nodes.forEach(visit)
  return { findings: [...findings.values()], icons, links, ids }
}

/** Whether a property that a component does not read is reported: not if it is off, and not attributes for scripts and screen readers. */
function isUnused(property: string, value: MdxValue): boolean {
  return value !== false && value !== null && !added.has(property) && !/^(?:data|aria)-/.test(property)
}

function describe(property: string, name: string, known: readonly string[]): [message: string, hint: string] {
  const message = `Unexpected property \`${property.slice(0, 100)}\` of \`<${name}>\`: it has no effect`
  const near = suggest(property, known)
  if (near !== undefined) return [message, `Did you mean \`${near}\`?`]
  return [message, known.length === 0 ? 'Remove it' : `Remove it, or use ${listChoices(known.filter((one) => one !== 'class'))}`]
}

const markdownProps = new Set(['Frame hint', 'Frame caption', 'Prompt description', 'Prompt title'])

function listUrls({ name, props }: MdxElement, key: string, value: string): readonly string[] {
  if (/^srcset$/i.test(key)) return listSources(value).map(({ url }) => url)
  const isIcon = key === 'icon' || (name === 'Icon' && (key === 'name' || key === 'src'))
  const isMedia = key === 'src' || key === 'poster' || key === 'img'
  if (isIcon ? !isImagePath(value) : !isMedia && key !== 'href' && key !== 'to') return []
  if (readFlag(props, 'disabled') && key === 'href') return []
  const url = value.trim()
  return isAllowedUrl(url, isIcon || isMedia ? 'media' : 'link') ? [url] : []
}

function listIdsOf(element: MdxElement): readonly string[] {
  const { name, props, children } = element
  const id = typeof props['id'] === 'string' ? props['id'] : undefined
  const anchor = name === 'a' && typeof props['name'] === 'string' ? [props['name']] : []
  const foreign = /^h[2-6]$/.test(name) && id !== undefined ? toForeignHeadingId(children, id) : undefined
  const ofField = name === 'ParamField' || name === 'ResponseField' ? toForeignIds(element) : []
  return [...(id === undefined ? [] : [id]), ...(foreign === undefined ? [] : [foreign]), ...anchor, ...ofField]
}
