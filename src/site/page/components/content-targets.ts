import { type MdxElement, type MdxNode, valueToNodes } from '../../../script/values/values.ts'
import { isAllowedUrl } from '../../../text/plain/paths.ts'
import { isImagePath } from '../../plan/icon-sets.ts'
import { readCodeMeta } from '../code/code-meta.ts'
import { readFlag } from './component-props.tsx'
import { componentProperties } from './component-table.ts'
import { listSources, toForeignHeadingId } from './content-nodes.tsx'
import { toForeignIds } from './fields.tsx'
import { readMarkdown } from './markdown-prop.ts'

/** The links, images and element IDs of the content of a page, without rendering it. */
interface ContentTargets {
  readonly links: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
}

/** Lists what the components of the nodes show. A test compares it with what they render. */
export function listContentTargets(nodes: readonly MdxNode[]): ContentTargets {
  const links = new Set<string>()
  const ids = new Set<string>()
  const addAll = (all: readonly MdxNode[]): void => all.forEach(add)
  const add = (node: MdxNode): void => {
    if (node.kind === 'text') return
    if (node.kind === 'code') {
      const { icon } = readCodeMeta(node.meta)
      if (icon !== undefined && isImagePath(icon)) links.add(icon)
      return
    }
    for (const id of listIdsOf(node)) ids.add(id)
    const properties = componentProperties.get(node.name)
    for (const [key, value] of Object.entries(node.props)) {
      if (properties && !properties.includes(key) && key !== 'children') continue
      if (typeof value === 'string') for (const url of listUrls(node, key, value)) links.add(url)
      addAll((markdownProps.has(`${node.name} ${key}`) ? readMarkdown(value) : undefined) ?? valueToNodes(value))
    }
    addAll(node.children)
  }
  addAll(nodes)
  return { links, ids }
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

/** The IDs of an element: ours, and those that the original gives it. */
function listIdsOf(element: MdxElement): readonly string[] {
  const { name, props, children } = element
  const id = typeof props['id'] === 'string' ? props['id'] : undefined
  const anchor = name === 'a' && typeof props['name'] === 'string' ? [props['name']] : []
  const foreign = /^h[2-6]$/.test(name) && id !== undefined ? toForeignHeadingId(children, id) : undefined
  const ofField = name === 'ParamField' || name === 'ResponseField' ? toForeignIds(element) : []
  return [...(id === undefined ? [] : [id]), ...(foreign === undefined ? [] : [foreign]), ...anchor, ...ofField]
}
