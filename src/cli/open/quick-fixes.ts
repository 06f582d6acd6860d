import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { formatYamlText } from '../../docs/pages/page-bindings.ts'
import { escapePointerSegment, unescapePointerSegment } from '../../text/json/json-values.ts'
import { locatePointers, syntaxOf } from '../../text/parse-source.ts'
import type { OffsetRange, SourceFile } from '../../text/plain/source-file.ts'
import { suggest } from '../../text/plain/suggest.ts'

/** The edit that a hint describes. */
interface QuickFix {
  readonly title: string
  readonly offsets: OffsetRange
  readonly newText: string
}

/** Plans the edit for the hint of a diagnostic. `undefined` if the hint leaves the edit open. `offsets` is the range of the diagnostic. */
export async function planQuickFix(
  { code, hint = '', pointer }: Pick<Diagnostic, 'code' | 'hint' | 'pointer'>,
  offsets: OffsetRange,
  source: SourceFile,
): Promise<QuickFix | undefined> {
  const written = source.text.slice(offsets.start, offsets.end)
  const replace = (newText: string): QuickFix => ({ title: `Replace with ${newText}`, offsets, newText })
  const near = /^(?:Did you mean|Write) `([^`]+)`\??$/.exec(hint)?.[1]
  if (near !== undefined) {
    const plain = toPlain(written)
    const statusCode = /^'?([1-5](?:\d\d|XX))'?$/.exec(near)?.[1]
    if (statusCode !== undefined) return replace(syntaxOf(source) === 'json' ? `"${statusCode}"` : `'${statusCode}'`)
    const reference = code === 'reference-unresolved' && !near.includes('/') ? replaceSegment(plain, near) : undefined
    if (reference !== undefined) return replace(quoteLike(written, reference))
    // The range of some problems is larger than the word that the hint corrects.
    return plain !== near && suggest(plain, [near]) === near ? replace(quoteLike(written, near)) : undefined
  }
  if (hint.startsWith('Quote the value: `') && hint.endsWith(`: "${written}"\``)) return replace(`"${written}"`)
  if (hint === 'Remove the quotes') {
    const bare = toPlain(written)
    return bare !== written && /^(?:-?\d+(?:\.\d+)?|true|false)$/i.test(bare) ? replace(bare.toLowerCase()) : undefined
  }
  const added = /^Add `([\w$-]+): ([^`]+)`(?: or another location)?$/.exec(hint)
  return added ? await planField(added[1] ?? '', added[2] ?? '', pointer, source) : undefined
}

/** Adds a field before the first one of a mapping, which keeps its indentation. */
async function planField(key: string, value: string, pointer: string, source: SourceFile): Promise<QuickFix | undefined> {
  const start = (await locatePointers(source, [pointer])).get(pointer)?.value.start ?? 0
  const { text } = source
  const title = `Add ${key}: ${value}`
  const at = (offset: number, newText: string) => ({ title, offsets: { start: offset, end: offset }, newText })
  if (text[start] === '{') {
    const isEmpty = /^\{\s*\}/.test(text.slice(start, start + 200))
    const end = isEmpty ? '' : ','
    if (syntaxOf(source) !== 'json') return at(start + 1, `${key}: ${value}${end}${isEmpty ? '' : ' '}`)
    const literal = value === '{}' ? value : JSON.stringify(value)
    const space = /^\{(\s*)/.exec(text.slice(start, start + 200))?.[1] ?? ''
    return at(start + 1, `${isEmpty ? '' : space}"${key}": ${literal}${end}`)
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
