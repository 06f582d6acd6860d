import { isObject } from '../source/is-object.ts'
import { pointerChild } from '../source/json-pointer.ts'

/** A document without its restricted parts. */
export interface PublicDocument {
  readonly value: unknown
  /** The pointers of the parts that were left out, in document order. Empty if nothing is restricted. */
  readonly parts: readonly string[]
}

/** Whether the `groups` of a page or of `x-mint` restrict it. Generated pages of the original have them as one string. */
export function areGroups(groups: unknown): boolean {
  return Array.isArray(groups) ? groups.length > 0 : typeof groups === 'string' && groups.trim() !== ''
}

/**
 * Leaves out what `x-mint.groups` restricts (operations, path items, parameters, properties, variants, components) and the values that
 * `x-mint-enum` restricts, with everything that only they use: references, components, tags, and values in examples.
 *
 * An example does not tell which schema it follows. So all examples lose every member with the name of a restricted property, and every member or
 * element with a restricted value.
 *
 * @see https://www.mintlify.com/docs/create/personalization
 */
export function toPublicDocument(value: unknown): PublicDocument {
  const removal: Removal = { pointers: new Map(), references: new Set(), names: new Set(), values: new Set() }
  let pruned = value
  for (let size = -1; size !== removal.references.size; ) {
    size = removal.references.size
    pruned = prune(value, '', removal) ?? {}
    for (const pointer of removal.pointers.keys()) if (pointer.startsWith('/components/')) removal.references.add(`#${pointer}`)
  }
  if (removal.pointers.size === 0) return { value, parts: [] }
  const withoutUnused = removeUnused(value, pruned)
  return { value: removeFromExamples(withoutUnused, removal), parts: [...removal.pointers.keys()] }
}

interface Removal {
  readonly pointers: Map<string, true>
  /** References to removed components. */
  readonly references: Set<string>
  /** Names of removed properties. */
  readonly names: Set<string>
  /** Removed values of enums. */
  readonly values: Set<unknown>
}

const exampleKeys: ReadonlySet<string> = new Set(['example', 'examples', 'default'])

/** A copy without restricted parts; `undefined` if the value is restricted itself. */
function prune(value: unknown, pointer: string, removal: Removal): unknown {
  if (Array.isArray(value)) {
    const kept = value.map((element, index) => prune(element, `${pointer}/${index}`, removal))
    return kept.includes(undefined) ? kept.filter((element) => element !== undefined) : kept
  }
  if (!isObject(value)) return value
  const { 'x-mint': mint, $ref: reference } = value
  const isRestricted = isObject(mint) && areGroups(mint['groups'])
  if (isRestricted) removal.pointers.set(pointer, true)
  if (isRestricted || (typeof reference === 'string' && removal.references.has(reference))) return undefined
  const copy: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(value)) {
    // Everything below is a value, not an object of the specification.
    const kept = exampleKeys.has(key) ? child : prune(child, pointerChild(pointer, key), removal)
    if (kept !== undefined) setOwn(copy, key, kept)
  }
  pruneProperties(value, copy, removal)
  pruneEnum(copy, pointer, removal)
  pruneMapping(copy, removal)
  return copy
}

/** `__proto__` is a name like any other. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Removes the names of removed properties from the other keywords of their schema. */
function pruneProperties(original: Readonly<Record<string, unknown>>, copy: Record<string, unknown>, { names }: Removal): void {
  const { properties } = original
  if (!isObject(properties) || !isObject(copy['properties'])) return
  const removed = Object.keys(properties).filter((name) => !Object.hasOwn(copy['properties'] as object, name))
  if (removed.length === 0) return
  for (const name of removed) names.add(name)
  const { required } = copy
  if (Array.isArray(required)) copy['required'] = required.filter((name) => !removed.includes(String(name)))
  if (Array.isArray(copy['required']) && copy['required'].length === 0) delete copy['required']
}

/** Keywords with one element for each value of `enum`. */
const enumLists = ['x-enum-varnames', 'x-enum-descriptions', 'x-enumDescriptions', 'x-enumNames']

function pruneEnum(copy: Record<string, unknown>, pointer: string, { pointers, values }: Removal): void {
  const restricted = copy['x-mint-enum']
  const written = copy['enum']
  if (!isObject(restricted) || !Array.isArray(written)) return
  const isHidden = (value: unknown) => Object.hasOwn(restricted, String(value)) && areGroups(restricted[String(value)])
  const hidden = written.filter(isHidden)
  if (hidden.length === 0) return
  for (const value of hidden) {
    values.add(value)
    pointers.set(`${pointer}/enum/${written.indexOf(value)}`, true)
  }
  for (const name of enumLists) {
    const list = copy[name]
    if (Array.isArray(list)) copy[name] = list.filter((_, index) => !isHidden(written[index]))
    else if (isObject(list)) copy[name] = Object.fromEntries(Object.entries(list).filter(([value]) => !isHidden(value)))
  }
  copy['enum'] = written.filter((value) => !isHidden(value))
  delete copy['x-mint-enum']
}

