import { editFrontmatterValue } from '../../docs/edit-frontmatter-value.ts'
import { formatTarget } from '../../docs/format-binding.ts'
import { parseBinding } from '../../docs/parse-binding.ts'
import { parsePageFrontmatter } from '../../docs/parse-page-frontmatter.ts'
import { readPageBinding } from '../../docs/read-page-binding.ts'
import { rewriteBinding } from '../../docs/rewrite-binding.ts'
import type { LockedPage } from '../../docs/types.ts'
import type { PageSubject } from '../types.ts'
import { textFrom } from './text-sources.ts'

/**
 * The text of an adopted page as it is to be: the texts that come from the description say what it says now, and the binding names the operation by
 * its name of now. Everything else keeps its bytes; so do the texts of a page that has a text of its own.
 */
export function editAdoptedPage(
  text: string,
  subject: PageSubject,
  { adopted, keep }: Pick<LockedPage, 'adopted' | 'keep'>,
): string {
  let edited = rebind(text, subject.target) ?? text
  const values = parsePageFrontmatter(text)?.values ?? {}
  for (const [key, source] of Object.entries(keep ? {} : (adopted ?? {}))) {
    const now = textFrom(source, subject)
    const written = values[key]
    if (now === undefined || typeof written !== 'string' || written.trim() === now) continue
    edited = editFrontmatterValue(edited, key, now) ?? edited
  }
  return edited
}

/** Gives the binding of a page that was edited by hand another operation, where it still names the one that the page was for. */
export function rebindAdopted(text: string, former: string, target: string): string | undefined {
  const reading = readPageBinding(text)
  const isFormer = reading.kind === 'bound' && withoutSlash(formatTarget(reading.binding)) === withoutSlash(former)
  return isFormer ? rebind(text, target) : undefined
}

/** Gives the binding of a page another operation, in the spelling that it has; `undefined` where it names the operation already, or none. */
function rebind(text: string, target: string): string | undefined {
  const reading = readPageBinding(text)
  if (reading.kind !== 'bound' || reading.key !== 'openapi') return undefined
  const wanted = parseBinding(target)
  const isSame = withoutSlash(formatTarget(reading.binding)) === withoutSlash(wanted ? formatTarget(wanted) : target)
  const written = isSame ? undefined : parsePageFrontmatter(text)?.values['openapi']
  return typeof written === 'string' ? editFrontmatterValue(text, 'openapi', rewriteBinding(written, target)) : undefined
}

function withoutSlash(target: string): string {
  return target.replace(/(.)\/$/, '$1')
}
