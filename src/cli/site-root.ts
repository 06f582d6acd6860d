import { resolve } from 'node:path'
import { isDocsConfigPath } from '../docs-config/project-config.ts'
import { ConfigError } from '../errors.ts'
import { createSingleDocumentDocs } from '../site/build/single-document.ts'
import { isUrl, parentPath } from '../source/relative-path.ts'
import { findNearName } from '../update/to-load-document.ts'
import type { UpdateEnvironment } from '../update/types.ts'
import type { CliContext } from './cli-context.ts'
import { statPath, type Workspace } from './workspace.ts'

interface SiteSource {
  /** Relative to the boundary. */
  readonly root: string
  readonly environment: UpdateEnvironment
  /** See `LoneDocument.madeFiles`. */
  readonly madeFiles?: ReadonlySet<string>
}

/**
 * Resolves an argument: a folder with a docs.json, the docs.json itself, or an OpenAPI document. A document gets a generated docs
 * directory.
 *
 * @throws {ConfigError} if it does not exist.
 */
export async function findSiteSource(argument: string, workspace: Workspace, context: CliContext): Promise<SiteSource> {
  const { environment } = workspace
  const stats = isUrl(argument) ? undefined : statPath(resolve(context.workingDirectory, argument))
  const inside = workspace.toInside(argument)
  if (!isUrl(argument) && !stats) {
    const near = await findNearName(environment.files, inside)
    const hint = near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }
    throw new ConfigError(`cannot read ${argument}: no such file or directory`, hint)
  }
  if (stats?.isDirectory()) return { root: inside, environment }
  if (!isUrl(argument) && isDocsConfigPath(inside)) return { root: parentPath(inside), environment }
  const bytes = await readBytes(inside, environment)
  const { root, files, madeFiles } = await createSingleDocumentDocs(
    inside,
    bytes,
    environment.files,
    isUrl(argument) ? workspace.toInside('.') : '',
  )
  return { root, environment: { ...environment, files }, madeFiles }
}

async function readBytes(path: string, { files, fetchDocument }: UpdateEnvironment): Promise<Uint8Array | undefined> {
  if (isUrl(path)) {
    const response = await fetchDocument(path)
    // An empty site must not replace the existing one.
    if (response.kind !== 'loaded') throw new ConfigError(`cannot read ${path}: ${response.reason}`)
    return response.bytes
  }
  const result = await files.read(path)
  return result.kind === 'file' ? result.bytes : undefined
}
