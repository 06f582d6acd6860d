import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { type MdxElement, type MdxNode, type MdxValue, valueToNodes } from '../../../script/values/values.ts'
import { listChoices } from '../../../text/plain/lists.ts'
import { suggest } from '../../../text/plain/suggest.ts'
import { findUnusedOptions } from '../code/code-meta.ts'
import { componentProperties } from './components.tsx'

/** Properties that the reader of pages adds. */
const added = new Set(['dark-style', 'defaultTitleSize'])

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
      for (const child of valueToNodes(value)) visit(child)
    }
    for (const child of children) visit(child)
  }
  for (const node of nodes) visit(node)
  return [...findings.values()]
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
