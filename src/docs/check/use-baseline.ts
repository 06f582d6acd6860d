import { type Finding, formatCount, formatNumber } from '../../diagnostics/diagnostic.ts'
import type { ReadResult } from '../../files/files.ts'
import type { Document } from '../../openapi/types.ts'
import { valueAtPointer } from '../../text/json/json-values.ts'
import { limitBounds } from '../../text/plain/limits.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import { type BaselineEntry, formatBaseline, matchBaseline, parseBaseline, toBaseline } from '../baseline.ts'
import { toFailure } from '../read/to-load-document.ts'
import type { UpdateEnvironment } from '../types.ts'

/** The input of `useBaseline`. */
export interface BaselineUse {
  /** Relative to the boundary. */
  readonly path: string
  readonly findings: readonly Finding[]
  /** The parsed files, by path. */
  readonly documents: ReadonlyMap<string, Document>
  /** Whether the check included a file, see `BaselineScope.covers`. */
  readonly covers: (file: string) => boolean
  /** Whether to report fixed problems. `update` checks less than `check`, so it cannot know which are fixed. */
  readonly reportsFixed: boolean
}

/** The result of applying a baseline. */
export interface UsedBaseline {
  readonly isKnown: (finding: Finding) => boolean
  /** About the baseline itself. */
  readonly findings: readonly Finding[]
  /** The new content of the baseline that lists all diagnostics. */
  readonly next: string
}

/** Reads a baseline and matches it with the diagnostics. An unusable baseline is an error. */
export async function useBaseline(use: BaselineUse, { files }: Pick<UpdateEnvironment, 'files'>): Promise<UsedBaseline> {
  const { path, findings, covers } = use
  const result = await files.read(path, limitBounds['docs-config-size'].byDefault)
  const entries = result.kind === 'file' ? parseBaseline(toSourceFile(path, result.bytes).text, path) : undefined
  const all = toBaseline(findings)
  const others = (entries ?? []).filter(({ file }) => !covers(file))
  const next = formatBaseline([...others, ...all], path)
  if (entries === undefined) {
    const { reason, hint } = describeUnusable(result)
    const message = `Cannot use the baseline \`${path}\`: ${reason}`
    return { isKnown: () => false, findings: [{ code: 'baseline-unusable', message, file: path, pointer: '', hint }], next }
  }
  const exists = (file: string, pointer: string) => {
    const document = use.documents.get(file)
    // In a file that was not parsed, treat every location as existing.
    return document === undefined || valueAtPointer(document.parsed.value, pointer) !== undefined
  }
  const { isKnown, knownCount, fixed } = matchBaseline(findings, entries, { covers, exists })
  return { isKnown, findings: [...reportKnown(path, knownCount), ...(use.reportsFixed ? reportFixed(path, fixed) : [])], next }
}

function describeUnusable(result: ReadResult): { readonly reason: string; readonly hint: string } {
  const replace = 'Name another file, or add `--write-baseline` to your `openapi-pages check` command to replace this one'
  if (result.kind === 'file') return { reason: 'it is not a version 1 baseline file', hint: replace }
  const { reason, hint = replace } = toFailure(result)
  if (result.kind !== 'missing') return { reason, hint }
  return { reason, hint: 'Add `--write-baseline` to your `openapi-pages check` command to create it' }
}

function reportKnown(path: string, count: number): Finding[] {
  if (count === 0) return []
  const message = `${formatCount(count, 'known problem')} in the baseline`
  return [{ code: 'baseline-known', message, file: path, pointer: '' }]
}

const namedFixCount = 3

function reportFixed(path: string, fixed: readonly BaselineEntry[]): Finding[] {
  const count = fixed.reduce((sum, entry) => sum + entry.count, 0)
  if (count === 0) return []
  const names = fixed.slice(0, namedFixCount).map(({ code, file }) => `\`${code}\` in \`${file}\``)
  const more = fixed.length > names.length ? ` and ${formatNumber(fixed.length - names.length)} more` : ''
  const message = `${formatCount(count, 'problem')} in the baseline no longer ${count === 1 ? 'occurs' : 'occur'}: ${names.join(', ')}${more}`
  const hint = 'Add `--write-baseline` to your `openapi-pages check` command to remove fixed problems from the baseline'
  return [{ code: 'baseline-fixed', message, file: path, pointer: '', hint }]
}
