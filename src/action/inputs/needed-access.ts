import type { ActionInputs, Mode } from './inputs.ts'

/** The access that a run needs in its mode, for the message about what is missing. */
export interface NeededAccess {
  /** As in `permissions` of a workflow, such as `contents: write`. */
  readonly permissions: readonly string[]
  /** Whether the input `token` replaces the token of the job. */
  readonly usesToken: boolean
}

/** The access of a run that ended before its mode was known. */
export const unknownAccess: NeededAccess = { permissions: [], usesToken: false }

type NeedingInputs = Pick<ActionInputs, 'delivery' | 'report' | 'tokens'>

/** Lists everything that a run may need, so that one message names all missing permissions. */
export function findNeededAccess(
  { delivery: { onProtected }, report: { comment, appUrl, appToken }, tokens: { token } }: NeedingInputs,
  mode: Mode,
  isPullRequest: boolean,
): NeededAccess {
  const isWriting = mode === 'commit' || mode === 'pull-request'
  const proposes = mode === 'pull-request' || (mode === 'commit' && onProtected === 'pull-request')
  const comments = isPullRequest && comment !== 'never'
  return {
    permissions: [
      isWriting ? 'contents: write' : 'contents: read',
      ...(proposes || comments ? ['pull-requests: write'] : []),
      ...(appUrl !== undefined && appToken === undefined ? ['id-token: write'] : []),
    ],
    usesToken: isWriting && token !== undefined,
  }
}

/**
 * Returns the imperative that grants all permissions of a mode.
 *
 * @param missing The permission that GitHub asked for, in case that the mode does not list it.
 */
export function describeGrant({ permissions, usesToken }: NeededAccess, missing: string | undefined): string {
  const [name] = (missing ?? '').split(':')
  const isListed = missing === undefined || permissions.some((permission) => permission.startsWith(`${name}:`))
  const all = isListed ? permissions : [...permissions, missing]
  if (all.length === 0) return 'Check the permissions of the token'
  const list = `\`permissions: { ${all.join(', ')} }\``
  return usesToken ? `Give the token in the input \`token\` the access of ${list}` : `Give the job ${list}`
}
