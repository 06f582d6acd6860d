import { formatCount } from '../diagnostic/count-findings.ts'
import type { Update } from '../update/types.ts'
import { countPages } from './count-pages.ts'

/** The message of the commit of an update: what the workflow says, and numbers. No text of a document gets into it. */
export function toCommitMessage(message: string, update: Update): string {
  if (message.includes('\n')) return message
  const { added, modified, removed } = countPages(update.pages)
  const { navigation } = update
  const parts = [
    added > 0 ? `${formatCount(added, 'page')} added` : '',
    modified > 0 ? `${formatCount(modified, 'page')} changed` : '',
    removed > 0 ? `${formatCount(removed, 'page')} removed` : '',
    navigation.added > 0 ? `${navigation.added} added to the navigation` : '',
    navigation.removed > 0 ? `${navigation.removed} removed from the navigation` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? message : `${message}\n\n${parts.join(', ')}.`
}
