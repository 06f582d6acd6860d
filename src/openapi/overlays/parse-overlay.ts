import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, type JsonObject, listOf, pointerChild, readOwn } from '../../text/json/json-values.ts'
import { didYouMean, shorten, suggest } from '../../text/plain/suggest.ts'
import { nameType } from '../schema/json-schema.ts'

/** An Overlay document. Source: Overlay Specification 1.1.0, "Overlay Object". */
export interface Overlay {
  /** Relative to the boundary. */
  readonly path: string
  /** In the order in which they apply. Actions with errors are left out. */
  readonly actions: readonly OverlayAction[]
}

/** Source: Overlay Specification 1.1.0, "Action Object". */
export type OverlayAction = {
  /** A JSONPath query. Source: RFC 9535. */
  readonly target: string
  /** The location of the action in its document. */
  readonly pointer: string
  /** `x-openapi-pages-replaces`: the digest of what the action replaced when a person looked at it last. */
  readonly replaces?: unknown
} & (
  | { readonly kind: 'remove' }
  | { readonly kind: 'update'; readonly update: unknown }
  | { readonly kind: 'copy'; readonly copy: string }
)

/** Whether a document is an Overlay document, with or without errors. */
export function isOverlayDocument(value: unknown): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, 'overlay') && !Object.hasOwn(value, 'openapi')
}

/** Reads an Overlay document of version 1.0 or 1.1. Reports everything that the specification does not allow. */
export function parseOverlay(
  path: string,
  value: unknown,
): { readonly overlay: Overlay | undefined; readonly findings: readonly Finding[] } {
  const findings: Finding[] = []
  const report = (finding: Omit<Finding, 'file'>) => findings.push({ file: path, ...finding })
  if (!isOverlayDocument(value)) {
    const message = 'Unexpected content, expected an Overlay document: a mapping with `overlay`, `info` and `actions`'
    report({ code: 'not-overlay', pointer: '', message })
    return { overlay: undefined, findings }
  }
  const { overlay: version } = value
  const minor = typeof version === 'string' ? /^1\.([01])\.\d+(?:-.+)?$/.exec(version)?.[1] : undefined
  if (minor === undefined) {
    const message = `Unexpected version \`${shorten(String(version))}\` for \`overlay\`, expected 1.0.x or 1.1.x`
    report({ code: 'unsupported-version', pointer: '/overlay', message, hint: 'Write all three numbers: `overlay: 1.1.0`' })
    return { overlay: undefined, findings }
  }
  checkFields(value, { title: 'Overlay Object', pointer: '', fields: overlayFields }, report)
  if (isObject(value['info'])) checkFields(value['info'], { title: 'Info Object', pointer: '/info', fields: infoFields }, report)
  const { actions: listed } = value
  if (Array.isArray(listed) && listed.length === 0) {
    const message = 'Unexpected empty list for `actions`, expected at least one action'
    report({ code: 'wrong-value', pointer: '/actions', message })
  }
  const actions = listOf(listed).flatMap((action, index) => parseAction(action, `/actions/${index}`, minor, report) ?? [])
  return { overlay: { path, actions }, findings }
}

/** The extension of an action with the digest of what it replaced, see `openapi-pages accept`. */
export const replacesKey = 'x-openapi-pages-replaces'

type Report = (finding: Omit<Finding, 'file'>) => void

/** The type of each field. `required` ones come first. */
interface Fields {
  readonly [name: string]: { readonly type: 'string' | 'mapping' | 'list' | 'boolean' | 'any'; readonly required?: true }
}

const overlayFields: Fields = {
  overlay: { type: 'string', required: true },
  info: { type: 'mapping', required: true },
  actions: { type: 'list', required: true },
  extends: { type: 'string' },
}

const infoFields: Fields = {
  title: { type: 'string', required: true },
  version: { type: 'string', required: true },
  description: { type: 'string' },
}

const actionFields: Fields = {
  target: { type: 'string', required: true },
  description: { type: 'string' },
  update: { type: 'any' },
  copy: { type: 'string' },
  remove: { type: 'boolean' },
}

