import { addFinding, type Finding } from '../../diagnostics/diagnostic.ts'
import {
  isObject,
  type JsonObject,
  type Place,
  parentPointer,
  parsePointer,
  readText,
  toPointer,
} from '../../text/json/json-values.ts'
import { addTo } from '../../text/plain/lists.ts'
import { encodeUrl } from '../../text/plain/paths.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { isUriReference, nameType } from '../schema/json-schema.ts'
import { objectTable, tableAtPointer } from '../tables/object-tables.ts'
import {
  citedEdition,
  type DocumentSet,
  type FoundTarget,
  type ObjectTable,
  type Reference,
  sectionOf,
  type Walk,
  type WalkedDocument,
} from '../walk.ts'
import { findIdentified, findTarget } from './find-target.ts'
import { resolveId, splitReference } from './follow-reference.ts'

/** The state of a walk over all documents of a description. */
export interface ReferenceWalk {
  readonly walk: Walk
  readonly set: DocumentSet
  readonly entry: WalkedDocument
  /** The document of the current part. */
  current: WalkedDocument
  /** Parts to walk. */
  readonly queue: { readonly document: WalkedDocument; readonly place: Place; readonly table: ObjectTable }[]
  /** Files to load, with the references that wait for them. */
  readonly waitingFiles: Map<string, WaitingReference[]>
  /** The references in schemas with an `$id`, whose targets depend on it, by the object that has the `$ref`. */
  readonly inResources: WeakMap<object, Reference>
}

/** A reference to a file that is not loaded yet. */
export interface WaitingReference {
  readonly document: WalkedDocument
  readonly reference: Reference
  /** Decoded. */
  readonly fragment: string
}

/**
 * Collects the reference at the current location, where an object of `table` is expected. Each distinct reference is looked up once.
 */
