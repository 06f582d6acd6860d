import { formatCount, formatNumber } from '../diagnostic/count-findings.ts'
import { renderMessage } from '../report/markdown.ts'
import type { Update } from '../update/types.ts'
import type { FilesChangedReport } from './find-files-changed.ts'

/** Says how many of the documents and of the other files the event changed, and how that was found out. */
export function renderFilesChanged(found: FilesChangedReport, { documents }: Update, eventName: string): string {
  if (found.way === 'all') return `<sub>Everything counts as changed: ${renderMessage(found.reason)}.</sub>`
  const { added, modified, removed } = found.filesChanged
  const changed = new Set([...added, ...modified, ...removed])
  const documentCount = documents.filter(({ path }) => changed.has(path)).length
  const others = changed.size - documentCount
  const what = eventName === 'push' ? 'This push' : eventName === 'merge_group' ? 'This group' : 'This pull request'
  const ofDocuments = `${formatNumber(documentCount)} of ${formatCount(documents.length, 'document')}`
  const way = found.way === 'git' ? 'git' : 'the compare API of GitHub'
  const caveat = found.truncated === undefined ? '' : ` ${renderMessage(found.truncated)}.`
  return `<sub>${what} changed ${ofDocuments} and ${formatCount(others, 'other file')} (read from ${way}).${caveat}</sub>`
}
