import { addFinding, type DiagnosticCode, diagnosticCodes, type Finding } from '../diagnostics/diagnostic.ts'
import type { Api } from '../model/api.ts'
import { readCallbacks } from '../model/bodies.ts'
import { findRequirements, readRequirements } from '../model/security.ts'
import type { OverlayOptions } from '../openapi/overlays/parse-overlay.ts'
import { createIsMark, type GroupMark, listGroupMarks, noGroups, type PublicOnly } from '../openapi/public/restriction-marks.ts'
import {
  type CheckedDescription,
  type CollectedOperation,
  collectExtensionWebhooks,
  collectOperations,
  collectPathItems,
  listTargets,
  methods,
  type PathItemEntry,
  toDescription,
  toListParameters,
} from '../openapi/read/collect-operations.ts'
import { addChains, explain, loadEntry, readDescription } from '../openapi/read/read-description.ts'
import {
  childPlace,
  type FollowReference,
  findSchemas,
  isReference,
  keysOf,
  mapPlaces,
  placeReferences,
  toFollowReference,
  toPlaceKey,
} from '../openapi/references/follow-reference.ts'
import type { LoadDocument, OpenApiRelease } from '../openapi/types.ts'
import { citedEdition, type DocumentSet } from '../openapi/walk.ts'
import { type Place, parentPointer, parsePointer, pointerChild } from '../text/json/json-values.ts'
import { defaultLimits, type Limits } from '../text/plain/limits.ts'
import { createSuggest } from '../text/plain/suggest.ts'
import type { Check, CheckContext, CheckProblem } from './check-context.ts'
import { referenceCircular, schemaEndless } from './circles.ts'
import { discriminatorMapping } from './discriminator-mapping.ts'
import { discriminatorProperty } from './discriminator-property.ts'
import { encodingProperty } from './encoding-property.ts'
import { imageAlt } from './image-alt.ts'
import { linkTarget } from './link-target.ts'
import { operationIdUnique, parameterUnique, tagUnique } from './names-unique.ts'
import { pathAmbiguous } from './path-ambiguous.ts'
import { pathParameter } from './path-parameter.ts'
import { pathTemplate } from './path-template.ts'
import { schemaContradiction } from './schema-contradiction.ts'
import { securityScheme } from './security-scheme.ts'
import { securityScope } from './security-scope.ts'
import { serverVariable } from './server-variable.ts'
import { tagParent, tagUndeclared } from './tags-declared.ts'
import { unusedComponent } from './unused-component.ts'
import { nullableIgnored, siblingIgnored, styleType } from './without-effect.ts'

/** The result of a check. */
export interface DescriptionCheck extends CheckedDescription {
  /** The number of operations under `paths`, entries of `webhooks` and `x-webhooks`, and named schemas. */
  readonly counts: Readonly<Record<'operations' | 'webhooks' | 'schemas', number>>
  /** Schema Objects with properties whose names are numbers. */
  readonly numbered?: readonly Place[]
  /** With `publicOnly`, the restricted parts that were left out, as `file#pointer`. `unknown`: the whole description, because not all of them are known. */
  readonly restricted?: readonly string[] | 'unknown'
  /** The operations, webhooks and schemas that were left out, such as `GET /pets`. */
  readonly restrictedTargets?: ReadonlySet<string>
  /** The names that only restricted parts declare, and restricted values. */
  readonly restrictedNames?: readonly string[]
  /** With `publicOnly`, if the configuration has audiences: all places of the description with groups. */
  readonly groupMarks?: readonly GroupMark[]
}

