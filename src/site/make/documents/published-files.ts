import type { CheckedDocument } from '../../../docs/types.ts'
import type { Files, ReadResult } from '../../../files/files.ts'
import { filterDocument } from '../../../openapi/public/filter-description.ts'
import { findMarks, mayHaveMarks } from '../../../openapi/public/restriction-marks.ts'
import { parseSource } from '../../../text/parse-source.ts'
import { hasOrigins, toSourceFile } from '../../../text/plain/source-file.ts'
import { formatDocument } from './convert-document.ts'

/**
 * Files as they may be copied to a site, because pages can link to documents: without the restricted parts of the documents of the site, and of all other
 * JSON and YAML files.
 */
export function toPublishedFiles(files: Files, documents: readonly CheckedDocument[], publishesRestricted: boolean): Files {
  const checks = documents.map(({ check }) => check)
  const isDocument = (path: string) => /\.(?:json|ya?ml)$/i.test(path)
  return {
    ...files,
    read: async (path, limitBytes) => {
      const result = await files.read(path, limitBytes)
      if (result.kind !== 'file' || !isDocument(path)) return result
      const using = checks.filter(({ sources, overlays }) => sources.has(path) && !overlays.includes(path))
      const parsed = using.map(({ documents }) => documents.get(path)?.parsed)
      // Only restricted parts use it, or its restricted parts are not known.
      if (parsed.includes(undefined)) return { kind: 'missing' }
      const changed = parsed.find((one) => one && hasOrigins(one.source))
      if (changed) return toFile(formatDocument(changed.value, changed.syntax))
      const source = toSourceFile(path, result.bytes)
      if (!mayHaveMarks(source.text)) return result
      const { value, faults, syntax } = await parseSource(source)
      if (faults.length > 0) return { kind: 'missing' }
      if (findMarks(value).size === 0) return result
      const { value: shown, leftovers } = filterDocument(value, { restricted: !publishesRestricted, excluded: true })
      if (leftovers.length > 0) return { kind: 'missing' }
      return shown === value ? result : toFile(formatDocument(shown, syntax))
    },
    // The content of a document depends on other files.
    stateOf: (path) => (isDocument(path) ? undefined : files.stateOf?.(path)),
  }
}

function toFile(text: string): ReadResult {
  return { kind: 'file', bytes: new TextEncoder().encode(text) }
}
