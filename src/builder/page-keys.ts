import { createHash } from 'node:crypto'
import type { Reference } from '../reference/create-reference.ts'
import type { SiteSource } from '../site/render-site-page.tsx'
import type { SitePage } from '../site/types.ts'
import { isObject, type JsonObject } from '../text/is-object.ts'
import { escapePointerSegment } from '../text/json-pointer.ts'
import { readKey } from '../text/read-key.ts'

/**
 * Makes the function that gives the key of a page: what it shows is the same as long as its key is, and the texts of the files that it is made
 * of. Too much counts rather than too little: a key that changes costs a page's rendering, one that does not change shows what was.
 *
 * Absent for pages of a description whose parts depend on each other in ways that are not followed here: they are always rendered.
 *
 * @param stamp names the program that renders.
 */
export function createPageKeys({ context, references }: SiteSource, stamp: string): (page: SitePage) => string | undefined {
  const { plan, base, url, assets, isPreview } = context
  // Other pages show of a page where it stands and what it is called.
  const others = plan.pages.map(({ trail, frontmatter, description, path, ...shown }) => shown)
  const around = hashOf([stamp, base, url, assets, isPreview, plan.settings, plan.navigation, others])
  const keysOf = new Map([...references].map(([source, reference]) => [source, createReferenceKeys(reference)]))
  return ({ trail, ...page }) => {
    const { subject } = page
    // What is wrong with a document that cannot be read stands on its page.
    if (subject.kind === 'unreadable') return undefined
    const part = 'source' in subject ? (keysOf.get(subject.source)?.(subject) ?? undefined) : ''
    if (part === undefined) return undefined
    return hashOf([around, page, trail.map((node) => ('id' in node ? node.id : node.kind)), part])
  }
}

type ReferenceSubject = Extract<SitePage['subject'], { readonly kind: 'operation' | 'webhook' | 'schema' }>

/** Other ways in which parts of a description depend on each other, and on other files. */
const farReaching = /"(?:\$dynamicRef|\$anchor|\$id|\$self|\$recursiveRef)":|"\$ref":"[^#]|"mapping":\{[^}]*\.(?:json|ya?ml)/

function createReferenceKeys({ context }: Reference): ((subject: ReferenceSubject) => string) | undefined {
  const root = context.root.value
  const whole = JSON.stringify(root) ?? ''
  if (!isObject(root) || farReaching.test(whole)) return undefined
  const parts = readParts(root)
  const top = Object.fromEntries(
    Object.entries(root).filter(([key]) => !['paths', 'webhooks', 'x-webhooks', 'components'].includes(key)),
  )
  const components = readKey(root, 'components')
  // Who refers to whom: "used by" is read against the direction of references.
  const graph = hashOf([...parts].map(([pointer, { references }]) => [pointer, references]))
  const shared = hashOf([top, isObject(components) ? readKey(components, 'securitySchemes') : undefined])
  return (subject) => {
    const own = findParts(subject, parts)
    return hashOf([
      shared,
      subject.kind === 'schema' ? graph : '',
      closureOf(own, parts).map((pointer) => [pointer, parts.get(pointer)?.hash]),
    ])
  }
}

interface Part {
  readonly hash: string
  /** The parts it refers to, sorted. */
  readonly references: readonly string[]
}

/** Of a parent that its children name, or that names them without a reference, the page shows the children. */
function addChildren(parts: Map<string, Part>, texts: ReadonlyMap<string, string>): void {
  const users = new Map<string, string[]>()
  for (const [user, { references }] of parts) {
    for (const pointer of references) {
      const known = users.get(pointer)
      if (known) known.push(user)
      else users.set(pointer, [user])
    }
  }
  for (const [pointer, text] of texts) {
    const part = parts.get(pointer)
    if (!part || !text.includes('"discriminator":')) continue
    const children = users.get(pointer) ?? []
    const named = Array.from(
      text.matchAll(/"([^"\\]+)"/g),
      ([, name = '']) => `/components/schemas/${escapePointerSegment(name)}`,
    )
    const all = [...part.references, ...children, ...named.filter((one) => parts.has(one))]
    parts.set(pointer, { ...part, references: [...new Set(all)].sort() })
  }
}

/** The parts of a description that are rendered together: each path, webhook and component, by its JSON pointer. */
function readParts(root: JsonObject): Map<string, Part> {
  const parts = new Map<string, Part>()
  const texts = new Map<string, string>()
  const add = (pointer: string, value: unknown) => {
    const text = JSON.stringify(value) ?? ''
    const references = Array.from(text.matchAll(/"#(\/[^"\\]*)"/g), ([, target = '']) => toPart(target))
    texts.set(pointer, text)
    parts.set(pointer, { hash: hashOf(text), references: [...new Set(references)].sort() })
  }
  for (const field of ['paths', 'webhooks', 'x-webhooks']) {
    const items = readKey(root, field)
    if (isObject(items)) for (const [name, value] of Object.entries(items)) add(`/${field}/${escapePointerSegment(name)}`, value)
  }
  const components = readKey(root, 'components')
  for (const [kind, group] of Object.entries(isObject(components) ? components : {}))
    if (isObject(group))
      for (const [name, value] of Object.entries(group)) add(`/components/${kind}/${escapePointerSegment(name)}`, value)
  addChildren(parts, texts)
  return parts
}

/** The part that a reference leads into. Percent-encoding is taken off, as in addresses. */
function toPart(pointer: string): string {
  let decoded = pointer
  try {
    decoded = decodeURIComponent(pointer)
  } catch {
    // A percent sign that is one.
  }
  const steps = decoded.split('/')
  return steps.slice(0, steps[1] === 'components' ? 4 : 3).join('/')
}

function findParts(subject: ReferenceSubject, parts: ReadonlyMap<string, Part>): string[] {
  if (subject.kind === 'operation')
    return [`/paths/${escapePointerSegment(subject.target.slice(subject.target.indexOf(' ') + 1))}`]
  if (subject.kind === 'schema') return [`/components/schemas/${escapePointerSegment(subject.name)}`]
  return ['webhooks', 'x-webhooks']
    .map((field) => `/${field}/${escapePointerSegment(subject.name)}`)
    .filter((pointer) => parts.has(pointer))
}

function closureOf(start: readonly string[], parts: ReadonlyMap<string, Part>): string[] {
  const reached = new Set(start)
  // A set goes on with what is added while it is walked.
  for (const pointer of reached) for (const next of parts.get(pointer)?.references ?? []) reached.add(next)
  return [...reached].sort()
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)
}
