import type { Finding } from '../diagnostics/diagnostic.ts'
import { type ParsedSource, parseSource } from '../text/parse-source.ts'
import { formatLimit, type Limits, limitHint } from '../text/plain/limits.ts'
import { type SyntaxProblem, toSourceFile } from '../text/plain/source-file.ts'
import type { LoadDocument } from './types.ts'
import type { DocumentSet } from './walk.ts'

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
    async load(requestedPath, isText = false) {
      if (set.documents.has(requestedPath) || aliases.has(requestedPath) || set.failures.has(requestedPath)) return
      if (set.documents.size >= maxFiles) {
        const reason = `an API description can have at most ${maxFiles} files`
        const hint = limitHint('description-files', limits, 'Merge some of the files')
        set.failures.set(requestedPath, { code: 'too-complex', reason, hint })
        return
      }
      const loaded = await loadDocument(requestedPath)
      if (loaded.kind === 'failed') {
        set.failures.set(requestedPath, loaded)
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
      // The text of other files is not decoded: nothing else needs all of it.
      const parsed: ParsedSource = isText
        ? { source, syntax: 'yaml', value: source.text, faults: [] }
        : await parseSource(source, limits)
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