/** The checks of the whole description by the code of their problems. */
const checks: { readonly [code in DiagnosticCode]?: Check } = {
  'operation-id-unique': operationIdUnique,
  'parameter-unique': parameterUnique,
  'path-parameter': pathParameter,
  'path-template': pathTemplate,
  'path-ambiguous': pathAmbiguous,
  'security-scheme': securityScheme,
  'security-scope': securityScope,
  'server-variable': serverVariable,
  'tag-unique': tagUnique,
  'tag-parent': tagParent,
  'tag-undeclared': tagUndeclared,
  'link-target': linkTarget,
  'discriminator-mapping': discriminatorMapping,
  'discriminator-property': discriminatorProperty,
  'encoding-property': encodingProperty,
  'unused-component': unusedComponent,
  'nullable-ignored': nullableIgnored,
  'sibling-ignored': siblingIgnored,
  'style-type': styleType,
  'schema-contradiction': schemaContradiction,
  'image-alt': imageAlt,
  'reference-circular': referenceCircular,
  'schema-endless': schemaEndless,
}

function toFinding(code: DiagnosticCode, { at, key, section, ...problem }: CheckProblem, release: OpenApiRelease): Finding {
  const pointer = key === undefined ? at.pointer : pointerChild(at.pointer, key)
  return {
    ...problem,
    code,
    file: at.file,
    pointer,
    ...(section !== undefined && { section: `OpenAPI ${citedEdition[release]}, ${section}` }),
  }
}

/** The default for `exampleLimit`. */
const defaultExampleLimit = 4 * 1024 * 1024

interface DescriptionOptions {
  /** The largest entry document, in bytes, with checks of examples, defaults and enums. */
  readonly exampleLimit?: number
  readonly limits?: Limits
  /** Leaves out checks that find no errors, such as those of examples and of unused components. Default: false. */
  readonly errorsOnly?: boolean
  /** The overlays to apply before the check. */
  readonly overlays?: OverlayOptions | undefined
  /** Leaves out what only some readers may see, or with `isReportedOnly` reports restrictions without effect. Default: neither. */
  readonly publicOnly?: (PublicOnly & { readonly isReportedOnly?: boolean }) | undefined
}

/**
 * Reads an entry document with all its references and checks it against OpenAPI 3.0, 3.1 or 3.2.
 *
 * Never rejects: every problem is a diagnostic, including a file that cannot be loaded.
 */
export async function checkDescription(
  entryPath: string,
  load: LoadDocument,
  options: DescriptionOptions = {},
): Promise<DescriptionCheck> {
  const { limits = defaultLimits, overlays, publicOnly } = options
  const set = await loadEntry(entryPath, load, limits, overlays)
  const { isReportedOnly = false, readers = noGroups } = publicOnly ?? {}
  let isMarked = !isReportedOnly || (overlays?.paths.length ?? 0) > 0
  const isMark = createIsMark(readers)
  const read = await checkSet(entryPath, set, options, (key) => (isMarked ||= isMark(key)))
  if (!publicOnly || !isMarked) return read
  const { hideParts, findRestricted } = await import('../openapi/public/filter-description.ts')
  const described = [...read.documents].filter(([path]) => readers.hasAudiences && !read.overlays.includes(path))
  const check = { ...read, groupMarks: described.flatMap(([path, { parsed }]) => listGroupMarks(path, parsed.value)) }
  if (isReportedOnly) return { ...check, findings: [...check.findings, ...findRestricted(check, publicOnly).findings] }
  const hidden = hideParts(check, set, publicOnly)
  if (hidden.kind === 'none') return check
  if (hidden.kind === 'unknown') {
    const { sources, overlays } = check
    const findings = [...check.findings, ...hidden.findings]
    return { ...unknown, sources, overlays, findings, documents: new Map(), restricted: 'unknown' }
  }
  // Checked again: everything that reads the result must not find what was left out.
  const shown = await checkSet(entryPath, set, options)
  const documents = new Map([...shown.documents].filter(([, { parsed }]) => parsed.value !== undefined))
  const targets = listTargets(shown)
  const restrictedTargets = new Set([...listTargets(check)].filter((target) => !targets.has(target)))
  const { groupMarks } = check
  return { ...shown, documents, restricted: hidden.parts, restrictedTargets, restrictedNames: hidden.names, groupMarks }
}

