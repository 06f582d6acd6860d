import type { Finding } from '../diagnostic/diagnostic.ts'
import type { Files, ReadResult } from '../files/files.ts'
import { isUrl, parentPath } from '../text/relative-path.ts'
import type { SourceFile } from '../text/source-file.ts'
import { type CheckedDocument, createDocumentChecks, type DocumentChecks } from './check-documents.ts'
import { overrideRules } from './override-rules.ts'
import { readNearestConfig } from './read-config.ts'
import type { UpdateEnvironment } from './types.ts'

/** Checks of documents that no docs root names, each by the nearest configuration file. */
export interface ChecksByConfig {
  /** Whether a path is that of a folder. What was read to find out is kept for the check. */
  isFolder(path: string): Promise<boolean>
  /** Checks a document; findings are those of the document, and those of its configuration where that was not read before. */
  check(entry: string): Promise<{
    readonly document: CheckedDocument
    readonly findings: readonly Finding[]
    /** See `Config.baseline`. */
    readonly baseline: string | undefined
  }>
  readonly sourceOf: (file: string) => SourceFile | undefined
}

/** Starts an empty set of checks. */
export function createChecksByConfig(environment: UpdateEnvironment): ChecksByConfig {
  interface Configured {
    readonly checks: DocumentChecks
    readonly baseline: string | undefined
  }
  const byFolder = new Map<string, Configured>()
  const byConfig = new Map<string, Configured>()
  const sources = new Map<string, SourceFile>()
  const first: { path: string; read: ReadResult | undefined } = { path: '', read: undefined }
  const files: Files = {
    ...environment.files,
    async read(path, limitBytes) {
      const known = path === first.path ? first.read : undefined
      // Once only, so that the bytes can go.
      if (known) first.read = undefined
      // It was read before anything was known of its limit.
      const isOver = known?.kind === 'file' && limitBytes !== undefined && known.bytes.length > limitBytes
      return known && known.kind !== 'too-large' && !isOver ? known : await environment.files.read(path, limitBytes)
    },
  }
  return {
    async isFolder(path) {
      first.path = path
      first.read = await environment.files.read(path)
      return first.read.kind === 'folder'
    },
    async check(entry) {
      // An address belongs to the boundary itself, from where it was named.
      const folder = isUrl(entry) ? '' : parentPath(entry)
      const findings: Finding[] = []
      let configured = byFolder.get(folder)
      if (!configured) {
        const nearest = await readNearestConfig(folder, environment.files, environment.limitCeilings)
        const path = nearest.source?.path ?? ''
        configured = byConfig.get(path)
        if (!configured) {
          const checks = createDocumentChecks('', { ...environment, files }, overrideRules(nearest.config, environment.rules))
          configured = { checks, baseline: nearest.config.baseline }
          byConfig.set(path, configured)
          if (nearest.source) sources.set(path, nearest.source)
          findings.push(...nearest.findings)
        }
        byFolder.set(folder, configured)
      }
      const document = await configured.checks.check(entry, 'named')
      return { document, findings: [...findings, ...document.findings], baseline: configured.baseline }
    },
    sourceOf(file) {
      const known = sources.get(file)
      if (known) return known
      for (const { checks } of byConfig.values()) {
        const source = checks.sources.get(file)
        if (source) return source
      }
      return undefined
    },
  }
}
