import { isContainer, isObject, type JsonObject, readOwn } from '../../text/json/json-values.ts'
import { dataKeys } from '../references/follow-reference.ts'
import { keywordsWith } from '../schema/json-schema.ts'
import type { FilePlace } from './description-tree.ts'

/** The extensions with which documents choose what readers and agents may see. */
const marks = ['x-mint', 'x-mint-enum', 'x-excluded', 'x-mcp'] as readonly string[]

const known = new WeakMap<object, ReadonlySet<string>>()

/** Finds the marks that a parsed value has anywhere, even in examples: a key can be written with escapes, so its text does not tell. Walks each value once. */
export function findMarks(value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set()
  const before = known.get(value)
  if (before) return before
  const found = new Set<string>()
  collect(value, found)
  known.set(value, found)
  return found
}

function collect(value: object, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const element of value) if (typeof element === 'object' && element !== null) collect(element, found)
    return
  }
  for (const key in value) {
    // Compared first: few keys begin like this.
    if (key.charCodeAt(0) === 120 && marks.includes(key)) found.add(key)
    const child: unknown = Reflect.get(value, key)
    if (typeof child === 'object' && child !== null) collect(child, found)
  }
}

/** Whether a file with syntax errors may have a mark. Its value is not known, so escapes are resolved in its text. */
export function mayHaveMarks(text: string): boolean {
  const plain = text.replace(/\\(?:(?:u|x|U)([0-9a-f]{8}|[0-9a-f]{4}|[0-9a-f]{2})|\r?\n[ \t]*)/gi, (_, digits?: string) => {
    const code = Number.parseInt(digits ?? '', 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
  return marks.some((mark) => plain.includes(mark))
}

/** Which parts of a description are left out. A missing rule leaves out nothing. */
export interface FilterRules {
  /** What `x-mint` and `x-mint-enum` restrict to some readers. */
  readonly restricted?: boolean
  /** Everything with `x-internal`. */
  readonly internal?: boolean
  /** Operations and webhooks with `x-excluded`. */
  readonly excluded?: boolean
  /** If not empty, only operations with one of these tags are kept. */
  readonly includeTags?: readonly string[]
  /** Operations with one of these tags are left out. */
  readonly excludeTags?: readonly string[]
  /** Locations that are restricted although the description does not say so. */
  readonly hidden?: readonly FilePlace[]
}

/** Whether the `groups` of a page or of `x-mint` restrict it. Generated pages of the original have them as one string. A value of another type does. */
export function areGroups(groups: unknown): boolean {
  if (groups === undefined || groups === null) return false
  if (typeof groups === 'string') return groups.trim() !== ''
  return !Array.isArray(groups) || groups.length > 0
}

/** Whether a value of `public` restricts: any but `true`. */
export function isNotPublic(value: unknown): boolean {
  return value !== undefined && value !== null && value !== true && value !== 'true'
}

/** Whether `x-mint-enum` restricts a value of an `enum`. */
export function isHiddenValue({ 'x-mint-enum': restricted }: JsonObject, value: unknown): boolean {
  return isObject(restricted) && areGroups(readOwn(restricted, String(value)))
}

/** Whether `x-mint` restricts its object. `metadata` is the frontmatter of its page. */
export function isRestrictedBy(mint: unknown): boolean {
  if (!isObject(mint)) return false
  const metadata = isObject(mint['metadata']) ? mint['metadata'] : {}
  return areGroups(mint['groups']) || areGroups(metadata['groups']) || isNotPublic(metadata['public'])
}

/** Which parts of a description a site leaves out, in addition to operations with `x-excluded`. */
export interface PublicOnly {
  /** Whether an operation such as `GET /pets`, a webhook such as `webhook done` or a schema is restricted. */
  readonly hides: (target: string) => boolean
  /** Whether `hides` can hold for a target. */
  readonly hidesSome: boolean
  /** Whether restricted parts are published. Default: they are left out, too. */
  readonly withRestricted?: boolean
  /** Other restricted parts, as `file#pointer`. */
  readonly places?: readonly string[]
}

/** Fields whose keys are names. */
const maps = new Set([...keywordsWith('map'), 'schemas', 'parameters', 'headers', 'responses', 'callbacks', '$defs'])

/** Visits the fields of all objects of a document, in order, without the content of values and extensions. The path is only valid during the call. */
export function visitFields(value: unknown, visit: (name: string, value: unknown, path: readonly string[]) => void): void {
  const path: string[] = []
  const visitInside = (inside: object, isMap: boolean): void => {
    const isList = Array.isArray(inside)
    for (const [key, field] of Object.entries(inside)) {
      path.push(key)
      if (!isList && !isMap) visit(key, field, path)
      const isRead = isList || isMap || (!dataKeys.has(key) && !key.startsWith('x-'))
      if (isRead && isContainer(field)) visitInside(field, !isList && !isMap && maps.has(key))
      path.pop()
    }
  }
  if (isContainer(value)) visitInside(value, false)
}