interface CheckedObject {
  readonly title: string
  readonly pointer: string
  readonly fields: Fields
}

/** Whether an object has the required fields, fields of the right types, and no others except extensions. */
function checkFields(value: JsonObject, { title, pointer, fields }: CheckedObject, report: Report): boolean {
  let isValid = true
  const fail: Report = (finding) => {
    isValid = false
    report({ section: `Overlay Specification 1.1.0, ${title}`, ...finding })
  }
  for (const [name, { type, required }] of Object.entries(fields)) {
    if (!Object.hasOwn(value, name)) {
      if (required) fail({ code: 'missing-field', pointer, message: `Missing \`${name}\` in the ${title}` })
    } else if (type !== 'any' && nameType(value[name]) !== type && typeof value[name] !== type) {
      const message = `Unexpected ${nameType(value[name])} for \`${name}\`, expected a ${type}`
      fail({ code: 'wrong-type', pointer: pointerChild(pointer, name), message })
    }
  }
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(fields, name) || name.startsWith('x-')) continue
    const hint = didYouMean(suggest(name, Object.keys(fields)))
    const message = `Unexpected field \`${shorten(name)}\` in the ${title}`
    fail({ code: 'unknown-field', pointer: pointerChild(pointer, name), on: 'key', message, hint })
  }
  return isValid
}

function parseAction(value: unknown, pointer: string, minor: string, report: Report): OverlayAction | undefined {
  if (!isObject(value)) {
    const message = `Unexpected ${nameType(value)} in \`actions\`, expected a mapping (Action Object)`
    report({ code: 'wrong-type', pointer, message })
    return undefined
  }
  if (!checkFields(value, { title: 'Action Object', pointer, fields: actionFields }, report)) return undefined
  const { target, update, copy, remove } = value
  const base = { target: String(target), pointer, replaces: readOwn(value, replacesKey) }
  if (remove === true) return { ...base, kind: 'remove' }
  if (typeof copy === 'string' && minor === '0') {
    const message = 'Unexpected field `copy` in an Overlay document of version 1.0'
    report({ code: 'unknown-field', pointer: `${pointer}/copy`, on: 'key', message, hint: 'Use `overlay: 1.1.0`' })
    return undefined
  }
  if (typeof copy === 'string' && update !== undefined) {
    const message = 'Unexpected `update` and `copy` in one action: neither has an effect'
    report({ code: 'overlay-conflict', pointer: `${pointer}/copy`, on: 'key', message, hint: 'Use two actions' })
    return undefined
  }
  if (typeof copy === 'string') return { ...base, kind: 'copy', copy }
  if (update !== undefined) return { ...base, kind: 'update', update }
  const message = 'Missing `update`, `copy` or `remove: true` in the Action Object: the action changes nothing'
  report({ code: 'overlay-unmatched', pointer, message })
  return undefined
}

/** The location of a selected value: keys and indexes from the root. */
export type NodePath = readonly (string | number)[]

/**
 * Evaluates a JSONPath query. The result has no duplicates. Never throws: an invalid query, and one that takes too long, fails with a
 * reason, which is a clause.
 */
export type QueryNodes = (
  value: unknown,
  query: string,
) => { readonly kind: 'found'; readonly paths: readonly NodePath[] } | { readonly kind: 'failed'; readonly reason: string }

/** The overlays of a description. */
export interface OverlayOptions {
  /** The Overlay documents in the order in which they apply: URLs, or paths relative to the boundary. */
  readonly paths: readonly string[]
  readonly query: QueryNodes
  /** Called for each action that replaces something, with its place, the digest for `x-openapi-pages-replaces`, and the value as text. */
  readonly onReplaced?:
    | ((place: { readonly file: string; readonly pointer: string }, digest: string, replaced: string) => void)
    | undefined
  /** Whether overlays that do not exist are skipped, as for an earlier version of the files. Default: false. */
  readonly skipsMissing?: boolean
}
