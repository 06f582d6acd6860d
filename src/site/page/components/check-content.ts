import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { type MdxElement, type MdxNode, type MdxValue, valueToNodes } from '../../../script/values/values.ts'
import { readOwn } from '../../../text/json/json-values.ts'
import { listChoices } from '../../../text/plain/lists.ts'
import { suggest } from '../../../text/plain/suggest.ts'
import type { MdxReader } from '../../content/mdx-reader.ts'
import { checkContentIcons, type IconSource, isUnknownIcon } from '../../plan/checks/check-icons.ts'
import { withStyle } from '../../plan/icon-sets.ts'
import { findUnusedOptions, readCodeMeta } from '../code/code-meta.ts'
import { componentProperties, iconNames } from './component-table.ts'

/** Properties that the reader of pages adds. */
const added = new Set(['dark-style', 'defaultTitleSize'])

/** The most unknown icons of a page that are reported. */
const maxUnknownIcons = 100

/**
 * Checks what a page contains: its syntax, components, properties and icons.
 *
 * @param files The texts of the page and of the files that it includes, relative to the boundary.
 */
export function checkContent(
  { nodes, findings }: Pick<ReturnType<MdxReader['readPage']>, 'nodes' | 'findings'>,
  files: readonly { readonly file: string; readonly text: string }[],
  context: IconSource,
): Finding[] {
  const unknown = [...listIcons(nodes)].filter((icon) => isUnknownIcon(icon, context)).slice(0, maxUnknownIcons)
  return [...findings, ...checkProperties(nodes), ...checkContentIcons(unknown, files, context)]
}

/**
 * Reports properties of components, and options of code blocks, that have no effect on a page. Each is reported once, at its first element. `false` and `null`
 * are not reported, and neither are `data-` and `aria-` attributes.
 */
export function checkProperties(nodes: readonly MdxNode[]): Finding[] {
  const findings = new Map<string, Finding>()
  const report = ({ file, start, end }: MdxElement['place'], message: string, hint: string) => {
    if (findings.has(message)) return
    findings.set(message, { code: 'property-not-used', message, file, pointer: '', offsets: { start, end }, hint })
  }
  visitNodes(nodes, (node) => {
    if (node.kind === 'code') {
      for (const { name, note, hint } of findUnusedOptions(node.meta))
        report(node.place, `Cannot use \`${name}\` of a code block: ${note}`, hint)
    }
    if (node.kind !== 'element') return
    const { name, props, place } = node
    const known = componentProperties.get(name)
    for (const [property, value] of Object.entries(props))
      if (known && isUnused(property, value, known)) report(place, ...describe(property, name, known))
  })
  return [...findings.values()]
}

/** Lists the icons of components and code blocks, as written. */
function listIcons(nodes: readonly MdxNode[]): ReadonlySet<string> {
  const names = new Set<string>()
  visitNodes(nodes, (node) => {
    const props = node.kind === 'element' ? node.props : {}
    const value = node.kind === 'code' ? readCodeMeta(node.meta).icon : node.kind === 'element' ? findIcon(node) : undefined
    const name = typeof value === 'string' ? withStyle(value.trim(), props['iconType']) : undefined
    if (name !== undefined) names.add(name)
  })
  return names
}

function findIcon({ name, props }: MdxElement): MdxValue | undefined {
  if (!componentProperties.get(name)?.includes('icon')) return undefined
  const keys = name === 'Icon' ? iconNames : ['icon']
  return keys.map((key) => readOwn(props, key)).find((value) => value !== undefined)
}

/** Lists the URLs of links and images. */
export function listUrls(nodes: readonly MdxNode[]): string[] {
  const urls: string[] = []
  visitNodes(nodes, (node) => {
    const { href, src } = node.kind === 'element' ? node.props : {}
    for (const url of [href, src]) if (typeof url === 'string') urls.push(url)
  })
  return urls
}

/** Calls `visit` for all nodes, also those in the properties of components. */
function visitNodes(nodes: readonly MdxNode[], visit: (node: MdxNode) => void): void {
  for (const node of nodes) {
    visit(node)
    if (node.kind !== 'element') continue
    for (const value of Object.values(node.props)) visitNodes(valueToNodes(value), visit)
    visitNodes(node.children, visit)
  }
}

function isUnused(property: string, value: MdxValue, known: readonly string[]): boolean {
  if (value === false || value === null || known.includes(property) || added.has(property)) return false
  return !/^(?:data|aria)-/.test(property)
}

function describe(property: string, name: string, known: readonly string[]): [message: string, hint: string] {
  const message = `Unexpected property \`${property.slice(0, 100)}\` of \`<${name}>\`: it has no effect`
  const near = suggest(property, known)
  if (near !== undefined) return [message, `Did you mean \`${near}\`?`]
  return [message, known.length === 0 ? 'Remove it' : `Remove it, or use ${listChoices(known.filter((one) => one !== 'class'))}`]
}
