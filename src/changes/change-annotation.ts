import { type Annotation, toAnnotationPlace, toPlaceText } from '../diagnostics/format-github.ts'
import { escapeText, toOneLine } from '../text/plain/escape-text.ts'
import { describeAcceptance, describeLevel } from './accepted-changes.ts'
import { changeUrl } from './change-codes.ts'
import { listOperations, nameOperation } from './changes-text.ts'
import type { Change } from './types.ts'

/** Creates an annotation on the line of a change in the revision, if it has one. Document text is escaped. */
export function toChangeAnnotation(change: Change, annotationLevel: Annotation['level']): Annotation {
  const { code, base } = change
  const revision = change.revision ?? change.surrounding
  const lines = describeChange(change)
  if (base) lines.push(`base: ${toPlaceText(base.file, base.range.start)}`)
  lines.push(changeUrl(code))
  const place = revision && toAnnotationPlace(revision.file, revision.range)
  if (revision && !place) lines.push(toPlaceText(revision.file, revision.range.start))
  return { level: annotationLevel, message: lines.join('\n'), title: `${describeLevel(change)}: ${code}`, place }
}

/** The operation, message, affected operations, acceptance and hint, as escaped lines. */
export function describeChange(change: Change): string[] {
  const { message, hint } = change
  const operation = nameOperation(change)
  const lines = [`${operation === undefined ? '' : `${escapeText(operation)}: `}${escapeText(message)}`]
  const affected = listOperations(change)
  if (affected !== undefined) lines.push(`affects: ${affected}`)
  const acceptance = describeAcceptance(change)
  if (acceptance !== undefined) lines.push(escapeText(acceptance))
  else if (hint !== undefined) lines.push(`hint: ${escapeText(toOneLine(hint))}`)
  return lines
}
