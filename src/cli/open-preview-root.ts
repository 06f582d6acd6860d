import { basename, dirname, join, resolve } from 'node:path'
import { isDocsConfigPath } from '../docs/docs-config-names.ts'
import { ConfigError } from '../errors.ts'
import type { Files } from '../files/files.ts'
import { joinPath, parentPath } from '../text/relative-path.ts'
import type { CliContext } from './cli-context.ts'
import type { Workspace } from './open-workspace.ts'
import { statPath } from './stat-path.ts'

export interface PreviewRoot {
  /** The docs root, relative to the boundary. */
  readonly root: string
  readonly files: Files
  /** The folder to watch, absolute. */
  readonly watched: string
}

/**
 * What an argument of `preview` stands for: a folder, its `docs.json`, or an OpenAPI document alone, which is shown as if a `docs.json` with
 * nothing else stood beside it.
 *
 * @throws {ConfigError} for what is not there.
 */
export function openPreviewRoot(
  argument: string,
  { boundary, environment, toInside }: Workspace,
  { workingDirectory }: CliContext,
): PreviewRoot {
  const path = resolve(workingDirectory, argument)
  const stats = statPath(path)
  if (!stats) throw new ConfigError(`cannot read ${argument}: no such file or folder`)
  const isDocument = !stats.isDirectory() && !isDocsConfigPath(basename(path))
  const root = toInside(stats.isDirectory() ? argument : dirname(argument))
  // A document may refer to files above its folder.
  const watched = isDocument ? boundary : join(boundary, root)
  return { root, watched, files: isDocument ? onlyDocument(toInside(argument), environment.files) : environment.files }
}

function onlyDocument(document: string, files: Files): Files {
  const root = parentPath(document)
  const config = joinPath(root, 'docs.json')
  const name = basename(document)
  const text = JSON.stringify({
    name,
    theme: 'mint',
    colors: { primary: '#2548c4' },
    navigation: { tabs: [{ tab: 'API Reference', openapi: name }] },
  })
  const settings = joinPath(root, 'openapi-pages.config.yaml')
  return {
    read: async (path) => {
      if (path === config) return { kind: 'file', bytes: new TextEncoder().encode(text) }
      // The settings of a docs root are not for it, nor is what was recorded of its pages; schemas get pages of their own.
      if (path === settings) return { kind: 'file', bytes: new TextEncoder().encode('schemas: true\n') }
      if (path === joinPath(root, 'openapi-pages.lock.json')) return { kind: 'missing' }
      return await files.read(path)
    },
    list: async () => [config, document].sort(),
  }
}
