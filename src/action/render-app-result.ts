import { escapeMarkdown } from './escape-markdown.ts'
import type { AppResult } from './report-to-app.ts'

/** The lines of the summary about the app: a link to each record, and what was in the way. */
export function renderAppResult({ records, trouble }: AppResult): string {
  const links = records.map(({ root, statusId, detailsUrl }) => {
    const name = `Update \`${statusId.replace(/[^\w-]/g, '')}\`${root === '' ? '' : ` of ${escapeMarkdown(root, 'paragraph')}`}`
    // The address was checked to be of signs of a URL alone; these would end the link.
    return detailsUrl === undefined ? name : `[${name}](<${detailsUrl.replace(/[<>\\|]/g, encodeURIComponent)}>)`
  })
  return [...links, ...(trouble === undefined ? [] : [escapeMarkdown(trouble, 'paragraph')])].join('<br>')
}