const unknown = { description: undefined, counts: { operations: 0, webhooks: 0, schemas: 0 }, follow: undefined }

async function checkSet(
  entryPath: string,
  set: DocumentSet,
  { exampleLimit = defaultExampleLimit, limits = defaultLimits, errorsOnly = false, overlays }: DescriptionOptions,
  onExtension?: (key: string) => void,
): Promise<DescriptionCheck> {
  const files = { sources: set.sources, documents: set.documents, overlays: overlays?.paths ?? [] }
  const { read, findings: readFindings } = await readDescription(
    entryPath,
    set,
    { exampleLimit, errorsOnly, limits },
    onExtension,
  )
  if (!read) return { ...unknown, findings: readFindings, ...files }
  const { release, version, root, collected, find, findUri } = read
  const follow = toFollowReference(find, release)
  const paths = collectPathItems(root, 'paths', follow)
  const operationsOf = new Map(paths.map((entry) => [entry, collectOperations(entry, follow)]))
  const operations = [...operationsOf.values()].flat()
  const webhooks = (release === '3.0' ? [] : collectPathItems(root, 'webhooks', follow)).map((entry) => {
    return { entry, operations: collectOperations(entry, follow) }
  })
  const webhookOperations = webhooks.flatMap((webhook) => webhook.operations)
  const suggest = createSuggest()
  const context: CheckContext = {
    release,
    root,
    paths,
    operationsOf,
    operations,
    webhookOperations,
    callbackOperations: collectCallbackOperations([...operations, ...webhookOperations], { root, release, follow }),
    follow,
    findUri,
    documents: set.documents,
    collected,
    listParameters: toListParameters(follow),
    suggest,
  }
  const checkFindings: Finding[] = []
  const reportAs = (code: DiagnosticCode) => (problem: CheckProblem) => {
    addFinding(checkFindings, toFinding(code, problem, release))
  }
  for (const { name, isShortened, places } of paths) {
    if (!isShortened || !places[0]) continue
    const message = `The operations of \`${name}\` and of the paths after it are left out: too many paths refer to the same path items`
    reportAs('too-complex')({ at: places[0], message })
    break
  }
  // The keys of `checks` are codes.
  for (const [code, check] of Object.entries(checks) as [DiagnosticCode, Check][]) {
    if (!errorsOnly || diagnosticCodes[code].severity === 'error') check(context, reportAs(code))
  }
  if (collected.responses.length > 0) {
    const { checkResponseCodes } = await import('./response-code-quotes.ts')
    await checkResponseCodes(collected.responses, set.sources, reportAs('response-code-quotes'))
  }
  if (collected.described.length > 0) {
    const { checkDescribed } = await import('./check-described.ts')
    checkDescribed(context, reportAs)
  }

  const { listParameters } = context
  const description = toDescription({ release, version, root, operations, webhooks, follow, listParameters })
  const more = collectExtensionWebhooks({ description, documents: set.documents, follow })
  const counts = {
    operations: operations.length,
    webhooks: webhooks.length + more.length,
    schemas: keysOf(findSchemas(root, follow)).length,
  }
  const found = { ...set, findings: [...readFindings, ...checkFindings] }
  const isClear = read.findings.length === 0 && !checkFindings.some(({ code }) => code === 'security-scheme')
  const findings = addChains(isClear ? found.findings : await explain(found), entryPath, set.documents)
  return { description, counts, findings, ...files, follow, numbered: collected.numbered }
}

/** Lists the operations in callbacks of operations, and in callbacks of those, each once. */
export function collectCallbackOperations(operations: readonly CollectedOperation[], api: Api): CollectedOperation[] {
  const waiting = [...operations]
  const seen = new Set<unknown>()
  // The list grows during the loop.
  for (const { operation } of waiting) {
    for (const { place, pathItems } of readCallbacks(operation, api)) {
      if (seen.has(place.value)) continue
      seen.add(place.value)
      for (const entry of pathItems) for (const one of collectOperations(entry, api.follow)) waiting.push(one)
    }
  }
  return waiting.slice(operations.length)
}

