import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Update } from '../../docs/types.ts'
import { ConfigError } from '../../text/errors.ts'
import type { DeliveryInputs } from '../inputs/inputs.ts'
import { countPages } from './delivery.ts'
import { addTrailers, type Trailer } from './source-trailer.ts'

/** Creates the commit message: the configured text, page counts and trailers. It never contains text from documents. */
export function toCommitMessage(
  { commitMessage, committer, signoff, skipCi }: Pick<DeliveryInputs, 'commitMessage' | 'committer' | 'signoff' | 'skipCi'>,
  update: Update,
  trailers: readonly Trailer[],
  addedCount = 0,
): string {
  const [headline = '', ...rest] = addPageCounts(commitMessage, update, addedCount).split('\n')
  const message = [skipCi ? `${headline} ${skipMarker}` : headline, ...rest].join('\n')
  const origins = [...new Set((update.stored ?? []).map(({ origin }) => `${origin.repository}@${origin.sha}`))]
  const from = origins.map((origin): Trailer => [originTrailer, origin])
  const signed: readonly Trailer[] = signoff ? [['Signed-off-by', `${committer.name} <${committer.email}>`]] : []
  return addTrailers(message, [...trailers, ...from, ...signed])
}

/** The trailer with the commit of a stored document. GitHub links to it. */
const originTrailer = 'Openapi-Pages-From'

/** Adds page counts to a message of one line. Longer messages are complete. */
function addPageCounts(message: string, update: Update, addedCount: number): string {
  if (message.includes('\n')) return message
  const { added, modified, removed } = countPages(update.pages)
  const { navigation, stored = [] } = update
  const parts = [
    added > 0 ? `${formatCount(added, 'page')} added` : '',
    modified > 0 ? `${formatCount(modified, 'page')} changed` : '',
    removed > 0 ? `${formatCount(removed, 'page')} removed` : '',
    navigation.added > 0 ? `${navigation.added} added to the navigation` : '',
    navigation.removed > 0 ? `${navigation.removed} removed from the navigation` : '',
    stored.length > 0 ? `${formatCount(stored.length, 'document')} updated` : '',
    addedCount > 0 ? `${formatCount(addedCount, 'other file')} updated` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? message : `${message}\n\n${parts.join(', ')}.`
}

/** Source: GitHub, "Skipping workflow runs". */
const skipMarkers = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]|^skip-checks: *true *$/gim

const skipMarker = '[skip ci]'

/**
 * Refuses a message that skips workflows if its commit becomes the head of a pull request: required checks would stay pending forever.
 *
 * @throws {ConfigError}
 */
export function rejectSkipMarkers(message: string, isAskedFor: boolean): void {
  const [found] = message.match(skipMarkers) ?? []
  if (!isAskedFor && found === undefined) return
  const what = isAskedFor
    ? 'Unexpected `true` for the input `skip-ci`'
    : `Unexpected \`${found}\` in the input \`commit-message\``
  throw new ConfigError(`${what}: the commit becomes the head of a pull request`, {
    hint: 'Remove it: if workflows are skipped, required checks stay pending forever. Loops are already prevented, because the Action ignores its own commits',
  })
}

/** Removes skip markers from a message, for a commit that goes to a pull request instead of a branch. */
export function removeSkipMarkers(message: string): string {
  return message
    .replaceAll(skipMarkers, '')
    .replaceAll(/(?<![ \t])[ \t]+$/gm, '')
    .trim()
}
