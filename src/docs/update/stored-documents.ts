import type { ScalarTag } from 'yaml'
import { type Diagnostic, formatCount } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import type { Files } from '../../files/files.ts'
import type { Bundle } from '../../openapi/bundle/bundle-description.ts'
import { ConfigError, GitError } from '../../text/errors.ts'
import { WrittenNumber } from '../../text/json/json-values.ts'
import type { Limits } from '../../text/plain/limits.ts'
import { baseName, joinPath, parentPath, relativePath, withoutDocumentExtension } from '../../text/plain/paths.ts'
import { decodeWithoutCaching, type FileChange, toSourceFile } from '../../text/plain/source-file.ts'
import { isClientName, readClientFile, writeClientFile } from '../../traffic/client-file.ts'
import { createDocumentChecks, rulesetCodes, toDocumentReport } from '../check/check-documents.ts'
import type { SourceSetting } from '../config/source-settings.ts'
import { toClientsFolder } from '../config/traffic-settings.ts'
import { readNearestConfig, toFailure, toLoadDocument } from '../read/find-docs.ts'
import { maxClientBytes } from '../read/read-clients.ts'
import { readDocsDirectory } from '../read/read-docs-directory.ts'
import type { CheckedDocument, CheckTerms, DocsAccess, DocumentReport, OnProgress, StoredDocument } from '../types.ts'

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
  access: Pick<DocsAccess, 'files' | 'fetchDocument'>,
  terms: Pick<CheckTerms, 'rulesets' | 'inlineIgnore'> = {},
): Promise<PreparedDocument> {
  const { config, findings, source } = await readNearestConfig(parentPath(entry), access)
  const checks = createDocumentChecks('', access, { ...config, update: { ...config.update, onError: 'document' } }, terms)
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
    toText: async (name) => await toStoredText(document, name, config.limits, access),
  }
}

