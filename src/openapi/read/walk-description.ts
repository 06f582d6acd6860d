import { addFinding, type Finding } from '../../diagnostics/diagnostic.ts'
import {
  entriesOf,
  escapePointerSegment,
  isObject,
  type JsonObject,
  type Place,
  parsePointer,
  readOwn,
  readText,
} from '../../text/json/json-values.ts'
import type { Limits } from '../../text/plain/limits.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { sizeOf } from '../../text/plain/source-file.ts'
import { createSuggest, type Suggest, shorten, suggest } from '../../text/plain/suggest.ts'
import {
  collectReference,
  type ReferenceWalk,
  referencePointer,
  settleReference,
  useReference,
  type WaitingReference,
} from '../references/collect-reference.ts'
import { findTarget } from '../references/find-target.ts'
import {
  childPlace,
  type FollowReference,
  isReference,
  listMapped,
  listReferences,
  splitReference,
} from '../references/follow-reference.ts'
import { isKnownDialect } from '../schema/json-schema.ts'
import { objectTable, objectTables, releases } from '../tables/object-tables.ts'
import type { OpenApiRelease } from '../types.ts'
import {
  type CollectedObjects,
  citedEdition,
  type DocumentSet,
  type FindUri,
  type FoundTarget,
  type Reference,
  type ReferenceUse,
  type Walk,
  type WalkedDocument,
} from '../walk.ts'
import { walkObject } from './walk-document.ts'

export interface WalkOptions {
  readonly release: OpenApiRelease
  /** As written in the entry document. */
  readonly version: string
  /** The largest entry document, in bytes, whose objects with values that a schema describes are collected. */
  readonly exampleLimit: number
  /** Leave out checks of texts, which find no errors. */
  readonly errorsOnly: boolean
  readonly limits: Limits
}

/** The results of the walk, before hints with quoted values are added. */
interface DescriptionWalk {
  readonly findings: Finding[]
  /** See `Walk.unquoted`. */
  readonly unquoted: ReadonlyMap<number, string>
  readonly collected: CollectedObjects
  /** Whether the walk stopped at the limit of nesting. Other readers of the description would overflow the stack. */
  readonly isTooDeep: boolean
  /** The target of a reference. Those in extensions such as `x-webhooks` are not walked, but their files are loaded. */
  readonly find: FollowReference['find']
  readonly findUri: FindUri
}

/**
 * Walks an entry document and all referenced parts of other files. Each part is walked once per kind of object it is used as.
 *
 * Files are loaded when the first reference to them is found. Source: OpenAPI 3.1.1, "Parsing Documents".
 */
export async function walkDescription(entry: WalkedDocument, options: WalkOptions, set: DocumentSet): Promise<DescriptionWalk> {
  const { release } = options
  const walk = toWalk(entry, options, (text, table, holder) => collectReference(state, text, table, holder))
  const state: ReferenceWalk = {
    walk,
    set,
    entry,
    current: entry,
    queue: [],
    waitingFiles: new Map(),
    inResources: new WeakMap(),
  }
  const root = objectTable(release, 'OpenAPI')
  entry.walkedFrom.set('', root)
  state.queue.push({ document: entry, place: { file: entry.path, pointer: '', value: entry.parsed.value }, table: root })
  await walkWaiting(state)
  await walkMapped(state)
  await loadExtensions(walk.collected.extensions, set)
  reportLost(walk, set)
  const suggestTarget = createSuggest()
  return {
    findings: walk.findings,
    unquoted: walk.unquoted,
    collected: walk.collected,
    isTooDeep: walk.tooDeep,
    find: (file, text, holder) => {
      const inResource = holder && state.inResources.get(holder)
      if (inResource) return inResource.target
      const document = set.documents.get(file)
      const met = document?.references.get(text)
      return met || !document ? met?.target : findUnwalked(text, document, set)
    },
    findUri: (file, uri) => findLoaded(uri, file, set, suggestTarget),
  }
}

