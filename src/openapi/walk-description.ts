import type { Finding } from '../diagnostic/diagnostic.ts'
import { isObject } from '../text/is-object.ts'
import { parentPointer, parsePointer } from '../text/json-pointer.ts'
import type { DocumentSet, Reference, WalkedDocument } from './document-set.ts'
import { nameType } from './fault-hints.ts'
import { findTarget } from './find-target.ts'
import type { Place } from './follow-reference.ts'
import { shorten } from './name-value.ts'
import { findIdentified } from './schema-identifiers.ts'
import { sectionOf } from './section-of.ts'
import { splitReference } from './split-reference.ts'
import { objectTable, objectTables, releases } from './tables/object-tables.ts'
import type { ObjectTable } from './tables/shape.ts'
import { tableAtPointer } from './tables/table-at-pointer.ts'
import type { OpenApiRelease } from './types.ts'
import { isUriReference } from './uri.ts'
import { currentPointer, type Walk } from './walk.ts'
import { isKnownDialect, resolveId, walkObject } from './walk-document.ts'

/** Findings of the walk, before quoting hints are finished. */
export interface DescriptionWalk {
  readonly findings: Finding[]
  /** See `Walk.unquoted`. */
  readonly unquoted: ReadonlyMap<number, string>
  /** The target of a reference that the walk has met. */
  readonly find: (file: string, reference: string) => Place | undefined
}

/**
 * Walks an entry document and every part of other files that its references lead to, each part once for each kind of object it is used as.
 *
 * Files are loaded as references to them are met. Source: OpenAPI 3.1.1, "Parsing Documents".
 */
