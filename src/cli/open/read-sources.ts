import { type FollowedSources, followSources, listSources } from '../../docs/update/stored-documents.ts'
import { openRemoteRepositories } from '../../git/remote-repository.ts'
import { ConfigError } from '../../text/errors.ts'
import type { CliContext, ExitCode, Output } from '../base/cli-context.ts'
import { describeError } from '../base/command-errors.ts'
import type { Workspace } from './workspace.ts'

/**
 * Reads the documents that `sources` in the configuration file of a docs directory names, with the token in `GITHUB_TOKEN` or the credentials of
 * Git.
 *
 * @throws {ConfigError} if the configuration file names none.
 */
export async function readSources(
  root: string,
  { access, reporting, toShown }: Workspace,
  { env }: CliContext,
): Promise<FollowedSources> {
  const { sources, configPath } = await listSources(root, access.files)
  if (sources.length === 0) {
    throw new ConfigError(`cannot find \`sources\` in ${toShown(configPath)}`, {
      hint: 'Add them, for example `sources: [{ repository: acme/api, path: openapi.yaml }]`, or omit --sources. Errors in the file have the same effect',
    })
  }
  const url = env['GITHUB_SERVER_URL'] || 'https://github.com'
  const token = env['GITHUB_TOKEN'] || env['GH_TOKEN'] || undefined
  const remote = openRemoteRepositories({ url, token })
  const howToAllow = (name: string) =>
    `${token === undefined ? 'Set GITHUB_TOKEN' : 'Set GITHUB_TOKEN to another token'}: it needs \`Contents: read\` in ${name}`
  try {
    return await followSources(root, sources, { ...remote, howToAllow }, access.fetchDocument, reporting.onProgress)
  } finally {
    remote.close()
  }
}

/** Prints the documents that could not be copied. Returns their exit code, at least the given one. */
export function printSourceFailures({ failures }: FollowedSources, stderr: Output, exitCode: ExitCode): ExitCode {
  for (const { error } of failures) stderr.write(describeError(error))
  if (exitCode === 2 || failures.some(({ isInvalid }) => !isInvalid)) return 2
  return failures.length > 0 ? 1 : exitCode
}
