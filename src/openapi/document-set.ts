import type { Finding } from '../diagnostics/diagnostic.ts'
import { formatLimit, type Limits, limitHint } from '../source/limits.ts'
import type { IntegerReading } from '../source/parse-json.ts'
import { parseSource } from '../source/parse-source.ts'
import { type SourceFile, type SyntaxProblem, toSourceFile } from '../source/source-file.ts'
import type { Place } from './follow-reference.ts'
import type { Document } from './types.ts'
import type { ObjectTable } from './walk.ts'

/** A document with what the walk has found in it. */
export interface WalkedDocument extends Document {
  /** Every distinct reference, by how it is written (and by the schema with an `$id` around it). */
  readonly references: Map<string, Reference>
  /** The places from which the document was walked, and as what. */
  readonly walkedFrom: Map<string, ObjectTable>
  /** The `$ref` that first led to a place of the document, by the pointer of that place; not in the entry document. */
  readonly uses: Map<string, ReferenceUse>
}

/** Where a `$ref` stands. */
export interface ReferenceUse {
  readonly file: string
  readonly pointer: string
}

/** One distinct reference of one document. */
export interface Reference {
  /** As it is written. */
  readonly text: string
  state: 'found' | 'failed' | 'waiting'
  target: Place | undefined
  /** The kind of object it was last followed as. Kinds rarely differ, and following twice does no harm. */
  followedAs: ObjectTable | undefined
  /** What to report at each use of a reference that failed. */
  failure: Omit<Finding, 'file' | 'pointer'> | undefined
  /** Uses that wait for a file to be loaded; the steps lead to the object that has the `$ref`. */
  waiting: { readonly steps: readonly (string | number)[]; readonly table: ObjectTable }[] | undefined
}

/** Why a file of a description is not there. */
interface DocumentFailure {
  readonly code: LoadFailureCode | 'too-complex'
  readonly reason: string
  readonly hint: string | undefined
}

/** The files of one description, each loaded and parsed once. */
export interface DocumentSet {
  readonly sources: Map<string, SourceFile>
  readonly documents: Map<string, WalkedDocument>
  readonly failures: Map<string, DocumentFailure>
  /** One finding for each fault of syntax. */
  readonly findings: Finding[]
  /** The document at a path, also where it was loaded by another path to the same file first. */
  find(path: string): WalkedDocument | undefined
  /** Loads a file unless it was asked for before. */
  load(path: string): Promise<void>
}

/** Makes an empty set over a loader. */
export function toDocumentSet(loadDocument: LoadDocument, limits: Limits, integers: IntegerReading): DocumentSet {
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
    async load(asked) {
      if (set.documents.has(asked) || aliases.has(asked) || set.failures.has(asked)) return
      if (set.documents.size >= maxFiles) {
        const reason = `an API description can have at most ${maxFiles} files`
        set.failures.set(asked, { code: 'too-complex', reason, hint: limitHint('description-files', limits, 'Join files') })
        return
      }
      const loaded = await loadDocument(asked)
      if (loaded.kind === 'failed') {
        set.failures.set(asked, { code: loaded.code, reason: loaded.reason, hint: loaded.hint })
        return
      }
      const { identity = asked } = loaded
      // What is known by an address is called by its path.
      const path = byIdentity.get(identity) ?? (/^file:/i.test(asked) ? identity : asked)
      if (path !== asked) aliases.set(asked, path)
      if (set.documents.has(path)) return
      byIdentity.set(identity, path)
      bytes += loaded.bytes.byteLength
      if (bytes > maxBytes) {
        const reason = `an API description can have at most ${formatLimit('description-size', maxBytes)}`
        set.failures.set(asked, { code: 'too-complex', reason, hint: limitHint('description-size', limits) })
        return
      }
      const source = toSourceFile(path, loaded.bytes)
      set.sources.set(path, source)
      const parsed = await parseSource(source, limits, integers)
      for (const fault of parsed.faults) set.findings.push(toSyntaxFinding(path, fault))
      set.documents.set(path, { path, parsed, references: new Map(), walkedFrom: new Map(), uses: new Map() })
    },
  }
  return set
}

function toSyntaxFinding(file: string, { related, ...fault }: SyntaxProblem): Finding {
  return { ...fault, file, pointer: '', ...(related ? { related: [{ ...related, pointer: '' }] } : {}) }
}

/** Why a document could not be loaded, in words for a finding; or its text. */
export type LoadedDocument =
  | {
      readonly kind: 'loaded'
      readonly bytes: Uint8Array
      /** One path for all that lead to the file, relative to the boundary; absent where every file has one path. */
      readonly identity?: string
    }
  | { readonly kind: 'failed'; readonly code: LoadFailureCode; readonly reason: string; readonly hint?: string }

type LoadFailureCode =
  | 'file-missing'
  | 'file-unreadable'
  | 'file-outside-boundary'
  | 'file-too-large'
  | 'url-unreachable'
  | 'url-refused'

/**
 * Gives the bytes of a document by its path relative to the boundary, by a `file:` address, or by its URL.
 *
 * `reason` completes "Cannot read `x`: …", for example `no such file`. Never rejects.
 */
export type LoadDocument = (path: string) => Promise<LoadedDocument>

/** Gives the bytes of a document by its URL, within limits of size and time; else as `LoadDocument`. */
export type FetchDocument = (url: string, limits?: Limits) => Promise<LoadedDocument>
