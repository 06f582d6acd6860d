import type { SitePage } from '../types.ts'

/** The method that stands before a page's title in the navigation; absent for pages that are not about one. */
export function pageMethod({ subject }: SitePage): string | undefined {
  if (subject.kind === 'operation') return subject.target.slice(0, subject.target.indexOf(' '))
  if (subject.kind === 'endpoint') return subject.method
  return subject.kind === 'webhook' ? 'WEBHOOK' : undefined
}
