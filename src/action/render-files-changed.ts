import { formatCount, formatNumber } from '../diagnostic/diagnostic.ts'
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
  const by = eventName === 'push' ? 'this push' : eventName === 'merge_group' ? 'this group' : 'this pull request'
  const way = found.way === 'git' ? 'git' : 'the compare API of GitHub'
  const ofDocuments = `${formatNumber(documentCount)} of ${formatCount(documents.length, 'OpenAPI document')}`
  const rest = others === 0 ? 'no other file' : formatCount(others, 'other file')
  const caveat = found.truncated === undefined ? '' : ` ${renderMessage(found.truncated)}.`
  return `<sub>Changed by ${by}, as ${way} tells: ${ofDocuments}, ${rest}.${caveat}</sub>`
}
