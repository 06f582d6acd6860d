import { resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import { resolveThroughLinks } from '../files/boundary.ts'
import { isUrl } from '../text/relative-path.ts'
import type { CliContext } from './cli-context.ts'

/**
 * Refuses to write what a command says of a file over that file.
 *
 * @param sources what is read: addresses, and paths that are absolute or relative to the working directory.
 * @throws {ConfigError} when the output is one of them.
 */
export function refuseSource(
  output: string,
  sources: Iterable<string>,
  { workingDirectory }: Pick<CliContext, 'workingDirectory'>,
): void {
  const toReal = (path: string) => resolveThroughLinks(resolve(workingDirectory, path))
  const target = toReal(output)
  for (const source of sources) {
    if (isUrl(source) || toReal(source) !== target) continue
    throw new ConfigError(`cannot write ${output}: it is one of the files that are read`, {
      hint: 'Name another file with --output; nothing was changed.',
    })
  }
}