/** The parts of a description that errors affect: the whole document, or single parts. */
export type AffectedParts =
  | { readonly kind: 'document'; readonly error: Finding }
  | {
      readonly kind: 'parts'
      /** Each function finds the first error that affects the named part, if any. */
      readonly operation: (method: string, pathTemplate: string) => Finding | undefined
      readonly webhook: (name: string) => Finding | undefined
      readonly schema: (name: string) => Finding | undefined
      /** The first error, if any. */
      readonly first: Finding | undefined
    }

/**
 * Finds the operations, webhooks and schemas that errors affect.
 *
 * An error affects an operation if it is in the operation, in the shared part of its path item, in a security scheme that it uses, or in
 * anything these reach by `$ref`. It also affects an operation that it hides: a method with a value that is not an object, or any method
 * of a path item that has an error itself. Errors in other parts of the entry document affect the whole document, and so do unparsable
 * files with unknown contents.
 */
export function findAffected({ description, follow, ...check }: DescriptionCheck, errors: readonly Finding[]): AffectedParts {
  const [first] = errors
  const entry = description && check.documents.get(description.entryPath)
  if (first === undefined) return { kind: 'parts', operation: none, webhook: none, schema: none, first }
  if (!description || !entry || !follow) return { kind: 'document', error: first }
  const root: Place = { file: description.entryPath, pointer: '', value: entry.parsed.value }
  const whole = errors.find((error) => concernsDocument(error, root.file, check))
  if (whole) return { kind: 'document', error: whole }
  const findError = toFindError(errors, follow, check.documents)
  const api = { root, release: description.release, follow }
  const collect = (field: 'paths' | 'webhooks') =>
    new Map(collectPathItems(root, field, follow).map((item) => [item.name, findInPathItem(item, api, findError)]))
  const paths = collect('paths')
  const webhooks = collect('webhooks')
  const schemas = findSchemas(root, follow)
  return {
    kind: 'parts',
    operation: (method, pathTemplate) => {
      const item = paths.get(pathTemplate)
      return item?.shared ?? item?.byMethod.get(method.toUpperCase())
    },
    webhook: (name) => {
      const item = webhooks.get(name)
      return item?.shared ?? item?.byMethod.values().next().value
    },
    schema: (name) => findError([childPlace(schemas, name)]),
    first,
  }
}

const none = () => undefined

/** Whether an error does not belong to a single part of the description. */
function concernsDocument(
  { code, file, pointer, offsets }: Finding,
  entryFile: string,
  { documents, sources }: Pick<DescriptionCheck, 'documents' | 'sources'>,
): boolean {
  // For example in the configuration file.
  if (code === 'too-complex' || !sources.has(file)) return true
  if (file !== entryFile) return false
  const [section, name, inner] = parsePointer(pointer)
  if (offsets !== undefined || name === undefined || documents.get(file)?.parsed.value === undefined) return true
  if (section === 'paths') return !name.startsWith('/')
  if (section === 'components') return inner === undefined
  return section !== 'webhooks' && section !== 'security'
}

interface AffectedPathItem {
  /** An error in the part that all operations share, or one that hides operations. */
  readonly shared: Finding | undefined
  /** By method in upper case. */
  readonly byMethod: ReadonlyMap<string, Finding>
}

const methodKeys: ReadonlySet<string> = new Set(methods)