function pruneMapping(copy: Record<string, unknown>, { references }: Removal): void {
  const { discriminator } = copy
  if (!isObject(discriminator) || !isObject(discriminator['mapping'])) return
  const mapping = Object.entries(discriminator['mapping']).filter(([name, target]) => {
    return !references.has(String(target)) && !references.has(`#/components/schemas/${String(target)}`) && name !== ''
  })
  copy['discriminator'] = { ...discriminator, mapping: Object.fromEntries(mapping) }
}

/** Removes components and tags that were used before and are not any more. */
function removeUnused(original: unknown, pruned: unknown): unknown {
  if (!isObject(original) || !isObject(pruned)) return pruned
  const [before, after] = [findUsed(original), findUsed(pruned)]
  const isGone = (name: string) => before.has(name) && !after.has(name)
  const result: Record<string, unknown> = { ...pruned }
  const { components, tags } = pruned
  if (isObject(components)) {
    const kinds = Object.entries(components).map(([kind, named]) => {
      if (!isObject(named)) return [kind, named] as const
      return [kind, Object.fromEntries(Object.entries(named).filter(([name]) => !isGone(toReference(kind, name))))] as const
    })
    result['components'] = Object.fromEntries(kinds)
  }
  const isTagGone = (name: unknown) => typeof name === 'string' && isGone(`tag ${name}`)
  if (Array.isArray(tags)) result['tags'] = tags.filter((tag) => !isObject(tag) || !isTagGone(tag['name']))
  const groups = pruned['x-tagGroups']
  if (Array.isArray(groups)) {
    result['x-tagGroups'] = groups.map((group) =>
      isObject(group) && Array.isArray(group['tags'])
        ? { ...group, tags: group['tags'].filter((tag) => !isTagGone(tag)) }
        : group,
    )
  }
  return result
}

function toReference(kind: string, name: string): string {
  return `#${pointerChild(pointerChild('/components', kind), name)}`
}

/** The references to components, and the tags, that are reachable from the operations. */
function findUsed(document: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const { components: all, tags: _tags, 'x-tagGroups': _groups, ...rest } = document
  const components = isObject(all) ? all : {}
  const used = new Set<string>()
  const waiting: unknown[] = [rest]
  const seen = new Set<unknown>()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) waiting.push(...next)
    else if (isObject(next) && !seen.has(next)) {
      seen.add(next)
      const { $ref: reference, tags, security, discriminator } = next
      const names = isObject(discriminator) && isObject(discriminator['mapping']) ? Object.values(discriminator['mapping']) : []
      for (const target of [reference, ...names]) {
        if (typeof target !== 'string') continue
        const found = target.startsWith('#') ? target : toReference('schemas', target)
        if (used.has(found)) continue
        used.add(found)
        waiting.push(findComponent(components, found))
      }
      if (Array.isArray(tags)) for (const tag of tags) used.add(`tag ${String(tag)}`)
      if (Array.isArray(security))
        for (const scheme of security.flatMap((one) => (isObject(one) ? Object.keys(one) : []))) {
          used.add(toReference('securitySchemes', scheme))
        }
      for (const child of Object.values(next)) if (typeof child === 'object') waiting.push(child ?? undefined)
    }
  }
  return used
}

function findComponent(components: Readonly<Record<string, unknown>>, reference: string): unknown {
  const [, , kind = '', ...steps] = reference.split('/')
  const named = components[kind]
  const name = steps[0]?.replaceAll('~1', '/').replaceAll('~0', '~')
  return isObject(named) && name !== undefined && Object.hasOwn(named, name) ? named[name] : undefined
}

/** Removes restricted names and values from all examples and defaults. */
function removeFromExamples(value: unknown, removal: Removal): unknown {
  if (Array.isArray(value)) return value.map((element) => removeFromExamples(element, removal))
  if (!isObject(value)) return value
  const copy: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(value)) {
    const kept = exampleKeys.has(key) ? cleanExample(child, removal) : removeFromExamples(child, removal)
    if (kept !== undefined) setOwn(copy, key, kept)
  }
  return copy
}

function cleanExample(value: unknown, removal: Removal): unknown {
  const { names, values } = removal
  if (Array.isArray(value))
    return value.map((element) => cleanExample(element, removal)).filter((element) => element !== undefined)
  if (!isObject(value)) return isHiddenText(value, removal) || values.has(value) ? undefined : value
  const copy: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(value)) {
    if (names.has(key)) continue
    const kept = cleanExample(child, removal)
    if (kept !== undefined) setOwn(copy, key, kept)
  }
  return copy
}

/** Whether a text, such as an example as serialized JSON, names a restricted property. */
function isHiddenText(value: unknown, { names }: Removal): boolean {
  return typeof value === 'string' && [...names].some((name) => value.includes(JSON.stringify(name)))
}
