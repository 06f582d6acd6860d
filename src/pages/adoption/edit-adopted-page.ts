import { formatTarget, rewriteBinding } from '../../docs/binding-text.ts'
import { editFrontmatterValue, parsePageFrontmatter, readPageBinding } from '../../docs/page-frontmatter.ts'
import type { LockedPage } from '../../docs/types.ts'
import { toSchemaTarget } from '../subjects.ts'
import type { PageSubject } from '../types.ts'
import { textFrom } from './text-sources.ts'

/**
 * The text of an adopted page as it is to be: the texts that come from the description say what it says now, and the binding names the operation by
 * its name of now. Everything else keeps its bytes; so do the texts of a page that has a text of its own, and a page that is not bound to what the
 * lock file says.
 */
export function editAdoptedPage(
  text: string,
  subject: PageSubject,
  { operation, adopted, keep }: Pick<LockedPage, 'operation' | 'adopted' | 'keep'>,
): string {
  if (!isBoundTo(text, operation)) return text
  let edited = rebindAdopted(text, operation, subject.target)
  const values = parsePageFrontmatter(text)?.values ?? {}
  for (const [key, source] of Object.entries(keep ? {} : (adopted ?? {}))) {
    const now = textFrom(source, subject)
    const written = values[key]
    if (now === undefined || typeof written !== 'string' || written.trim() === now) continue
    edited = editFrontmatterValue(edited, key, now) ?? edited
  }
  return edited
}

/** Gives the binding of a page another operation, in the spelling that it has; only where it still names the one that the page was for. */
export function rebindAdopted(text: string, former: string, target: string): string {
  if (former === target || !isBoundTo(text, former)) return text
  const written = parsePageFrontmatter(text)?.values['openapi']
  const edited = typeof written === 'string' ? editFrontmatterValue(text, 'openapi', rewriteBinding(written, target)) : undefined
  return edited ?? text
}

/** Whether a page is bound to an operation, webhook or schema; see `LockedPage.operation`. */
export function isBoundTo(text: string, operation: string): boolean {
  const reading = readPageBinding(text)
  if (reading.kind !== 'bound') return false
  const { binding } = reading
  const bound = binding.kind === 'schema' ? toSchemaTarget(binding.name) : formatTarget(binding)
  return withoutSlash(bound) === withoutSlash(operation)
}

function withoutSlash(target: string): string {
  return target.replace(/(.)\/$/, '$1')
}
