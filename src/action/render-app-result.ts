import { renderCode, renderMessage, renderWordLink } from '../report/markdown.ts'
import type { AppResult } from './action-report.ts'

/** The lines of the summary about the app: a link to each record, and what was in the way. */
export function renderAppResult({ records, trouble }: AppResult): string {
  const links = records.map(({ root, statusId, detailsUrl }) => {
    const name = `Update \`${statusId.replace(/[^\w-]/g, '')}\`${root === '' ? '' : ` of ${renderCode(root)}`}`
    return detailsUrl === undefined ? name : renderWordLink(name, detailsUrl)
  })
  return [...links, ...(trouble === undefined ? [] : [renderMessage(trouble)])].join('<br>')
}
