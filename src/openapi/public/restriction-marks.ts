import {
  entriesOf,
  isContainer,
  isObject,
  type JsonObject,
  listObjects,
  numberOf,
  readOwn,
  readText,
  toNumber,
  toPointer,
} from '../../text/json/json-values.ts'
import { isSet } from '../read/collect-operations.ts'
import { dataKeys } from '../references/follow-reference.ts'
import { equalJson, keywordsWith } from '../schema/json-schema.ts'
import type { FilePlace } from './description-tree.ts'

/** Who reads a build: everyone reads what is unrestricted, and these also what one of their groups may read. */
export interface Readers {
  readonly groups: readonly string[]
  /** Whether the configuration has audiences. Then, `x-internal` is for the group `internal`. Otherwise, it is for everyone. */
  readonly hasAudiences: boolean
}

/** The readers of a site without audiences. */
export const noGroups: Readers = { groups: [], hasAudiences: false }

/** The groups that `groups` names: a list, or a text with commas. Names of GitHub have no case. */
export function listGroups(value: unknown): string[] {
  const names = [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : []))
  const trimmed = names.map((name) => name.trim()).filter((name) => name !== '')
  return trimmed.map((name) => (/^github:/i.test(name) ? name.toLowerCase() : name))
}

/** Whether one of the groups in `groups` is one of these readers. */
export function mayRead(groups: unknown, readers: Readers): boolean {
  return listGroups(groups).some((group) => readers.groups.includes(group))
}

/** Whether `x-internal` restricts for these readers. */
export function isInternalHidden({ groups, hasAudiences }: Readers = noGroups): boolean {
  return hasAudiences && !groups.includes('internal')
}

/** The extensions with which documents choose what these readers may see. `undefined`: what only some may see is published, too. */
function listMarks(restricted: Readers | undefined): readonly string[] {
  return ['x-excluded', ...(restricted ? ['x-mint', 'x-mint-enum'] : []), ...(restricted?.hasAudiences ? ['x-internal'] : [])]
}

/** Whether a key is a mark, in any case. */
export function createIsMark(restricted: Readers | undefined): (key: string) => boolean {
  const marks = listMarks(restricted)
  return (key) => marks.includes(key.toLowerCase())
}

/** Whether a file with syntax errors may have a mark, also one for agents. Its value is not known, so escapes are resolved in its text. */
export function mayHaveMarks(text: string, restricted = noGroups): boolean {
  return new RegExp(['x-mcp', ...listMarks(restricted)].join('|'), 'i').test(resolveEscapes(text))
}