function findInPathItem(item: PathItemEntry, api: Api, findError: FindError): AffectedPathItem {
  const byMethod = new Map<string, Finding>()
  let shared: Finding | undefined
  for (const place of item.places) {
    shared ??= findError.exactly(place) ?? findError.unresolved(place)
    for (const { name: key, place: child } of mapPlaces(place, undefined)) {
      if (methodKeys.has(key)) {
        const error = findError.exactly(child)
        if (error) byMethod.set(key.toUpperCase(), error)
      } else if (key !== 'additionalOperations') shared ??= findError([child])
      else {
        shared ??= findError.exactly(child)
        for (const { name: method, place: operation } of mapPlaces(child, undefined)) {
          const error = findError.exactly(operation)
          if (error) byMethod.set(method.toUpperCase(), error)
        }
      }
    }
  }
  for (const collected of collectOperations(item, api.follow)) {
    const security = findRequirements(collected.operation, api)
    const schemes = readRequirements(security, api).flat()
    const error = findError([collected.operation, security, ...schemes.map(({ scheme }) => scheme.entry)])
    if (error) byMethod.set(collected.fields.method.toUpperCase(), error)
  }
  return { shared, byMethod }
}

/** Finds an error in locations or in anything they reach by `$ref`. */
interface FindError {
  (places: readonly Place[]): Finding | undefined
  /** At the location itself, not below it. */
  readonly exactly: (place: Place) => Finding | undefined
  /** For a `$ref` to a file that could not be parsed. */
  readonly unresolved: (place: Place) => Finding | undefined
}

function toFindError(errors: readonly Finding[], follow: FollowReference, documents: DescriptionCheck['documents']): FindError {
  const at = new Map<string, Finding>()
  /** By every location that contains an error. */
  const within = new Map<string, Finding>()
  for (const error of errors) {
    const keep = (map: Map<string, Finding>, pointer: string) => {
      const key = toPlaceKey({ file: error.file, pointer })
      if (!map.has(key)) map.set(key, error)
    }
    keep(at, error.pointer)
    for (let pointer = error.pointer; ; pointer = parentPointer(pointer)) {
      keep(within, pointer)
      if (pointer === '') break
    }
  }
  const broken = errors.find(({ file }) => documents.get(file)?.parsed.value === undefined)
  const unresolved = (place: Place) => (isReference(place.value) && !follow.next(place) ? broken : undefined)
  const around = (file: string, pointer: string): Finding | undefined => {
    for (let above = pointer; ; above = parentPointer(above)) {
      const error = at.get(toPlaceKey({ file, pointer: above }))
      if (error || above === '') return error
    }
  }
  const reached = new Map<string, { readonly error: Finding | undefined; readonly targets: readonly Place[] }>()
  const read = (place: Place) => {
    const key = toPlaceKey(place)
    let node = reached.get(key)
    if (!node) {
      const targets: Place[] = []
      let error = within.get(key) ?? around(place.file, place.pointer)
      if (!error) {
        for (const reference of placeReferences(place)) {
          const target = follow.next(reference)
          if (target) targets.push(target)
          else error ??= unresolved(reference)
        }
      }
      node = { error, targets }
      reached.set(key, node)
    }
    return node
  }
  /** Results for a location with everything it reaches. */
  const settled = new Map<string, Finding | undefined>()
  const find = (places: readonly Place[]): Finding | undefined => {
    const seen = new Set<string>()
    const open = [...places]
    let found: Finding | undefined
    for (let place = open.pop(); place && !found; place = open.pop()) {
      const key = toPlaceKey(place)
      if (seen.has(key)) continue
      seen.add(key)
      if (settled.has(key)) {
        found = settled.get(key)
        continue
      }
      const { error, targets } = read(place)
      found = error
      open.push(...targets)
    }
    // If no error was found, this applies to every location on the way.
    if (!found) for (const key of seen) settled.set(key, undefined)
    else for (const only of places.length === 1 ? places : []) settled.set(toPlaceKey(only), found)
    return found
  }
  return Object.assign(find, { exactly: (place: Place) => at.get(toPlaceKey(place)), unresolved })
}
