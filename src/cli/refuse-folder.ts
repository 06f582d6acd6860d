import { resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import { isUrl } from '../text/relative-path.ts'
import type { CliContext } from './cli-context.ts'
import { statPath } from './stat-path.ts'

/**
 * For commands that take one document.
 *
 * @throws {ConfigError} when what is named is a folder, or nothing.
 */
export function refuseFolder(source: string, { workingDirectory }: Pick<CliContext, 'workingDirectory'>): void {
  if (source === '') throw new ConfigError('cannot read an empty argument: name a file or an address')
  if (isUrl(source) || !statPath(resolve(workingDirectory, source))?.isDirectory()) return
  throw new ConfigError(`cannot read ${source}: it is a folder`, {
    hint: 'Name the OpenAPI document in it; for a folder with a docs.json, run `openapi-pages update`.',
  })
}