/** Files with code, which `x-codeSamples` refers to. Others, such as those with keys, are not published. */
const codeFile = /\.(?:php|py|[cm]?[jt]s|rb|go|java|cs|sh|bash|curl|http|kt|swift|rs|dart|ps1|c|cpp|r|scala|txt)$/i

/** Loads the YAML, JSON and code files that extensions and examples refer to, and the files that these refer to. */
async function loadExtensions(extensions: CollectedObjects['extensions'], set: DocumentSet): Promise<void> {
  const waiting = [...groupBy(extensions, ({ file }) => file)]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [file, found] = next
    for (const reference of listReferences(found.map(({ value }) => value))) {
      const target = splitReference(reference, file)
      if (target.kind !== 'file' || set.find(target.path)) continue
      const isText = codeFile.test(target.path)
      if (!isText && !/\.(?:ya?ml|json)$/i.test(target.path)) continue
      await set.load(target.path, isText)
      const loaded = set.find(target.path)
      if (loaded) waiting.push([loaded.path, [{ file: loaded.path, value: loaded.parsed.value }]])
    }
  }
}

/** Reports examples and samples that refer to nothing. */
function reportLost({ collected, findings }: Walk, set: DocumentSet): void {
  for (const { file, value, needs } of collected.extensions) {
    const found = needs !== undefined && isReference(value) && findLoaded(value.$ref, file, set, () => undefined)
    if (!found || 'place' in found) continue
    addFinding(findings, {
      code: 'reference-unresolved',
      message: `Cannot find \`${shorten(value.$ref)}\`, which an example or a code sample refers to`,
      file,
      pointer: needs,
      hint: found.failure.hint,
      severity: 'warning',
    })
  }
}

