import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import type { Files } from '../../files/files.ts'
import { ConfigError } from '../../text/errors.ts'
import { parentPath } from '../../text/plain/paths.ts'
import { decodeWithoutCaching, type FileChange, toSourceFile } from '../../text/plain/source-file.ts'
import { type CheckedDocument, createDocumentChecks, rulesetCodes, toDocumentReport } from '../check/check-documents.ts'
import { readNearestConfig } from '../read/read-config.ts'
import { toFailure } from '../read/to-load-document.ts'
import type { DocumentReport, StoredDocument, UpdateEnvironment } from '../types.ts'

/** A document that was checked in its own repository. */
export interface PreparedDocument {
  readonly isValid: boolean
  /** Its problems, by the rules of its repository. */
  readonly diagnostics: readonly Diagnostic[]
  readonly report: DocumentReport
  /** All files of the description, relative to the boundary. */
  readonly files: readonly string[]
  /**
   * Renders the text to store in a file with this name. Only for a valid document.
   *
   * A document in one file keeps its text. A document in several files is bundled, because hosts do not follow references to other files. So is one
   * with another format than the name requires.
   *
   * @throws {ConfigError} if it cannot be bundled.
   */
  toText(name: string): Promise<string>
}

/** Reads and checks a document that will be stored in another repository. */
export async function prepareDocument(
  entry: string,
  environment: Pick<UpdateEnvironment, 'files' | 'fetchDocument' | 'rulesets' | 'inlineIgnore'>,
): Promise<PreparedDocument> {
  const { config, findings, source } = await readNearestConfig(parentPath(entry), environment.files)
  const checks = createDocumentChecks('', environment, { ...config, update: { ...config.update, onError: 'document' } })
  const document = await checks.check(entry, 'named')
  const sourceOf = (file: string) => checks.sources.get(file) ?? (source?.path === file ? source : undefined)
  const diagnostics = await finishDiagnostics([...findings, ...document.findings], sourceOf)
  const isValid =
    document.isValid && !diagnostics.some(({ severity, code }) => severity === 'error' && !rulesetCodes.includes(code))
  return {
    isValid,
    diagnostics,
    report: { ...toDocumentReport(document, []), valid: isValid },
    files: [...document.check.sources.keys()],
    toText: async (name) => await toStoredText(document, name, environment),
  }
}

async function toStoredText(
  { path, check }: CheckedDocument,
  name: string,
  environment: Pick<UpdateEnvironment, 'files' | 'fetchDocument'>,
): Promise<string> {
  const wanted = name.toLowerCase().endsWith('.json') ? 'json' : 'yaml'
  const syntax = check.documents.get(path)?.parsed.syntax
  // JSON is YAML, too. A file that is called `.yaml` and contains JSON is kept.
  const isConverted = wanted === 'json' ? syntax !== 'json' : path.toLowerCase().endsWith('.json')
  const only = check.sources.get(path)
  if (check.documents.size === 1 && !isConverted && only) return decodeWithoutCaching(only)
  const { planBundle } = await import('../../openapi/bundle/plan-bundle.ts')
  const { formatBundle, joinParts } = await import('./assemble-bundle.ts')
  const { checkEntryDocument } = await import('../check/run-check.ts')
  // Read again, because the usual check rounds large integers.
  const exact = await checkEntryDocument(path, environment, { integers: 'exact', errorsOnly: true })
  const { description, documents, load } = exact
  const plan = description && (await planBundle(documents, path, description.release, load))
  if (!plan) throw new ConfigError(`Cannot bundle \`${path}\`: the result would be infinite or too large`)
  return await formatBundle(await joinParts(plan), wanted)
}

/**
 * Plans the changes that store documents in files. A document with the same text changes nothing.
 *
 * @throws {ConfigError} if one of the files cannot be read.
 */
export async function planStoredDocuments(documents: readonly StoredDocument[], files: Files): Promise<readonly FileChange[]> {
  const changes: FileChange[] = []
  for (const { path, text } of documents) {
    const result = await files.read(path)
    if (result.kind === 'missing') changes.push({ kind: 'add', path, content: text })
    else if (result.kind === 'file') {
      const before = toSourceFile(path, result.bytes).text
      if (before !== text) changes.push({ kind: 'modify', path, before, content: text })
    } else throw new ConfigError(`Cannot store a document in \`${path}\`: ${toFailure(result).reason}`)
  }
  return changes
}
