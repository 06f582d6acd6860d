import type { Finding } from '../../../diagnostics/diagnostic.ts'
import type { MdxElement, MdxNode, MdxValue } from '../../../script/values/values.ts'
import { listChoices } from '../../../text/plain/lists.ts'
import { suggest } from '../../../text/plain/suggest.ts'
import { findUnusedOptions } from '../code/code-meta.ts'

const styles = ['className', 'class', 'style']
/** `color` is the color of the icon. */
const icon = ['icon', 'iconType', 'color']
const callout = [...icon, 'title', ...styles]
const panel = ['title', 'label', 'name', 'id', ...icon]
const grid = ['cols', ...styles]
const codes = ['dropdown']
const field = [
  ...['path', 'query', 'body', 'header', 'cookie', 'name', 'id', 'type', 'required', 'optional', 'deprecated'],
  ...['default', 'initialValue', 'placeholder', 'enum', 'pre', 'post', ...styles],
]

/** The properties that each component reads. */
export const componentProperties: ReadonlyMap<string, readonly string[]> = new Map([
  ...['Note', 'Info', 'Tip', 'Check', 'Warning', 'Danger', 'Banner'].map((name) => [name, callout] as const),
  ['Callout', ['type', 'variant', ...callout]],
  ['Card', ['title', 'description', 'href', 'horizontal', 'img', 'cta', 'arrow', 'type', 'disabled', ...icon, ...styles]],
  ...['CardGroup', 'Columns', 'Tiles'].map((name) => [name, grid] as const),
  ['Column', styles],
  ['Tile', ['href', 'title', 'description', ...styles]],
  ['Tabs', ['defaultTabIndex', 'sync', 'borderBottom', ...styles]],
  ...['Tab', 'View'].map((name) => [name, panel] as const),
  ['Accordion', ['title', 'description', 'defaultOpen', 'id', ...icon, ...styles]],
  ['AccordionGroup', styles],
  ['Steps', ['titleSize', ...styles]],
  ['Step', ['title', 'stepNumber', 'titleSize', 'noAnchor', 'id', ...icon, ...styles]],
  ...['CodeGroup', 'RequestExample', 'ResponseExample'].map((name) => [name, codes] as const),
  ['CodeBlock', ['language', 'filename', 'title', 'icon', 'lines', 'wrap', 'nocopy', 'expandable', 'highlight', 'focus']],
  ['Frame', ['hint', 'caption', ...styles]],
  ['Update', ['label', 'description', 'tags', 'id', ...styles]],
  ['Icon', ['src', 'name', 'size', ...icon, ...styles]],
  ['Tooltip', ['tip', 'headline', 'cta', 'href']],
  ...['ParamField', 'ResponseField'].map((name) => [name, field] as const),
  ['Expandable', ['title', 'defaultOpen']],
  ['Panel', []],
  ['Badge', ['size', 'shape', 'stroke', 'disabled', ...icon, ...styles]],
  ['Button', ['href', 'variant', ...icon, ...styles]],
  ['Link', ['href', 'to']],
  ['Mermaid', ['chart', 'code', 'title', 'actions', 'placement']],
  ['Visibility', ['for']],
  ...['Tree', 'FileTree'].map((name) => [name, styles] as const),
  ['Tree.Folder', ['name', 'defaultOpen', 'openable', 'highlight', 'comment']],
  ['Tree.File', ['name', 'highlight', 'comment']],
  ['Color', ['variant', ...styles]],
  ['Color.Row', ['title']],
  ['Color.Item', ['name', 'value']],
  ['Prompt', ['description', 'title', 'actions', ...icon, ...styles]],
  ['GitHub.Repo', ['repo', 'variant', ...styles]],
  ['Latex', ['block']],
  ['Kbd', []],
])

/** Properties that the reader of pages adds. */
const added = new Set(['dark-style', 'defaultTitleSize'])

/** Properties of Mintlify without effect, and why. */
const unused: ReadonlyMap<string, { readonly note: string; readonly hint: string }> = new Map([
  [
    'rss of <Update>',
    { note: 'only changelogs of an API have a feed', hint: 'Remove it, or let the site write the changelog of the API' },
  ],
])

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
  const visit = (node: MdxNode): void => {
    if (node.kind === 'code') {
      for (const { name, note, hint } of findUnusedOptions(node.meta))
        report(node.place, `Cannot use \`${name}\` of a code block: ${note}`, hint)
    }
    if (node.kind !== 'element') return
    const { name, props, place, children } = node
    const known = componentProperties.get(name)
    for (const [property, value] of Object.entries(props)) {
      if (known && isUnused(property, value, known)) report(place, ...describe(property, name, known))
      visitValue(value)
    }
    for (const child of children) visit(child)
  }
  const visitValue = (value: MdxValue) => {
    if (typeof value === 'object' && value?.kind === 'fragment') for (const child of value.children) visit(child)
  }
  for (const node of nodes) visit(node)
  return [...findings.values()]
}

function isUnused(property: string, value: MdxValue, known: readonly string[]): boolean {
  if (value === false || value === null || known.includes(property) || added.has(property)) return false
  return !/^(?:data|aria)-/.test(property)
}

function describe(property: string, name: string, known: readonly string[]): [message: string, hint: string] {
  const shown = property.slice(0, 100)
  const reason = unused.get(`${property} of <${name}>`)
  if (reason) return [`Cannot use \`${shown}\` of \`<${name}>\`: ${reason.note}`, reason.hint]
  const message = `Unexpected property \`${shown}\` of \`<${name}>\`: it has no effect`
  const near = suggest(property, known)
  if (near !== undefined) return [message, `Did you mean \`${near}\`?`]
  return [message, known.length === 0 ? 'Remove it' : `Remove it, or use ${listChoices(known.filter((one) => one !== 'class'))}`]
}