export async function walkDescription(
  entry: WalkedDocument,
  release: OpenApiRelease,
  version: string,
  set: DocumentSet,
): Promise<DescriptionWalk> {
  const top = entry.parsed.value
  const dialect = isObject(top) ? top['jsonSchemaDialect'] : undefined
  const queue: { document: WalkedDocument; place: Place; table: ObjectTable }[] = []
  const waitingFiles = new Map<string, { document: WalkedDocument; reference: Reference; fragment: string }[]>()
  let current = entry

  const walk: Walk = {
    file: entry.path,
    syntax: entry.parsed.syntax,
    release,
    version,
    path: [],
    resource: undefined,
    foreignDialect: release !== '3.0' && typeof dialect === 'string' && !isKnownDialect(dialect),
    findings: [],
    unquoted: new Map(),
    tooDeep: false,
    laterRelease: (table, field) =>
      releases.find((later) => later > release && objectTables(later).get(table)?.fields.has(field)),
    onReference(text, table) {
      const key = walk.resource === undefined ? text : `${walk.resource.pointer}\n${text}`
      let reference = current.references.get(key)
      if (reference === undefined) {
        reference = { text, state: 'waiting', target: undefined, followedAs: new Set(), failure: undefined, waiting: [] }
        current.references.set(key, reference)
        start(current, reference)
      }
      if (reference.state === 'found' && reference.followedAs.has(table)) return
      use(current, reference, `${currentPointer(walk)}/$ref`, table)
    },
  }

  /** Looks up a reference that is met for the first time, or lets it wait for its file. */
  function start(document: WalkedDocument, reference: Reference): void {
    const { text } = reference
    if (release !== '3.0' && !text.startsWith('#')) {
      const pointer = findIdentified(document, resolveId(walk.resource?.id, text).replace(/#$/, ''))
      if (pointer !== undefined) {
        settle(reference, findTarget(text, document, pointer, undefined))
        return
      }
    }
    const target = splitReference(text, document.path)
    if (target.kind === 'remote') {
      reference.state = 'remote'
      reference.failure = {
        code: 'remote-reference',
        message: `Cannot check \`${shorten(text)}\`: addresses are not read`,
        on: 'value',
        hint: 'keep a copy of the file beside the document and refer to that',
      }
      return
    }
    const other = target.path === document.path ? document : set.documents.get(target.path)
    if (other) {
      settle(reference, findTarget(text, other, target.fragment, other === document ? walk.resource : undefined))
      return
    }
    const waiting = waitingFiles.get(target.path) ?? []
    waiting.push({ document, reference, fragment: target.fragment })
    waitingFiles.set(target.path, waiting)
  }

  /** What a use of a reference leads to: a wait, a finding, or a walk of the target. */
  function use(document: WalkedDocument, reference: Reference, pointer: string, table: ObjectTable): void {
    if (reference.state === 'waiting') {
      reference.waiting.push({ pointer, table })
      return
    }
    const section = sectionOf(release, objectTable(release, 'OpenAPI')).replace('OpenAPI Object', 'Reference Object')
    if (reference.failure) walk.findings.push({ ...reference.failure, file: document.path, pointer, section })
    else if (reference.target) follow(document, reference, reference.target, pointer, table)
    if (!isUriReference(reference.text)) walk.findings.push(toSyntaxFinding(document.path, pointer, reference.text, section))
  }

  function follow(document: WalkedDocument, reference: Reference, target: Place, pointer: string, table: ObjectTable): void {
    const targetDocument = set.documents.get(target.file)
    if (!targetDocument || targetDocument.parsed.value === undefined) return
    const declared = declaredAs(targetDocument, target.pointer)
    const fits = typeof target.value === 'boolean' ? table.allowsBoolean : isObject(target.value)
    if (!fits || (declared !== undefined && declared.table !== table)) {
      const found = fits ? nameTable(declared?.table) : nameType(target.value)
      const message = `Unexpected reference to ${found}, expected ${nameTable(table)}`
      const related = [{ file: target.file, pointer: target.pointer, message: 'this is what it leads to' }]
      walk.findings.push({
        code: 'reference-kind',
        message,
        file: document.path,
        pointer,
        section: sectionOf(release, table),
        related,
      })
      return
    }
    reference.followedAs.add(table)
    if (declared?.walked) return
    targetDocument.walkedFrom.set(target.pointer, table)
    queue.push({ document: targetDocument, place: target, table })
  }

  /** What stands at a pointer, told from the places the document was walked from, and whether the walk has been or will be there. */
  function declaredAs(document: WalkedDocument, pointer: string): { table: ObjectTable; walked: boolean } | undefined {
    for (let from = pointer; ; from = parentPointer(from)) {
      const table = document.walkedFrom.get(from)
      if (table) {
        const found = tableAtPointer(table, parsePointer(pointer.slice(from.length)))
        if (found) return { table: found, walked: true }
      }
      if (from === '') break
    }
    const value = document.parsed.value
    if (document === entry || !isObject(value) || typeof value['openapi'] !== 'string') return undefined
    const table = tableAtPointer(objectTable(release, 'OpenAPI'), parsePointer(pointer))
    return table && { table, walked: false }
  }

  function run(): void {
    for (let next = queue.pop(); next; next = queue.pop()) {
      current = next.document
      walk.file = current.path
      walk.syntax = current.parsed.syntax
      walk.path = parsePointer(next.place.pointer)
      walk.resource = undefined
      walkObject(walk, next.place.value, next.table)
    }
  }

  const root = objectTable(release, 'OpenAPI')
  entry.walkedFrom.set('', root)
  queue.push({ document: entry, place: { file: entry.path, pointer: '', value: top }, table: root })
  run()
  for (let next = takeFirst(waitingFiles); next; next = takeFirst(waitingFiles)) {
    const [path, uses] = next
    await set.load(path)
    const document = set.documents.get(path)
    for (const { document: from, reference, fragment } of uses) {
      if (!document) failToLoad(reference, path, set)
      else if (document.parsed.value === undefined) reference.state = 'failed'
      else settle(reference, findTarget(reference.text, document, fragment, undefined))
      for (const { pointer, table } of reference.waiting) use(from, reference, pointer, table)
      reference.waiting.length = 0
    }
    run()
  }
  return {
    findings: walk.findings,
    unquoted: walk.unquoted,
    find: (file, text) => set.documents.get(file)?.references.get(text)?.target,
  }
}

function settle(reference: Reference, found: ReturnType<typeof findTarget>): void {
  if ('place' in found) {
    reference.state = 'found'
    reference.target = found.place
  } else {
    reference.state = 'failed'
    reference.failure = found.failure
  }
}

function failToLoad(reference: Reference, path: string, set: DocumentSet): void {
  const failure = set.failures.get(path)
  reference.state = 'failed'
  reference.failure = {
    code: failure === undefined || failure.code === 'file-missing' ? 'reference-unresolved' : failure.code,
    message: `Cannot find \`${shorten(reference.text)}\`: ${failure?.reason ?? 'it was not loaded'} (\`${path}\`)`,
    on: 'value',
    ...(failure?.hint === undefined ? {} : { hint: failure.hint }),
  }
}

function toSyntaxFinding(file: string, pointer: string, text: string, section: string): Finding {
  const message = `Unexpected characters in \`${shorten(text)}\`, expected them percent-encoded`
  const hash = text.indexOf('#')
  const encoded = hash === -1 ? encodeURI(text) : `${encodeURI(text.slice(0, hash))}#${encodeURI(text.slice(hash + 1))}`
  return { code: 'reference-syntax', message, file, pointer, section, hint: `write \`${shorten(encoded)}\`` }
}

function nameTable(table: ObjectTable | undefined): string {
  const title = table?.title ?? 'other object'
  return `${/^[AEIO]/.test(title) ? 'an' : 'a'} ${title}`
}

function takeFirst<K, V>(map: Map<K, V>): [K, V] | undefined {
  for (const entry of map) {
    map.delete(entry[0])
    return entry
  }
  return undefined
}
