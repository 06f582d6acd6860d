import { escapeText, toOneLine } from '../text/escape-text.ts'
import { groupBy } from '../text/group-by.ts'
import { type SourceFile, type SourceLines, sizeOf, toSourceLines } from '../text/source-file.ts'
import { bySeverity } from './by-severity.ts'
import { diagnosticUrl } from './codes.ts'
import { formatNumber } from './count-findings.ts'
import type { Diagnostic } from './diagnostic.ts'
import { formatFrame } from './format-frame.ts'
import type { Palette } from './palette.ts'

export interface TextFormatOptions {
  readonly palette: Palette
  /** The file of a diagnostic, for the lines around it; without it the diagnostic is shown without. */
  readonly sourceOf: (file: string) => SourceFile | undefined
  /** Show everything; else each code in a file has ten frames, and only the first ten of its warnings and infos are listed. */
  readonly all: boolean
  /** Most characters of a source line that are shown. */
  readonly lineWidth: number
}

/** Per code and file: warnings or infos that are listed, and diagnostics with the lines around them. */
const shownPerCode = 10

/**
 * Shows diagnostics to a person: place, message, lines around it, what to do, and where the rule is explained.
 *
 * Errors come first, then warnings and infos, each in the given order, which is by file and place. Errors are never left out. Everything from
 * a document is escaped. Ends with a line end; `''` for no diagnostics.
 */
export function formatText(diagnostics: readonly Diagnostic[], options: TextFormatOptions): string {
  const linesOf = cacheLines(options.sourceOf)
  const explained = new Set<string>()
  const blocks: string[] = []
  for (const same of groupBy(bySeverity(diagnostics), ({ severity }) => severity).values()) {
    const keyOf = ({ file, code }: Diagnostic) => `${file}\n${code}`
    const counts = new Map([...groupBy(same, keyOf)].map(([key, { length }]) => [key, length]))
    const seen = new Map<string, number>()
    for (const diagnostic of same) {
      const { code, file, severity } = diagnostic
      const key = keyOf(diagnostic)
      const number = (seen.get(key) ?? 0) + 1
      seen.set(key, number)
      const isShort = number > shownPerCode && !options.all
      if (isShort && severity !== 'error') continue
      blocks.push(formatDiagnostic(diagnostic, isShort ? undefined : linesOf(file), !explained.has(code), options))
      explained.add(code)
      const left = (counts.get(key) ?? 0) - shownPerCode
      if (number === shownPerCode && left > 0 && severity !== 'error' && !options.all) {
        blocks.push(
          options.palette.dim(`  … and ${formatNumber(left)} more \`${code}\` in ${escapeText(file)} (--all shows them)\n`),
        )
      }
    }
  }
  return blocks.join('\n')
}

function formatDiagnostic(
  diagnostic: Diagnostic,
  lines: SourceLines | undefined,
  explain: boolean,
  { palette, lineWidth }: TextFormatOptions,
): string {
  const { file, range, severity, code, message, hint, section, related } = diagnostic
  const mark = palette[severity]
  const out = [
    `${palette.strong(`${escapeText(file)}:${range.start.line}:${range.start.column}`)} ${mark(severity)} ${palette.dim(code)}`,
    `  ${palette.strong(escapeText(message))}`,
  ]
  const frame = lines ? formatFrame(lines, range, { palette, mark, lineWidth }) : []
  if (frame.length > 0) out.push('', ...frame, '')
  for (const place of related) {
    const { line, column } = place.range.start
    out.push(`  note: ${escapeText(place.message)}: ${escapeText(place.file)}:${line}:${column}`)
  }
  const address = explain ? `${diagnosticUrl(code)}${section === undefined ? '' : `  (${escapeText(section)})`}` : undefined
  if (hint !== undefined) out.push(`  help: ${escapeText(toOneLine(hint))}`)
  if (address !== undefined) out.push(`  ${hint === undefined ? 'docs: ' : '      '}${palette.dim(address)}`)
  if (out.at(-1) === '') out.pop()
  return `${out.join('\n')}\n`
}

function cacheLines(sourceOf: TextFormatOptions['sourceOf']): (file: string) => SourceLines | undefined {
  const known = new Map<string, SourceLines | undefined>()
  return (file) => {
    if (!known.has(file)) known.set(file, toLines(sourceOf(file)))
    return known.get(file)
  }
}

/** Lines of a picture help nobody. */
function toLines(source: SourceFile | undefined): SourceLines | undefined {
  if (!source || source.encodingFault?.kind === 'binary' || sizeOf(source) === 0) return undefined
  return toSourceLines(source)
}
