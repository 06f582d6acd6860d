import type { Finding, Severity } from '../diagnostics/diagnostic.ts'
import type { Place } from '../text/json/json-values.ts'
import { parseSource } from '../text/parse-source.ts'
import { formatLimit, type Limits, limitHint } from '../text/plain/limits.ts'
import { type SourceFile, type SyntaxProblem, toSourceFile } from '../text/plain/source-file.ts'
import type { Document, LoadDocument, LoadFailureCode } from './types.ts'
import type { ObjectTable } from './walk.ts'

/** A document with the results of the walk. */
export interface WalkedDocument extends Document {
  /** Every distinct reference, by its text (and the enclosing schema with an `$id`). */
  readonly references: Map<string, Reference>
  /** The locations at which walks of the document started, each with its kind of object. */
  readonly walkedFrom: Map<string, ObjectTable>
  /** The first `$ref` to each location of the document, by pointer. Empty for the entry document. */
  readonly uses: Map<string, ReferenceUse>
}

/** The location of a `$ref`. */
export interface ReferenceUse {
  readonly file: string
  readonly pointer: string
}

/** One distinct reference of one document. */
export interface Reference {
  /** As written. */
  readonly text: string
  state: 'found' | 'failed' | 'waiting'
  target: Place | undefined
  /** The kind of object it was last followed as. Kinds rarely differ, and following twice does no harm. */
  followedAs: ObjectTable | undefined
  /** The problem to report at each use of a failed reference. */
  failure: Omit<Finding, 'file' | 'pointer'> | undefined
  /** Uses that wait for a file. The steps are the path to the object that has the `$ref`. */
  waiting: { readonly steps: readonly (string | number)[]; readonly table: ObjectTable }[] | undefined
}

/** Why a file of a description could not be loaded. */
interface DocumentFailure {
  readonly code: LoadFailureCode | 'too-complex'
  readonly reason: string
  readonly hint: string | undefined
  /** Overrides the severity of the code. */
  readonly severity?: Severity | undefined
}

/** The files of one description, each loaded and parsed once. */
export interface DocumentSet {
  readonly sources: Map<string, SourceFile>
  readonly documents: Map<string, WalkedDocument>
  readonly failures: Map<string, DocumentFailure>
  /** One diagnostic for each syntax problem. */
  readonly findings: Finding[]
  /** The document at a path, even if it was first loaded through another path. */
  find(path: string): WalkedDocument | undefined
  /** Loads a file once. */
  load(path: string): Promise<void>
}

/** Creates an empty set with a loader. */
export function toDocumentSet(loadDocument: LoadDocument, limits: Limits): DocumentSet {
  const { 'description-files': maxFiles, 'description-size': maxBytes } = limits.values
  let bytes = 0
  /** Path → the path by which the same file was loaded first. */
  const aliases = new Map<string, string>()
  const byIdentity = new Map<string, string>()
  const set: DocumentSet = {
    sources: new Map(),
    documents: new Map(),
    failures: new Map(),
    findings: [],
    find: (path) => set.documents.get(path) ?? set.documents.get(aliases.get(path) ?? ''),
    async load(requestedPath) {
      if (set.documents.has(requestedPath) || aliases.has(requestedPath) || set.failures.has(requestedPath)) return
      if (set.documents.size >= maxFiles) {
        const reason = `an API description can have at most ${maxFiles} files`
        set.failures.set(requestedPath, {
          code: 'too-complex',
          reason,
          hint: limitHint('description-files', limits, 'Merge some of the files'),
        })
        return
      }
      const loaded = await loadDocument(requestedPath)
      if (loaded.kind === 'failed') {
        set.failures.set(requestedPath, {
          code: loaded.code,
          reason: loaded.reason,
          hint: loaded.hint,
          severity: loaded.severity,
        })
        return
      }
      const { identity = requestedPath } = loaded
      // A file that was requested by `file:` URL is named by its path.
      const path = byIdentity.get(identity) ?? (/^file:/i.test(requestedPath) ? identity : requestedPath)
      if (path !== requestedPath) aliases.set(requestedPath, path)
      if (set.documents.has(path)) return
      byIdentity.set(identity, path)
      bytes += loaded.bytes.byteLength
      if (bytes > maxBytes) {
        const reason = `an API description can have at most ${formatLimit('description-size', maxBytes)}`
        set.failures.set(requestedPath, { code: 'too-complex', reason, hint: limitHint('description-size', limits) })
        return
      }
      const source = toSourceFile(path, loaded.bytes)
      set.sources.set(path, source)
      if (loaded.outdated) set.findings.push(toOutdatedFinding(path, loaded.outdated))
      const parsed = await parseSource(source, limits)
      for (const fault of parsed.faults) set.findings.push(toSyntaxFinding(path, fault))
      for (const warning of parsed.warnings ?? []) set.findings.push({ ...toSyntaxFinding(path, warning), severity: 'warning' })
      set.documents.set(path, { path, parsed, references: new Map(), walkedFrom: new Map(), uses: new Map() })
    },
  }
  return set
}

function toOutdatedFinding(file: string, { reason, age }: { readonly reason: string; readonly age: string }): Finding {
  return {
    code: 'url-copy-used',
    message: `Cannot read the URL: ${reason}. The stored copy is ${age}`,
    file,
    pointer: '',
    offsets: { start: 0, end: 0 },
    hint: 'Build again when the URL can be read',
  }
}

function toSyntaxFinding(file: string, { related, ...fault }: SyntaxProblem): Finding {
  return { ...fault, file, pointer: '', ...(related ? { related: [{ ...related, pointer: '' }] } : {}) }
}
