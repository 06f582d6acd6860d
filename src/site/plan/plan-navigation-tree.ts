import { type Division, type DocsConfig, toPageEntry } from '../../docs/navigation/docs-config.ts'
import { entriesOf, type JsonObject, listOf, readFlag, valueAtPointer } from '../../text/json/json-values.ts'
import { isAllowedUrl, isUrl } from '../../text/plain/paths.ts'
import { Fields } from './typed-fields.ts'
import type { DivisionNode, NavigationNode } from './types.ts'

/** Functions that find the page of a navigation entry. */
interface FindRoute {
  /** The route of a page by its path without extension; `undefined` if there is no such page. */
  readonly ofPath: (path: string) => string | undefined
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
  const fields = new Fields(value)
  const directory = fields.choice('directory', ['none', 'accordion', 'card']) ?? context.directory
  const made = context.find.ofDivision(division.pointer)
  const start = fields.text('root')
  const root = start === undefined ? undefined : context.find.ofPath(toPageEntry(start))
  const boost = division.kind === 'group' ? readBoost(fields.raw('boost')) : undefined
  const children = entriesOf(value).flatMap(([key, list]) => {
    const isList = listKeys.some((one) => one === key)
    return isList ? toChildren(division, key, list, { ...context, directory }) : []
  })
  // The label of the group already links to its page.
  const listed = children.filter((child) => child.kind !== 'page' || root === undefined || child.route !== root)
  return {
    kind: division.kind,
    id: division.id,
    label: division.kind === 'product' ? (fields.text('name') ?? division.label) : division.label,
    icon: fields.icon(),
    description: fields.text('description'),
    tag: fields.text('tag'),
    hidden: readFlag(value, 'hidden'),
    isDefault: readFlag(value, 'default'),
    searchable: readFlag(value, 'searchable'),
    ...(boost !== undefined && { boost }),
    expanded: readFlag(value, 'expanded'),
    root,
    href: fields.url('href'),
    directory,
    children: [...listed, ...(made === undefined ? [] : [{ kind: 'page', route: made } as const]), ...toGlobal(fields)],
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
    const route = context.find.ofPath(toPageEntry(element))
    return route === undefined ? [] : [{ kind: 'page', route }]
  })
}

/** `global`: links that every division shows. */
function toGlobal(fields: Fields): NavigationNode[] {
  const lists = fields.object('global')
  return entriesOf(lists.value).flatMap(([key]) => {
    const labelKey = key === 'menu' ? 'item' : key.replace(/s$/, '')
    return lists.objects(key).flatMap((link): NavigationNode[] => {
      const href = link.url('href')
      const label = link.text(labelKey)
      return href && label && link.flag('hidden') !== true ? [{ kind: 'link', label, href, icon: link.icon() }] : []
    })
  })
}

/** The `boost` of a page or group: a number greater than 0. */
export function readBoost(value: unknown): number | undefined {
  return Number.isFinite(value) && Number(value) > 0 ? Number(value) : undefined
}

/** A division without anything. */
export const emptyNode: Omit<DivisionNode, 'kind' | 'id'> = {
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