async function toStoredText(
  { path, check }: CheckedDocument,
  name: string,
  limits: Limits,
  access: Pick<DocsAccess, 'files' | 'fetchDocument'>,
): Promise<string> {
  const wanted = name.toLowerCase().endsWith('.json') ? 'json' : 'yaml'
  const syntax = check.documents.get(path)?.parsed.syntax
  // JSON is YAML, too. A file that is called `.yaml` and contains JSON is kept.
  const isConverted = wanted === 'json' ? syntax !== 'json' : path.toLowerCase().endsWith('.json')
  const only = check.sources.get(path)
  if (check.documents.size === 1 && !isConverted && only) return decodeWithoutCaching(only)
  const { bundleDescription } = await import('../../openapi/bundle/bundle-description.ts')
  const bundle = await bundleDescription(check, toLoadDocument(access, path, limits, []))
  if (!bundle) throw new ConfigError(`Cannot bundle \`${path}\`: the result would be infinite or too large`)
  return await formatBundle(await joinParts(bundle), wanted)
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

/** The repositories that `sources` name. */
export interface SourceRepositories {
  /** Opens a repository at a ref. Default: its default branch. @throws {GitError} when it cannot be read. */
  read(
    name: string,
    ref: string | undefined,
  ): Promise<Pick<Files, 'read' | 'list'> & { readonly sha: string; readonly ref: { readonly name: string } }>
  /** The URL of a repository on the web. */
  webUrl(name: string): string
  /** How to give access to a repository that cannot be read, as a hint. */
  howToAllow(name: string): string
}

/** The documents of other repositories, and why others are missing. */
export interface FollowedSources {
  readonly documents: readonly StoredDocument[]
  readonly failures: readonly SourceFailure[]
}

/** A document that cannot be stored, so that its file and its pages do not change. */
interface SourceFailure {
  /** Whether the document has errors. Otherwise, it could not be read. */
  readonly isInvalid: boolean
  readonly error: ConfigError
}

/** Lists the documents of other repositories that the configuration file of a docs directory names. None while it has errors. */
export async function listSources(
  root: string,
  files: Files,
): Promise<{ readonly sources: readonly SourceSetting[]; readonly configPath: string }> {
  const { config, configPath, hasConfigErrors } = await readDocsDirectory(root, { files })
  const clients = toClientsFolder(config.traffic, root)
  const sources = config.sources.map((source) =>
    source.kind === 'clients' ? { ...source, to: joinPath(clients, relativePath(root, source.to)) } : source,
  )
  return { sources: hasConfigErrors ? [] : sources, configPath }
}

/** Reads the documents of other repositories for a docs directory. Never rejects because of a document or a repository. */
export async function followSources(
  root: string,
  sources: readonly SourceSetting[],
  repositories: SourceRepositories,
  fetchDocument: DocsAccess['fetchDocument'],
  onProgress?: OnProgress,
): Promise<FollowedSources> {
  const documents: StoredDocument[] = []
  const failures: SourceFailure[] = []
  for (const source of sources) {
    const { repository, path, to } = source
    onProgress?.(`reading ${repository}`)
    try {
      const files = await repositories.read(repository, source.ref)
      const origin = { repository, webUrl: repositories.webUrl(repository), sha: files.sha, path }
      if (source.kind === 'clients') {
        documents.push({ root, path: to, text: await copyClient(source, files), origin })
        continue
      }
      const prepared = await prepareDocument(path, { files, fetchDocument })
      if (prepared.isValid) documents.push({ root, path: to, text: await prepared.toText(to), origin })
      else failures.push(explainInvalid(source, prepared, files))
    } catch (error) {
      if (error instanceof ConfigError) failures.push({ isInvalid: true, error })
      else if (error instanceof GitError) {
        const hint = error.lacksAccess ? repositories.howToAllow(repository) : error.hint
        failures.push({ isInvalid: false, error: new ConfigError(error.message, { hint, cause: error }) })
      } else throw error
    }
  }
  return { documents, failures }
}

/** The text of a clients file of another repository. Only `public: true` tells readers of this repository the name of the client. */
async function copyClient({ repository, path, to, isPublic }: SourceSetting, files: Pick<Files, 'read'>): Promise<string> {
  const result = await files.read(path, maxClientBytes)
  const { record } = result.kind === 'file' ? await readClientFile(toSourceFile(path, result.bytes)) : {}
  if (!record || (isPublic && !isClientName(record.client))) {
    const reason = result.kind === 'file' ? 'it is no clients file' : toFailure(result).reason
    const hint = 'Write it with `openapi-pages clients record` there, and commit it'
    throw new ConfigError(`Cannot read \`${path}\` in \`${repository}\`: ${reason}`, { hint })
  }
  return writeClientFile(isPublic ? record : { ...record, client: withoutDocumentExtension(baseName(to)) })
}

function explainInvalid(
  { repository, path, to }: SourceSetting,
  { diagnostics, files: read }: PreparedDocument,
  { sha, ref }: Awaited<ReturnType<SourceRepositories['read']>>,
): SourceFailure {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const [first] = errors
  const place = `\`${repository}\` at \`${ref.name}\` (\`${sha.slice(0, 7)}\`)`
  if (!read.includes(path)) {
    const hint = first?.hint ?? 'Correct `path` in `sources`'
    return { isInvalid: false, error: new ConfigError(`${first?.message ?? `Cannot read \`${path}\``} in ${place}`, { hint }) }
  }
  const where = first ? `. The first is in \`${first.file}:${first.range.start.line}\`: ${first.message}` : ''
  const message = `Cannot update \`${to}\`: \`${path}\` in ${place} has ${formatCount(errors.length, 'error')}${where}`
  const hint = `Correct the document in \`${repository}\`. \`${to}\` and its pages were not changed`
  return { isInvalid: true, error: new ConfigError(message, { hint }) }
}

/**
 * Adds the parts of a bundle with swagger-parser, which sees nothing but references to them, and reads neither disk nor network. On its own, the library
 * inlines components at their first reference, resolves `$ref` inside examples, drops discriminator mappings and rejects OpenAPI 3.2.
 */
export async function joinParts(bundle: Bundle): Promise<Bundle['document']> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser')
  const { addParts } = await import('../../openapi/bundle/bundle-description.ts')
  const { parts } = bundle
  const references = parts.map((_part, index) => ({ $ref: `part:${index}` }))
  const wrapper = { openapi: '3.0.4', info: { title: '', version: '' }, paths: {}, 'x-parts': references }
  const resolver = { order: 1, canRead: /^part:\d+$/, read: ({ url }: { readonly url: string }) => url.slice('part:'.length) }
  // The library looks for references in what it can list.
  const parse = ({ data }: { readonly data: unknown }) =>
    Object.defineProperty({}, 'value', { value: parts[Number(data)]?.value })
  const joined = await SwaggerParser.bundle(wrapper, {
    resolve: { file: false, http: false, parts: resolver },
    parse: { json: false, yaml: false, text: false, binary: false, parts: { order: 1, canParse: true, allowEmpty: true, parse } },
  })
  // As in `wrapper`.
  return addParts(bundle, (joined as unknown as { readonly 'x-parts': readonly { readonly value: unknown }[] })['x-parts'])
}

/** Formats a document with a final newline. The YAML means the same in YAML 1.1 and 1.2 and has no aliases. */
export async function formatBundle(document: unknown, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(document, undefined, 2)}\n`
  const { stringify } = await import('yaml')
  try {
    return stringify(document, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false, customTags: [writtenNumber] })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // The library recurses several times per level.
    throw new ConfigError('cannot write the bundle as YAML: it is nested too deeply', { hint: 'Use --format json' })
  }
}

const writtenNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  identify: (value) => value instanceof WrittenNumber,
  default: true,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
}
