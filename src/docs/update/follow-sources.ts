import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Files } from '../../files/files.ts'
import { ConfigError, GitError } from '../../text/errors.ts'
import type { SourceSetting } from '../config/source-settings.ts'
import { readDocsDirectory } from '../read/read-docs-directory.ts'
import type { StoredDocument, UpdateEnvironment } from '../types.ts'
import { type PreparedDocument, prepareDocument } from './stored-documents.ts'

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
  return { sources: hasConfigErrors ? [] : config.sources, configPath }
}

/** Reads the documents of other repositories for a docs directory. Never rejects because of a document or a repository. */
export async function followSources(
  root: string,
  sources: readonly SourceSetting[],
  repositories: SourceRepositories,
  { fetchDocument, onProgress }: Pick<UpdateEnvironment, 'fetchDocument' | 'onProgress'>,
): Promise<FollowedSources> {
  const documents: StoredDocument[] = []
  const failures: SourceFailure[] = []
  for (const source of sources) {
    const { repository, path, to } = source
    onProgress?.(`reading ${repository}`)
    try {
      const files = await repositories.read(repository, source.ref)
      const prepared = await prepareDocument(path, { files, fetchDocument })
      const origin = { repository, webUrl: repositories.webUrl(repository), sha: files.sha, path }
      if (prepared.isValid) documents.push({ root, path: to, text: await prepared.toText(to), origin })
      else failures.push(explainInvalid(source, prepared, files))
    } catch (error) {
      if (error instanceof ConfigError) failures.push({ isInvalid: true, error })
      else if (error instanceof GitError)
        failures.push({ isInvalid: false, error: explainUnreadable(error, repository, repositories) })
      else throw error
    }
  }
  return { documents, failures }
}

function explainUnreadable(error: GitError, name: string, { howToAllow }: SourceRepositories): ConfigError {
  const hint = error.lacksAccess ? howToAllow(name) : error.hint
  return new ConfigError(error.message, { ...(hint === undefined ? {} : { hint }), cause: error })
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
