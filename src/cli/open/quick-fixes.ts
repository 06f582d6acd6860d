import phrases from '../../../texts/reason-phrases.json' with { type: 'json' }
import type { Diagnostic, DiagnosticCode } from '../../diagnostics/diagnostic.ts'
import { formatYamlText } from '../../docs/pages/page-bindings.ts'
import { isSpecified } from '../../openapi/tables/object-tables.ts'
import { escapePointerSegment, parsePointer, readOwn, unescapePointerSegment } from '../../text/json/json-values.ts'
import { locatePointers, type PointerPlaces, syntaxOf } from '../../text/parse-source.ts'
import type { OffsetRange, SourceFile, TextEdit } from '../../text/plain/source-file.ts'
import { suggest } from '../../text/plain/suggest.ts'

/** The edit that a hint describes. */
interface QuickFix extends TextEdit {
  readonly title: string
  /**
   * Whether it writes only words that are at its place, or that a specification defines for it. All other edits are for a person to choose, because
   * they guess what an author meant.
   */
  readonly isProvable: boolean
}

/** The problems whose hints name words of OpenAPI. Others name those of authors. */
const ofSpecification: readonly DiagnosticCode[] = ['unknown-field', 'unknown-keyword', 'wrong-value']

/**
 * Plans the edit for the hint of a diagnostic. `undefined` if the hint leaves the edit open.
 *
 * @param offsets the range of the diagnostic. @param places has its pointer. Absent: it is located.
 */
export async function planQuickFix(
  { code, hint = '', pointer }: Pick<Diagnostic, 'code' | 'hint' | 'pointer'>,
  offsets: OffsetRange,
  source: SourceFile,
  places?: PointerPlaces,
): Promise<QuickFix | undefined> {
  const written = source.text.slice(offsets.start, offsets.end)
  const replace = (newText: string, isProvable = true) => ({ title: `Replace with ${newText}`, offsets, newText, isProvable })
  if (code === 'response-code-quotes') return /^\d+$/.test(written) ? replace(`'${written}'`) : undefined
  const near = /^(?:Did you mean|Write) `([^`]+)`\??$/.exec(hint)?.[1]
  if (near !== undefined) {
    const plain = toPlain(written)
    const isKnown = ofSpecification.includes(code)
    const statusCode = /^'?([1-5](?:\d\d|XX))'?$/.exec(near)?.[1]
    if (statusCode !== undefined) return replace(syntaxOf(source) === 'json' ? `"${statusCode}"` : `'${statusCode}'`, isKnown)
    const reference = code === 'reference-unresolved' && !near.includes('/') ? replaceSegment(plain, near) : undefined
    if (reference !== undefined) return replace(quoteLike(written, reference), false)
    // The range of some problems is larger than the word that the hint corrects.
    const isNear = plain !== near && suggest(plain, [near]) === near
    return isNear ? replace(quoteLike(written, near), isKnown && isSpecified(near)) : undefined
  }
  if (hint.startsWith('Quote the value: `') && hint.endsWith(`: "${written}"\``)) return replace(`"${written}"`)
  if (hint === 'Remove the quotes') {
    const bare = toPlain(written)
    return bare !== written && /^(?:-?\d+(?:\.\d+)?|true|false)$/i.test(bare) ? replace(bare.toLowerCase()) : undefined
  }
  const [, key = '', value = ''] = /^Add `([\w$-]+): ([^`]+)`(?: or another location)?$/.exec(hint) ?? []
  if (key === '') return undefined
  const { start } = (places ?? (await locatePointers(source, [pointer]))).get(pointer)?.value ?? { start: 0 }
  const edit = planField(key, value, start, source)
  // Other values are examples.
  const isPhrase = value === readOwn(phrases, parsePointer(pointer).at(-1) ?? '')
  return edit && { ...edit, title: `Add ${key}: ${value}`, isProvable: code === 'missing-field' && (value === '{}' || isPhrase) }
}

/** Adds a field before the first one of a mapping, which keeps its indentation. */
export function planField(key: string, value: string, start: number, source: SourceFile): TextEdit | undefined {
  const { text } = source
  const at = (offset: number, newText: string) => ({ offsets: { start: offset, end: offset }, newText })
  if (text[start] === '{') {
    const isEmpty = /^\{\s*\}/.test(text.slice(start, start + 200))
    const space = isEmpty ? '' : (/^\{(\s*)/.exec(text.slice(start, start + 200))?.[1] ?? '')
    const isJson = syntaxOf(source) === 'json'
    const field = isJson ? `"${key}": ${value === '{}' ? value : JSON.stringify(value)}` : `${key}: ${value}`
    return at(start + 1, isEmpty ? field : `${space}${field},${isJson || space !== '' ? '' : ' '}`)
  }
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const indentation = text.slice(lineStart, start)
  // Not a mapping in block style, or not one that begins its line.
  if (!/^(?: *(?:- +)*)$/.test(indentation) || !/^["']?[\w$/-]+["']?\s*:/.test(text.slice(start, start + 200))) return undefined
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  return at(start, `${key}: ${value}${newline}${' '.repeat(indentation.length)}`)
}

/** Corrects the last similar segment of a reference: `#/components/schemas/Pett`. */
function replaceSegment(reference: string, near: string): string | undefined {
  const segments = reference.split('/')
  const index = segments.findLastIndex((segment) => suggest(unescapePointerSegment(segment), [near]) === near)
  return index < 1 ? undefined : segments.with(index, escapePointerSegment(near)).join('/')
}

function toPlain(written: string): string {
  return /^(["']).*\1$/s.test(written) ? written.slice(1, -1) : written
}

function quoteLike(written: string, text: string): string {
  const quote = written[0]
  return quote === '"' ? JSON.stringify(text) : formatYamlText(text, quote === "'" ? quote : '')
}
