import { basename, dirname, resolve } from 'node:path'
import { isDocsConfigPath } from '../docs/project-config.ts'
import { ConfigError } from '../errors.ts'
import type { CliContext } from './cli-context.ts'
import { statPath } from './stat-path.ts'

/**
 * The folder that is meant by an argument; a `docs.json` stands for its folder.
 *
 * @throws {ConfigError} for what is no folder. `verb` is what cannot be done to it.
 */
export function findDocsRoot(argument: string, verb: string, { workingDirectory }: CliContext): string {
  const stats = statPath(resolve(workingDirectory, argument))
  if (stats?.isDirectory()) return argument
  if (stats && isDocsConfigPath(basename(argument))) return dirname(argument)
  if (!stats) throw new ConfigError(`cannot read ${argument}: no such folder`)
  throw new ConfigError(`cannot ${verb} ${argument}: it is a file`, {
    hint: 'Name the folder with the docs.json; to write the pages of one document without one, run `openapi-pages openapi-file`.',
  })
}