/** Replaces the escapes of JSON and YAML. */
export function resolveEscapes(text: string): string {
  return text.replace(/\\(?:(?:u|x|U)([0-9a-f]{8}|[0-9a-f]{4}|[0-9a-f]{2})|\r?\n[ \t]*)/gi, (_, digits?: string) => {
    const code = Number.parseInt(digits ?? '', 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/** Which parts of a description are left out. A missing rule leaves out nothing. */
export interface FilterRules {
  /** What `x-mint` and `x-mint-enum` restrict to others than these readers. */
  readonly restricted?: Readers | undefined
  /** Everything with `x-internal`, although the readers have no audiences. */
  readonly internal?: boolean
  /** Operations and webhooks with `x-excluded`. */
  readonly excluded?: boolean
  /** If not empty, only operations with one of these tags are kept. */
  readonly includeTags?: readonly string[]
  /** Operations with one of these tags are left out. */
  readonly excludeTags?: readonly string[]
  /** Locations that are restricted although the description does not say so. */
  readonly hidden?: readonly FilePlace[]
  /** Values of `enum` that are restricted wherever they are. */
  readonly hiddenValues?: readonly string[]
}

/** The values of a key in any case: with another case, a restriction would be published. */
export function readAnyCase(object: JsonObject, name: string): unknown[] {
  return Object.keys(object).flatMap((key) => (key.length === name.length && key.toLowerCase() === name ? [object[key]] : []))
}

/** Whether a page, a division of the navigation or a site is not `public`. */
export function isNotPublic(settings: JsonObject): boolean {
  return readAnyCase(settings, 'public').some((value) => String(value) !== 'true')
}

/**
 * Whether the frontmatter of a page, or what `x-mint` says about one, restricts it to others than these readers. If `groups` is empty, no reader is in
 * one. Without `groups`, `public: false` is for every audience.
 */
export function isRestricted(settings: unknown, readers = noGroups): boolean {
  return listObjects([settings].flat()).some((one) => {
    const groups = readAnyCase(one, 'groups')
    if (groups.length > 0) return !groups.every((each) => mayRead(each, readers))
    return isNotPublic(one) && readers.groups.length === 0
  })
}

/** Whether `x-mint` restricts its object. `metadata` is the frontmatter of its page. */
export function isRestrictedPart(object: JsonObject, readers = noGroups): boolean {
  return listPageSettings(object).some((settings) => isRestricted(settings, readers))
}

/** What `x-mint` says about a page. */
function listPageSettings(object: JsonObject): unknown[] {
  const mints = readAnyCase(object, 'x-mint')
  return [...mints, ...listObjects(mints.flat()).flatMap((mint) => readAnyCase(mint, 'metadata'))]
}

/** The texts of the Info Object of a document, if neither is restricted. Those without more than spaces are absent. */
export function readShownInfo(document: unknown) {
  const info = readOwn(document, 'info')
  const isShown = isObject(document) && isObject(info) && ![document, info].some((part) => isRestrictedPart(part))
  const read = (key: string) => (isShown && readText(info, key)?.trim()) || undefined
  return { title: read('title'), summary: read('summary'), description: read('description') }
}

/** Whether `x-mint` mentions a restriction where none can be: in a text, a reference, or inside of something else. */
export function hasUnclearMark(object: JsonObject): boolean {
  return !isRestrictedPart(object) && readAnyCase(object, 'x-mint').some((mint) => mentionsReaders(mint, 'x-mint'))
}

function mentionsReaders(value: unknown, key: string): boolean {
  // The content of a page is a text, too, and can start with frontmatter.
  if (typeof value === 'string')
    return /groups|public/i.test(/^(?:x-mint|metadata)$/i.test(key) ? value : (/^\s*---.*/s.exec(value)?.[0] ?? ''))
  if (Array.isArray(value)) return value.some((one) => mentionsReaders(one, key))
  if (!isObject(value)) return false
  const isReference = /^(?:x-mint|metadata)$/i.test(key) && Object.hasOwn(value, '$ref')
  const names = Object.entries(value)
  return isReference || isRestricted(value) || names.some(([name, child]) => mentionsReaders(child, name))
}

/** Whether an object or list has a mark, or something in it up to a depth. */
export function hasMark(value: unknown, depth = Number.POSITIVE_INFINITY): boolean {
  if (!isContainer(value)) return false
  if (isObject(value) && (isRestrictedPart(value) || hasUnclearMark(value) || readAnyCase(value, 'x-mint-enum').length > 0))
    return true
  return depth > 0 && Object.values(value).some((child) => hasMark(child, depth - 1))
}

/** Whether a key of `x-mint-enum` is a value. Numbers can be written in several ways. */
export function isNameOf(name: string, value: unknown): boolean {
  if (String(value) === name) return !isContainer(value)
  const number = numberOf(value) === undefined || name.trim() === '' ? Number.NaN : Number(name)
  return !Number.isNaN(number) && equalJson(toNumber(number, name), value)
}

/** Which parts of a description a site leaves out, in addition to operations with `x-excluded`. */
export interface PublicOnly {
  /** Whether an operation such as `GET /pets`, a webhook such as `webhook done` or a schema is restricted. */
  readonly hides: (target: string) => boolean
  /** Whether `hides` can hold for a target. */
  readonly hidesSome: boolean
  /** Whether restricted parts are published. Default: they are left out, too. */
  readonly withRestricted?: boolean
  /** Other restricted parts, as `file#pointer`, and values of any `enum`. */
  readonly places?: readonly string[]
  /** Default: readers without a group. */
  readonly readers?: Readers | undefined
}

/** A place that only some groups may read. */
export interface GroupMark extends FilePlace {
  readonly groups: readonly string[]
}

/** Lists the marks with groups in a document. */
export function listGroupMarks(file: string, value: unknown): GroupMark[] {
  const found: GroupMark[] = []
  visitFields(value, (name, field, path) => {
    const add = (groups: readonly string[], ...inside: readonly string[]) =>
      found.push({ file, pointer: toPointer([...path, ...inside]), groups })
    if (name === 'x-internal' && isSet(field)) add(['internal'])
    if (name.toLowerCase() === 'x-mint-enum') for (const [key, groups] of entriesOf(field)) add(listGroups(groups), key)
    if (name.toLowerCase() !== 'x-mint') return
    const settings = listObjects(listPageSettings({ 'x-mint': field }).flat())
    for (const groups of settings.flatMap((one) => readAnyCase(one, 'groups'))) add(listGroups(groups))
  })
  return found
}

/** Fields whose keys are names. */
const maps = new Set([...keywordsWith('map'), 'schemas', 'parameters', 'headers', 'responses', 'callbacks', '$defs'])

/** Visits the fields of all objects of a document, in order, without the content of values and extensions. The path is only valid during the call. */
export function visitFields(value: unknown, visit: (name: string, value: unknown, path: readonly string[]) => void): void {
  const path: string[] = []
  const visitInside = (inside: object, isMap: boolean): void => {
    const isList = Array.isArray(inside)
    // Without a list of the entries: this visits nearly every value of a document.
    for (const key in inside) {
      const field: unknown = inside[key as keyof typeof inside]
      path.push(key)
      if (!isList && !isMap) visit(key, field, path)
      const isRead = isList || isMap || (!dataKeys.has(key) && !key.startsWith('x-'))
      if (isRead && isContainer(field)) visitInside(field, !isList && !isMap && maps.has(key))
      path.pop()
    }
  }
  if (isContainer(value)) visitInside(value, false)
}
