import { createSecretSearch } from '../../openapi/public/filter-description.ts'
import { ConfigError } from '../../text/errors.ts'
import type { SiteFile } from '../plan/types.ts'
import type { ReadSite } from './read-site.ts'
import { type EarlierBuild, type EmitFile, hashOf } from './render-memory.ts'

/**
 * Stops a build before it publishes the name or a value of a restricted part, apart from those that public pages and documents have too. Pages of a build
 * with other restrictions are not reused.
 *
 * @throws {ConfigError} if a file has one.
 */
export async function guardOutput(
  { documents, source, files }: Pick<ReadSite, 'documents' | 'source' | 'files'>,
  emit: EmitFile,
  earlier: EarlierBuild,
): Promise<{ readonly emit: EmitFile; readonly earlier: EarlierBuild }> {
  const secrets = documents.flatMap(({ check }) => check.restrictedNames ?? [])
  if (!source || secrets.length === 0) return { emit, earlier }
  const prefix = source.root === '' ? '' : `${source.root}/`
  const written = (await files.list(source.root)).filter((path) => isWritten(path.slice(prefix.length)))
  const pages = await Promise.all(written.map((path) => files.read(path)))
  const texts = [
    ...pages.map((page) => (page.kind === 'file' ? page.bytes : '')),
    ...source.documentFiles.map(({ content }) => content),
  ]
  const find = createSecretSearch(secrets, texts.map(toText))
  return {
    emit(file) {
      const secret = isSearched(file) ? find(toText(file.content)) : undefined
      if (secret === undefined) return emit(file)
      throw new ConfigError(`cannot publish ${file.path}: it has \`${secret}\`, the name or a value of a restricted part`, {
        hint: 'Remove it from what the file is made of, or set `site: { restricted: publish }`',
      })
    },
    earlier: earlier.stamp === '' ? earlier : { ...earlier, stamp: hashOf([earlier.stamp, secrets]) },
  }
}

/** Whether a file of the docs directory is what an author wrote for every reader. */
function isWritten(path: string): boolean {
  return /\.(?:mdx?|[jt]sx?)$|^(?:docs|mint)\.json$/i.test(path)
}

function isSearched({ path, content }: SiteFile): boolean {
  return typeof content === 'string' || /\.(?:json|ya?ml|html?|md|txt|csv|xml)$/i.test(path)
}

function toText(content: SiteFile['content']): string {
  return typeof content === 'string' ? content : Buffer.from(content).toString()
}