/** Walks the files that only mappings of discriminators name. */
async function walkMapped(state: ReferenceWalk): Promise<void> {
  const { walk, set } = state
  for (const schema of walk.collected.discriminators) {
    for (const { file, pointer, value } of listMapped(childPlace(schema, 'discriminator'))) {
      const target = /\.(?:ya?ml|json)(?:#|$)/i.test(value) ? splitReference(value, file) : undefined
      if (target?.kind !== 'file') continue
      await set.load(target.path)
      const [holder, found] = [set.documents.get(file), findLoaded(value, file, set, walk.suggest)]
      if (!holder || !found || !('place' in found) || !isObject(found.place.value)) continue
      const reference = { text: value, target: found.place, followedAs: undefined, failure: undefined, waiting: undefined }
      useReference(state, holder, reference, objectTable(walk.release, 'Schema'), parsePointer(pointer))
      await walkWaiting(state)
    }
  }
}

/** The target of a reference that the walk did not meet, if it exists: in its own file, or in a file that extensions refer to. */
function findUnwalked(text: string, document: WalkedDocument, set: DocumentSet): Place | undefined {
  const found = findLoaded(text, document.path, set, () => undefined)
  const isMeant = found && 'place' in found && (found.place.file !== document.path || text.startsWith('#'))
  return isMeant ? found.place : undefined
}

function findLoaded(text: string, file: string, set: DocumentSet, suggest: Suggest): FoundTarget | undefined {
  const target = splitReference(text, file)
  if (target.kind !== 'file') return undefined
  const document = set.find(target.path)
  const failure = set.failures.get(target.path)
  if (failure?.code === 'file-missing')
    return { failure: { code: failure.code, message: `Cannot find it: ${failure.reason}`, hint: failure.hint } }
  if (!document || document.parsed.value === undefined) return undefined
  return findTarget(text, document, target.fragment, undefined, suggest)
}

function toWalk(
  entry: WalkedDocument,
  { release, version, exampleLimit, errorsOnly, limits }: WalkOptions,
  onReference: Walk['onReference'],
): Walk {
  const dialect = readText(entry.parsed.value, 'jsonSchemaDialect')
  return {
    file: entry.path,
    syntax: entry.parsed.syntax,
    release,
    version,
    path: [],
    holder: undefined,
    limits,
    maxDepth: limits.values.nesting,
    resource: undefined,
    foreignDialect: release !== '3.0' && dialect !== undefined && !isKnownDialect(dialect),
    findings: [],
    collected: {
      links: [],
      discriminators: [],
      numbered: [],
      encodings: [],
      nullables: [],
      siblings: [],
      composed: [],
      styled: [],
      responses: [],
      extensions: [],
      described: [],
      wantsDescribed: !errorsOnly && sizeOf(entry.parsed.source) <= exampleLimit,
    },
    checksMarkdown: !errorsOnly,
    suggest: createSuggest(),
    unquoted: new Map(),
    tooDeep: false,
    laterRelease: (table, field) =>
      releases.find((later) => later > release && objectTables(later).get(table)?.fields.has(field)),
    onReference,
  }
}

async function walkWaiting(state: ReferenceWalk): Promise<void> {
  walkQueue(state)
  for (const [path, uses] of state.waitingFiles) {
    // A file that is referenced again later is queued again, at the end.
    state.waitingFiles.delete(path)
    await state.set.load(path)
    for (const use of uses) resumeReference(state, path, use)
    walkQueue(state)
  }
}

function walkQueue(state: ReferenceWalk): void {
  const { walk, queue } = state
  for (let next = queue.pop(); next; next = queue.pop()) {
    state.current = next.document
    walk.file = next.document.path
    walk.syntax = next.document.parsed.syntax
    walk.path = parsePointer(next.place.pointer)
    walk.resource = undefined
    walkObject(walk, next.place.value, next.table)
  }
}

/** Looks up a reference after its file was loaded, and handles its uses. */
function resumeReference(state: ReferenceWalk, path: string, { document, reference, fragment }: WaitingReference): void {
  const target = state.set.find(path)
  const { waiting = [] } = reference
  const [first] = waiting
  reference.waiting = undefined
  if (target && first && !target.uses.has('')) {
    const use = { file: document.path, pointer: referencePointer(first.steps) }
    target.uses.set('', use)
    reportOtherRelease(state, target, use)
  }
  if (!target) failToLoad(reference, path, document, state.set)
  // A file that could not be parsed has a separate diagnostic.
  else if (target.parsed.value !== undefined)
    settleReference(reference, findTarget(reference.text, target, fragment, undefined, state.walk.suggest))
  for (const { steps, table } of waiting) useReference(state, document, reference, table, steps)
}

/** Reports a reference to a document of another release. Its parts are read as this release. */
function reportOtherRelease({ walk, entry }: ReferenceWalk, { path, parsed }: WalkedDocument, use: ReferenceUse): void {
  const version = readText(parsed.value, 'openapi')
  if (path === entry.path || version === undefined || version.startsWith(`${walk.release}.`)) return
  addFinding(walk.findings, {
    code: 'reference-version',
    message: `Unexpected reference to an OpenAPI \`${shorten(version)}\` document: its contents are read as ${walk.version}`,
    ...use,
    hint: 'Use the same OpenAPI version in both documents',
    section: `OpenAPI ${citedEdition[walk.release]}, OpenAPI Description Structure`,
    related: [{ file: path, pointer: '/openapi', message: 'the version of the referenced document' }],
  })
}

function failToLoad(reference: Reference, path: string, document: WalkedDocument, set: DocumentSet): void {
  const failure = set.failures.get(path)
  const verb = failure?.code === 'file-missing' ? 'find' : 'read'
  const inside = failure?.code === 'file-missing' ? findMeant(reference.text, document, set) : undefined
  const hint = inside === undefined ? failure?.hint : `Write \`${shorten(inside)}\``
  reference.failure = {
    code: failure === undefined || failure.code === 'file-missing' ? 'reference-unresolved' : failure.code,
    message: `Cannot ${verb} \`${shorten(reference.text)}\`: ${failure?.reason ?? 'it was not loaded'}${reference.text === path ? '' : ` (\`${path}\`)`}`,
    on: 'value',
    hint,
  }
}

/** The reference to a part of the document that was meant by a path without `#`, or by the name of a component alone. */
function findMeant(text: string, document: WalkedDocument, set: DocumentSet): string | undefined {
  if (/^\/?(?:components|paths)\//.test(text)) {
    const reference = `#/${text.replace(/^\//, '')}`
    return findUnwalked(reference, document, set) ? reference : undefined
  }
  const components = /^[\w-]+$/.test(text) ? readOwn(document.parsed.value, 'components') : undefined
  const references = entriesOf(components).map(([group]) => `#/components/${group}/${text}`)
  const [only, ...others] = references.filter((reference) => findUnwalked(reference, document, set))
  return others.length > 0 ? undefined : only
}

/** The version of an entry document. `release` is absent if the document cannot be checked. */
interface DetectedVersion {
  readonly release: OpenApiRelease | undefined
  /** As written in the document, or `''`. */
  readonly version: string
  readonly findings: readonly Finding[]
}

/**
 * Reads the `openapi` field of an entry document. Source: OpenAPI 3.1.1, "Versions".
 *
 * Returns at most one diagnostic. An incomplete version such as `openapi: 3.1` has a diagnostic and a release.
 */
export function detectVersion(file: string, value: unknown): DetectedVersion {
  const openapi = readOwn(value, 'openapi')
  const written = typeof openapi === 'string' || typeof openapi === 'number' ? String(openapi) : ''
  // The pattern has only these three.
  const release = openapi === 3 ? '3.0' : (/^3\.[012](?=$|\.)/.exec(written)?.[0] as OpenApiRelease | undefined)
  const finding = openapi === undefined ? findOtherDocument(value) : checkVersion(openapi, release)
  const version = openapi === undefined ? String(readOwn(value, 'swagger') ?? '') : written
  return { release, version, findings: finding ? [{ file, ...finding }] : [] }
}

/** What a document without `openapi` is instead. */
function findOtherDocument(value: unknown): Omit<Finding, 'file'> {
  const fail = (name: string, hint?: string, key?: string): Omit<Finding, 'file'> => {
    const message = `Unexpected ${name}, expected an OpenAPI document`
    return { code: 'not-openapi', pointer: key === undefined ? '' : `/${key}`, ...(key && { on: 'key' }), message, hint }
  }
  if (typeof value === 'string' && /^<(?:!doctype|html|head|body)/i.test(value))
    return fail('HTML page', 'Name the OpenAPI document itself, not the page that shows it')
  if (!isObject(value)) {
    const message = 'Unexpected content, expected an OpenAPI document: a mapping with `openapi`, `info` and `paths`'
    return { code: 'not-openapi', pointer: '', message }
  }
  if (Object.hasOwn(value, 'swagger')) {
    return {
      code: 'unsupported-version',
      pointer: '/swagger',
      message: `Unexpected Swagger ${shorten(String(value['swagger']), 40)} document, expected OpenAPI 3.0, 3.1 or 3.2`,
      hint: 'Convert it with `npx swagger2openapi <file> --outfile openapi.yaml`',
    }
  }
  const other = otherDocuments.find(([key]) => Object.hasOwn(value, key))
  if (other) return fail(`${other[1]} document`, other[2], other[0])
  const client = findApiClient(value)
  return client ? fail(client.name, client.hint) : missingFinding(value)
}

/** Detects collections of API clients, which are also JSON or YAML. */
function findApiClient(value: JsonObject): { readonly name: string; readonly hint: string } | undefined {
  const info = readOwn(value, 'info')
  const isPostman =
    readOwn(info, '_postman_id') !== undefined ||
    String(readOwn(info, 'schema')).includes('schema.getpostman.com') ||
    Object.hasOwn(value, '_postman_variable_scope')
  if (isPostman) {
    return { name: 'Postman collection', hint: 'Convert it to OpenAPI first, for example with `npx postman-to-openapi`' }
  }
  const isInsomnia =
    (value['_type'] === 'export' && Object.hasOwn(value, '__export_format')) ||
    String(value['type'] ?? '').includes('insomnia.rest/')
  if (!isInsomnia) return undefined
  return { name: 'Insomnia export', hint: 'Export the design document from Insomnia as OpenAPI' }
}

/** Documents of other specifications, by the field with their version, with what to do. */
const otherDocuments = [
  [
    'asyncapi',
    'AsyncAPI',
    'It describes messages. Name the OpenAPI document with the HTTP operations, or use the tools of AsyncAPI',
  ],
  ['arazzo', 'Arazzo', 'It describes workflows. Name the OpenAPI documents in its `sourceDescriptions`'],
  ['overlay', 'Overlay', 'Name the document that it changes, and this file with `--overlay`'],
] as const

function checkVersion(value: unknown, release: OpenApiRelease | undefined): Omit<Finding, 'file'> | undefined {
  const at = { pointer: '/openapi', section: 'OpenAPI 3.1.1, OpenAPI Object' }
  if (typeof value !== 'string' && typeof value !== 'number') {
    const message = 'Unexpected value for `openapi`, expected a version such as `3.1.1`'
    return { ...at, code: 'wrong-type', message }
  }
  if (release && /^3\.(?:0\.\d|[12]\.\d+)(?:-.+)?$/.test(String(value))) return undefined
  const isNumber = typeof value === 'number'
  const known = release && `Write all three numbers: \`${isNumber ? 'openapi: ' : ''}${release}.${latestPatch[release]}\``
  const hint = isLater(String(value)) ? latestVersionHint : (known ?? 'Use OpenAPI 3.0, 3.1 or 3.2')
  if (isNumber) return { ...at, code: 'wrong-type', message: 'Unexpected number for `openapi`, expected a string', hint }
  const message = `Unexpected version \`${shorten(value, 40)}\` for \`openapi\`, expected 3.0.x, 3.1.x or 3.2.x`
  return { ...at, code: 'unsupported-version', message, hint }
}

/** Drafts of later versions. Their documents can usually be read as the latest version. */
function isLater(version: string): boolean {
  const minor = /^3\.(\d{1,3})(?=$|[.-])/.exec(version)?.[1]
  return minor !== undefined && Number(minor) > 2
}

const latestVersionHint = 'Write `openapi: 3.2.0` until this version is released'

const latestPatch: Readonly<Record<OpenApiRelease, number>> = { '3.0': 4, '3.1': 1, '3.2': 0 }

function missingFinding(value: JsonObject): Omit<Finding, 'file'> {
  const keys = Object.keys(value).slice(0, 50)
  const glued = keys.find((key) => key.startsWith('openapi:'))
  const near = glued ?? suggest('openapi', keys)
  if (near !== undefined) {
    return {
      code: 'not-openapi',
      pointer: `/${escapePointerSegment(near)}`,
      on: 'key',
      message: `Missing \`openapi\` in the OpenAPI Object, found \`${shorten(near, 40)}\``,
      hint: glued === undefined ? 'Did you mean `openapi`?' : 'Add a space after `openapi:`',
    }
  }
  const looksLikeOne = ['paths', 'info', 'components', 'webhooks'].some((key) => Object.hasOwn(value, key))
  return {
    code: 'not-openapi',
    pointer: '',
    message: looksLikeOne
      ? 'Missing `openapi` in the OpenAPI Object'
      : 'Unexpected content, expected an OpenAPI document: the `openapi` field is missing',
    hint: looksLikeOne ? 'Add `openapi: 3.1.1`' : undefined,
  }
}
