import { type Division, type DocsConfig, toPageEntry } from '../../docs/navigation/docs-config.ts'
import {
  entriesOf,
  type JsonObject,
  listObjects,
  listOf,
  readFlag,
  readOwn,
  readText,
  valueAtPointer,
} from '../../text/json/json-values.ts'
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
  return root ? toDivision(root, { value: docsConfig.value, byPointer, find, directory: 'none' }) : none
}

interface TreeContext {
  readonly value: JsonObject
  readonly byPointer: ReadonlyMap<string, Division>
  readonly find: FindRoute
  /** Of the division around. */
  readonly directory: DivisionNode['directory']
}

const listKeys = ['products', 'languages', 'versions', 'tabs', 'dropdowns', 'anchors', 'menu', 'groups', 'pages'] as const

function toDivision(division: Division, context: TreeContext): DivisionNode {
  const value = valueAtPointer(context.value, division.pointer)
  const directory =
    (['none', 'accordion', 'card'] as const).find((one) => one === readOwn(value, 'directory')) ?? context.directory
  const text = (key: string) => readText(value, key) || undefined
  const href = text('href')
  const made = context.find.ofDivision(division.pointer)
  const root = text('root') === undefined ? undefined : context.find.ofPath(toPageEntry(text('root') ?? ''))
  const boost = division.kind === 'group' ? readBoost(readOwn(value, 'boost')) : undefined
  const children = entriesOf(value).flatMap(([key, list]) => {
    const isList = listKeys.some((one) => one === key)
    return isList ? toChildren(division, key, list, { ...context, directory }) : []
  })
  // The label of the group already links to its page.
  const listed = children.filter((child) => child.kind !== 'page' || root === undefined || child.route !== root)
  return {
    kind: division.kind,
    id: division.id,
    label: division.kind === 'product' ? (text('name') ?? division.label) : division.label,
    icon: readIcon(readOwn(value, 'icon'), readOwn(value, 'iconType')),
    description: text('description'),
    tag: text('tag'),
    hidden: readFlag(value, 'hidden'),
    isDefault: readFlag(value, 'default'),
    searchable: readFlag(value, 'searchable'),
    ...(boost !== undefined && { boost }),
    expanded: readFlag(value, 'expanded'),
    root,
    href: href !== undefined && isAllowedUrl(href, 'link') ? href : undefined,
    directory,
    children: [...listed, ...(made === undefined ? [] : [{ kind: 'page', route: made } as const]), ...toGlobal(value)],
  }
}

function toChildren(division: Division, key: string, list: unknown, context: TreeContext): NavigationNode[] {
  return listOf(list).flatMap((element, index): NavigationNode[] => {
    const pointer = `${division.pointer}/${key}/${index}`
    const child = context.byPointer.get(pointer)
    if (child) return [toDivision(child, context)]
    if (typeof element !== 'string' || key !== 'pages') return []
    if (isUrl(element) && isAllowedUrl(element, 'link'))
      return [{ kind: 'link', label: element.replace(/^https?:\/\//i, ''), href: element, icon: undefined }]
    const route = context.find.ofEntry(pointer) ?? context.find.ofPath(toPageEntry(element))
    return route === undefined ? [] : [{ kind: 'page', route }]
  })
}

/** `global`: links that every division shows. */
function toGlobal(value: unknown): NavigationNode[] {
  return entriesOf(readOwn(value, 'global')).flatMap(([key, list]) => {
    const labelKey = key === 'menu' ? 'item' : key.replace(/s$/, '')
    return listObjects(list).flatMap((element): NavigationNode[] => {
      const href = readText(element, 'href')
      const label = readText(element, labelKey)
      const isShown = href && label && !readFlag(element, 'hidden') && isAllowedUrl(href, 'link')
      return isShown ? [{ kind: 'link', label, href, icon: readIcon(element['icon'], element['iconType']) }] : []
    })
  })
}

/** An icon is a name, or an object with `name`, `style` and `library`. `type` is the Font Awesome style. */
export function readIcon(value: unknown, type?: unknown): string | undefined {
  if (typeof value === 'string') return withStyle(value, type)
  const name = withStyle(readText(value, 'name') || undefined, readOwn(value, 'style') ?? type)
  const library = iconLibraries.find((one) => one === readOwn(value, 'library'))
  return name !== undefined && library !== undefined ? `${library}:${name}` : name
}

/** The `boost` of a page or group: a number greater than 0. */
export function readBoost(value: unknown): number | undefined {
  return Number.isFinite(value) && Number(value) > 0 ? Number(value) : undefined
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
