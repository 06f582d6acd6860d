import type { PageRun } from './piece.ts'
import type { RawElement } from './to-element.ts'
import { textOf } from './to-nodes.ts'
import { toProps } from './to-value.ts'
import type { MdxHeading, MdxProps, MdxValue } from './types.ts'

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
export function withAnchor({ name, props }: RawElement, run: PageRun): MdxProps {
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
