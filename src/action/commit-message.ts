import { formatCount } from '../diagnostic/diagnostic.ts'
import type { Update } from '../update/types.ts'
import { countPages } from './count-pages.ts'
import { skipWord } from './delivery/skip-words.ts'
import { addTrailers, type Trailer } from './delivery/trailers.ts'
import type { ActionInputs } from './inputs.ts'

/** The message of the commit of an update: what the workflow says, numbers, and trailers. No text of a document gets into it. */
export function toCommitMessage(
  { commitMessage, skipCi }: Pick<ActionInputs, 'commitMessage' | 'skipCi'>,
  update: Update,
  trailers: readonly Trailer[],
  addedCount = 0,
): string {
  const [headline = '', ...rest] = withNumbers(commitMessage, update, addedCount).split('\n')
  const message = [skipCi ? `${headline} ${skipWord}` : headline, ...rest].join('\n')
  return addTrailers(message, trailers)
}

/** Numbers for a message of one line; a longer one says what its author wants to say. */
function withNumbers(message: string, update: Update, addedCount: number): string {
  if (message.includes('\n')) return message
  const { added, modified, removed } = countPages(update.pages)
  const { navigation } = update
  const parts = [
    added > 0 ? `${formatCount(added, 'page')} added` : '',
    modified > 0 ? `${formatCount(modified, 'page')} changed` : '',
    removed > 0 ? `${formatCount(removed, 'page')} removed` : '',
    navigation.added > 0 ? `${navigation.added} added to the navigation` : '',
    navigation.removed > 0 ? `${navigation.removed} removed from the navigation` : '',
    addedCount > 0 ? `${formatCount(addedCount, 'other file')} updated` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? message : `${message}\n\n${parts.join(', ')}.`
}
