import { GitHubError } from '../../errors.ts'
import type { Delivery, DeliveryTools } from './delivery.ts'

/**
 * Asks GitHub whether it shows the commit of a delivery as verified. After a push that is asked only where it matters.
 *
 * Nothing is thrown: the commit is made, whatever the answer is.
 */
export async function verifyCommit(
  { inputs, connect }: Pick<DeliveryTools, 'inputs' | 'connect'>,
  delivery: Delivery,
): Promise<Delivery> {
  const { commitSha } = delivery
  if (commitSha === undefined || (inputs.commitMethod === 'git' && !inputs.requireSigned)) return delivery
  const connected = await connect()
  if (connected.kind === 'none') return delivery
  const { open, repository } = connected.connection
  try {
    const { readVerification } = await import('../../github/commits.ts')
    const { isVerified, reason } = await readVerification(await open(), repository, commitSha)
    if (isVerified) return { ...delivery, isVerified }
    const note = `GitHub does not show the commit as verified (\`${reason}\`).`
    return { ...delivery, isVerified, notes: [...delivery.notes, note] }
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    return { ...delivery, notes: [...delivery.notes, `Whether the commit is verified is not known: ${error.message}.`] }
  }
}
