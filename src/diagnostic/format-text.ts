import { escapeText } from '../text/escape-text.ts'
import { groupBy } from '../text/group-by.ts'
import { type SourceFile, sizeOf } from '../text/source-file.ts'
import { type SourceLines, toSourceLines } from '../text/source-lines.ts'
import { toOneLine } from '../text/to-one-line.ts'
import { diagnosticUrl } from './codes.ts'
import { formatNumber } from './count-findings.ts'
import type { Diagnostic } from './diagnostic.ts'
import { formatFrame } from './format-frame.ts'
import type { Palette } from './palette.ts'

export interface TextFormatOptions {
  readonly palette: Palette
  /** The file of a diagnostic, for the lines around it; without it the diagnostic is shown without. */
  readonly sourceOf: (file: string) => SourceFile | undefined
  /** Show every finding; else of one code in one file only the first ten. */
  readonly all: boolean
  /** Most characters of a source line that are shown. */
  readonly lineWidth: number
}

/** How many findings of one code in one file are shown. */
const shownPerCode = 10

/**
 * Shows diagnostics to a person: place, message, lines around it, what to do, and where the rule is explained.
 *
 * They are taken in the order they come, which is by file and place. Everything from a document is escaped. Ends with a line end;
 * `''` for no diagnostics.
 */
export function formatText(diagnostics: readonly Diagnostic[], options: TextFormatOptions): string {
  const linesOf = cacheLines(options.sourceOf)
  const explained = new Set<string>()
  const blocks: string[] = []
  for (const [file, inFile] of groupBy(diagnostics, ({ file }) => file)) {
    const counts = new Map([...groupBy(inFile, ({ code }) => code)].map(([code, same]) => [code, same.length]))
    const seen = new Map<string, number>()
    for (const diagnostic of inFile) {
      const { code } = diagnostic
      const number = (seen.get(code) ?? 0) + 1
      seen.set(code, number)
      if (number > shownPerCode && !options.all) continue
      blocks.push(formatDiagnostic(diagnostic, linesOf(file), !explained.has(code), options))
      explained.add(code)
      const left = (counts.get(code) ?? 0) - shownPerCode
      if (number === shownPerCode && left > 0 && !options.all) {
        blocks.push(options.palette.dim(`  … and ${formatNumber(left)} more \`${code}\` in this file (--all shows them)\n`))
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
