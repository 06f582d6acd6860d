import type { WantedPage } from './match-locked-pages.ts'
import { renderPage } from './render-page.ts'
import { toTraits } from './to-traits.ts'
import type { PlannedPage } from './types.ts'

/** What a page is about, and its text, wherever it stands. */
export function describePage({
  division,
  source,
  subject,
  group,
}: WantedPage): Omit<PlannedPage, 'path' | 'kind' | 'previous' | 'formerGroup'> {
  const content = renderPage(subject, { document: source.source, version: division.version })
  return { document: source.source, target: subject.target, traits: toTraits(subject, group), content }
}
