import type { Git } from '../../git/git.ts'
import { readHead } from '../../git/refs.ts'
import type { ConnectResult } from './connect-github.ts'
import type { DeliverOptions } from './delivery.ts'
import { readSourceHash } from './source-hash.ts'

/**
 * Makes the question, asked after the work tree has moved to a newer commit, whether that is left to a newer run: the documents are others
 * there, and a newer run of the workflow is at work on that commit. Where GitHub does not tell (`actions: read`), it is not.
 */
export function createIsSuperseded(
  git: Git,
  connect: () => Promise<ConnectResult>,
  { variables }: Pick<DeliverOptions, 'variables'>,
): () => Promise<boolean> {
  const { workflow, runNumber } = variables
  if (workflow === undefined || runNumber === 0) return async () => false
  return async () => {
    // Git keeps where the work tree was before it was moved.
    if ((await readSourceHash(git, [])) === (await readSourceHash(git, [], [], 'ORIG_HEAD'))) return false
    const connected = await connect()
    if (connected.kind === 'none') return false
    const { hasNewerRun } = await import('../../github/repository.ts')
    const { open, repository } = connected.connection
    return (await hasNewerRun(await open(), repository, { workflow, sha: await readHead(git), runNumber })) ?? false
  }
}