export function collectReference(state: ReferenceWalk, text: string, table: ObjectTable, holder: JsonObject): void {
  const { walk, current } = state
  const key = walk.resource === undefined ? text : `${walk.resource.pointer}\n${text}`
  let reference = current.references.get(key)
  if (reference === undefined) {
    reference = { text, target: undefined, followedAs: undefined, failure: undefined, waiting: undefined }
    current.references.set(key, reference)
    lookUp(state, current, reference)
    if (!/^[\w#/.~-]*$/.test(text) && !isUriReference(text)) addFinding(walk.findings, toSyntaxFinding(walk, text))
  }
  if (walk.resource !== undefined) state.inResources.set(holder, reference)
  if (reference.followedAs !== table) useReference(state, current, reference, table, walk.path)
}

/** Finds the target of a reference, or queues the reference until its file is loaded. */
function lookUp(state: ReferenceWalk, document: WalkedDocument, reference: Reference): void {
  const { walk, set } = state
  const { text } = reference
  if (walk.release !== '3.0' && !text.startsWith('#')) {
    const pointer = findIdentified(document, resolveId(walk.resource?.id, text).replace(/#$/, ''))
    if (pointer !== undefined) {
      settleReference(reference, findTarget(text, document, pointer, undefined, walk.suggest))
      return
    }
  }
  const target = splitReference(text, document.path)
  if (target.kind === 'remote') {
    reference.failure = {
      code: 'remote-reference',
      message: `Cannot check \`${shorten(text)}\`: remote references are not read`,
      on: 'value',
      hint: 'Save a copy of the file next to the document and refer to the copy',
    }
    return
  }
  const other = target.path === document.path ? document : set.find(target.path)
  if (other) {
    settleReference(
      reference,
      findTarget(text, other, target.fragment, other === document ? walk.resource : undefined, walk.suggest),
    )
    return
  }
  reference.waiting = []
  addTo(state.waitingFiles, target.path, { document, reference, fragment: target.fragment })
}

/** Stores the target or the failure of a reference. */
export function settleReference(reference: Reference, found: FoundTarget): void {
  if ('place' in found) reference.target = found.place
  else reference.failure = found.failure
}

/**
 * Handles one use of a reference: waits for its file, reports its failure, or walks its target.
 *
 * @param steps Path to the object that has the `$ref`. Its pointer is only built when it is reported, because most uses need none.
 */
export function useReference(
  state: ReferenceWalk,
  document: WalkedDocument,
  reference: Reference,
  table: ObjectTable,
  steps: readonly (string | number)[],
): void {
  if (reference.target) followTarget(state, document, reference, reference.target, table, steps)
  else if (reference.failure) {
    const section = referenceSection(state.walk)
    addFinding(state.walk.findings, { ...reference.failure, file: document.path, pointer: referencePointer(steps), section })
  } else reference.waiting?.push({ steps: steps.slice(), table })
}

function followTarget(
  state: ReferenceWalk,
  document: WalkedDocument,
  reference: Reference,
  target: Place,
  table: ObjectTable,
  steps: readonly (string | number)[],
): void {
  const targetDocument = state.set.documents.get(target.file)
  if (!targetDocument) return
  const declared = declaredAs(state, targetDocument, target.pointer)
  const fits = typeof target.value === 'boolean' ? table.allowsBoolean : isObject(target.value)
  // A component of the wrong type is already reported where it is defined.
  if (!fits && declared?.walked && declared.table === table) return
  if (!fits || (declared !== undefined && declared.table !== table)) {
    addFinding(state.walk.findings, {
      code: 'reference-kind',
      message: `Unexpected reference to ${fits ? nameTable(declared?.table) : withArticle(nameType(target.value))}, expected ${nameTable(table)}`,
      file: document.path,
      pointer: referencePointer(steps),
      section: sectionOf(state.walk.release, table),
      related: [{ file: target.file, pointer: target.pointer, message: 'the target of the reference' }],
    })
    return
  }
  reference.followedAs = table
  if (declared?.walked) return
  targetDocument.walkedFrom.set(target.pointer, table)
  if (targetDocument !== state.entry && !targetDocument.uses.has(target.pointer)) {
    targetDocument.uses.set(target.pointer, { file: document.path, pointer: referencePointer(steps) })
  }
  state.queue.push({ document: targetDocument, place: target, table })
}

/** The kind of object at a pointer, based on the locations from which the document was walked, and whether the walk covers it. */
function declaredAs(
  { entry, walk }: ReferenceWalk,
  document: WalkedDocument,
  pointer: string,
): { readonly table: ObjectTable; readonly walked: boolean } | undefined {
  const { walkedFrom } = document
  for (let from = pointer; ; from = parentPointer(from)) {
    const table = walkedFrom.get(from)
    const found = table && tableAtPointer(table, parsePointer(pointer.slice(from.length)))
    if (found) return { table: found, walked: true }
    if (from === '') break
  }
  if (document === entry || readText(document.parsed.value, 'openapi') === undefined) return undefined
  const table = tableAtPointer(objectTable(walk.release, 'OpenAPI'), parsePointer(pointer))
  return table && { table, walked: false }
}

function toSyntaxFinding(walk: Walk, text: string): Finding {
  const hash = text.indexOf('#')
  const encoded = hash === -1 ? encodeUrl(text) : `${encodeUrl(text.slice(0, hash))}#${encodeUrl(text.slice(hash + 1))}`
  return {
    code: 'reference-syntax',
    message: `Unexpected characters in \`${shorten(text)}\`, expected percent-encoding`,
    file: walk.file,
    pointer: referencePointer(walk.path),
    section: referenceSection(walk),
    hint: `Write \`${shorten(encoded)}\``,
  }
}

/** The pointer to the `$ref` of the object at the end of the steps. */
export function referencePointer(steps: readonly (string | number)[]): string {
  return `${toPointer(steps)}/$ref`
}

function referenceSection({ release }: Walk): string {
  return `OpenAPI ${citedEdition[release]}, Reference Object`
}

function nameTable(table: ObjectTable | undefined): string {
  const title = table?.title ?? 'other object'
  return /^[AEIOaeio]/.test(title) ? `an ${title}` : `a ${title}`
}

/** Names of types such as `list` get an article, quoted values do not. */
function withArticle(type: string): string {
  return type.startsWith('`') ? type : `a ${type}`
}
