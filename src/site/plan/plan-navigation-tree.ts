import { type Division, type DocsConfig, toPageEntry } from '../../docs/navigation/docs-config.ts'
import { isObject, type JsonObject, readOwn, valueAtPointer } from '../../text/json/json-values.ts'
import { isAllowedUrl, isUrl } from '../../text/plain/paths.ts'
import { iconLibraries, withStyle } from './icon-sets.ts'
import type { DivisionNode, NavigationNode } from './types.ts'

/** Functions that find the page of a navigation entry. */
interface FindRoute {
  /** The route of a page by its path without extension; `undefined` if there is no such page. */
  readonly ofPath: (path: string) => string | undefined
  /** The route of an entry such as `GET /pets`, by the entry's pointer. */
  readonly ofEntry: (pointer: string) => string | undefined
  /** The route of the page that replaces the pages of a division, by the division's pointer. */
  readonly ofDivision: (pointer: string) => string | undefined
}

/**
 * Creates the navigation tree of `docs.json`, in document order. Skips entries without a page, which the checks of `docs.json` report.
 */
export function planNavigationTree(docsConfig: DocsConfig, find: FindRoute): DivisionNode {
  const byPointer = new Map(docsConfig.divisions.map((division) => [division.pointer, division]))
  const [root] = docsConfig.divisions
  const none: DivisionNode = { ...emptyNode, kind: 'navigation', id: '/navigation' }
  return root ? toDivision(root, { value: docsConfig.value, byPointer, find }) : none
}

interface TreeContext {
  readonly value: JsonObject
  readonly byPointer: ReadonlyMap<string, Division>
  readonly find: FindRoute
}

const listKeys = ['products', 'languages', 'versions', 'tabs', 'dropdowns', 'anchors', 'menu', 'groups', 'pages'] as const

function toDivision(division: Division, context: TreeContext, inherited: DivisionNode['directory'] = 'none'): DivisionNode {
  const value = valueAt(context.value, division.pointer)
  const directory = (['none', 'accordion', 'card'] as const).find((one) => one === value['directory']) ?? inherited
  const text = (key: string) => readText(value, key)
  const href = text('href')
  const made = context.find.ofDivision(division.pointer)
  const root = text('root') === undefined ? undefined : context.find.ofPath(toPageEntry(text('root') ?? ''))
  const boost = division.kind === 'group' ? readBoost(value['boost']) : undefined
  const children = Object.keys(value).flatMap((key) => {
    const isList = listKeys.some((one) => one === key)
    return isList ? toChildren(division, key, context, directory) : []
  })
  // The label of the group already links to its page.
  const listed = children.filter((child) => child.kind !== 'page' || root === undefined || child.route !== root)
  return {
    kind: division.kind,
    id: division.id,
    label: division.kind === 'product' ? (text('name') ?? division.label) : division.label,
    icon: readIcon(value['icon'], value['iconType']),
    description: text('description'),
    tag: text('tag'),
    hidden: value['hidden'] === true,
    isDefault: value['default'] === true,
    searchable: value['searchable'] === true,
    ...(boost !== undefined && { boost }),
    expanded: value['expanded'] === true,
    root,
    href: href !== undefined && isAllowedUrl(href, 'link') ? href : undefined,
    directory,
    children: [...listed, ...(made === undefined ? [] : [{ kind: 'page', route: made } as const]), ...toGlobal(value)],
  }
}

function toChildren(
  division: Division,
  key: string,
  context: TreeContext,
  directory: DivisionNode['directory'],
): NavigationNode[] {
  const list = readOwn(valueAt(context.value, division.pointer), key)
  if (!Array.isArray(list)) return []
  return list.flatMap((element: unknown, index): NavigationNode[] => {
    const pointer = `${division.pointer}/${key}/${index}`
    const child = context.byPointer.get(pointer)
    if (child) return [toDivision(child, context, directory)]
    if (typeof element !== 'string' || key !== 'pages') return []
    if (isUrl(element) && isAllowedUrl(element, 'link'))
      return [{ kind: 'link', label: element.replace(/^https?:\/\//i, ''), href: element, icon: undefined }]
    const route = context.find.ofEntry(pointer) ?? context.find.ofPath(toPageEntry(element))
    return route === undefined ? [] : [{ kind: 'page', route }]
  })
}

/** `global`: links that every division shows. */
function toGlobal(value: JsonObject): NavigationNode[] {
  const global = value['global']
  if (!isObject(global)) return []
  return Object.keys(global).flatMap((key) => {
    const list = global[key]
    if (!Array.isArray(list)) return []
    const labelKey = key === 'menu' ? 'item' : key.replace(/s$/, '')
    return list.filter(isObject).flatMap((element): NavigationNode[] => {
      const href = readText(element, 'href')
      const label = readText(element, labelKey)
      const isShown = href !== undefined && label !== undefined && element['hidden'] !== true && isAllowedUrl(href, 'link')
      return isShown ? [{ kind: 'link', label, href, icon: readIcon(element['icon'], element['iconType']) }] : []
    })
  })
}

/** An icon is a name, or an object with `name`, `style` and `library`. `type` is the Font Awesome style. */
export function readIcon(value: unknown, type?: unknown): string | undefined {
  if (typeof value === 'string') return withStyle(value, type)
  if (!isObject(value)) return undefined
  const name = withStyle(readText(value, 'name'), value['style'] ?? type)
  const library = iconLibraries.find((one) => one === value['library'])
  return name !== undefined && library !== undefined ? `${library}:${name}` : name
}

/** The `boost` of a page or group: a number greater than 0. */
export function readBoost(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined
}

function readText(value: JsonObject, key: string): string | undefined {
  const found = readOwn(value, key)
  return typeof found === 'string' && found !== '' ? found : undefined
}

function valueAt(top: JsonObject, pointer: string): JsonObject {
  const value = valueAtPointer(top, pointer)
  return isObject(value) ? value : {}
}

const emptyNode: Omit<DivisionNode, 'kind' | 'id'> = {
  label: '',
  icon: undefined,
  description: undefined,
  tag: undefined,
  hidden: false,
  isDefault: false,
  searchable: false,
  expanded: false,
  root: undefined,
  href: undefined,
  directory: 'none',
  children: [],
}
