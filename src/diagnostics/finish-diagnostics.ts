import { parsePointer } from '../text/json/json-values.ts'
import { locatePointers, type PointerPlaces } from '../text/parse-source.ts'
import { compareText, getOrMake, lazy } from '../text/plain/lists.ts'
import {
  type PlacedRange,
  type PointerPlace,
  type Range,
  type SourceFile,
  startOfFile,
  toOrigin,
  toRangeIn,
  toSourceLines,
} from '../text/plain/source-file.ts'
import {
  type Diagnostic,
  type DiagnosticCode,
  type Finding,
  type RelatedFinding,
  type RelatedPlace,
  ruleNameOf,
  type Severity,
  severityOf,
} from './diagnostic.ts'

/**
 * Completes the results of checks: adds severity, line and column, sorts them, and drops exact duplicates.
 *
 * The order is stable: file, line, column, code, message. Every file is scanned at most once. A diagnostic in an unreadable file points to
 * its first line, and one of a value from an overlay to the overlay.
 */
export async function finishDiagnostics(
  found: readonly Finding[],
  sourceOf: (file: string) => SourceFile | undefined,
): Promise<Diagnostic[]> {
  const findings = toOrigins(found, sourceOf)
  const locators = await locateAll(findings, sourceOf)
  const toRangeOf = (file: string, place: RelatedFinding | Finding): Range => locators.get(file)?.(place) ?? startOfFile
  const diagnostics = findings.map((finding): Diagnostic => {
    const { code, rule, message, file, pointer, hint, section } = finding
    const severity = severityOf(finding)
    const related = finding.related?.map((place) => toRelated(place, file, toRangeOf)) ?? noPlaces
    const range = toRangeOf(file, finding)
    const optional = { ...(hint !== undefined && { hint }), ...(section !== undefined && { section }) }
    return { code, ...(rule && { rule }), severity, message, file, range, pointer, related, ...optional }
  })
  return withoutRepeats(diagnostics.sort(compareDiagnostics))
}

/** Moves the places of diagnostics to where the values are written. */
function toOrigins(findings: readonly Finding[], sourceOf: (file: string) => SourceFile | undefined): readonly Finding[] {
  return findings.map((finding) => {
    const related = finding.related?.map((place) =>
      place.offsets ? place : toOrigin({ ...place, file: place.file ?? finding.file }, sourceOf),
    )
    const moved = finding.offsets ? finding : toOrigin(finding, sourceOf)
    return related ? { ...moved, related } : moved
  })
}

const noPlaces: readonly RelatedPlace[] = []

function toRelated(
  place: RelatedFinding,
  fileOfFinding: string,
  toRangeOf: (file: string, place: RelatedFinding) => Range,
): RelatedPlace {
  const file = place.file ?? fileOfFinding
  return { file, range: toRangeOf(file, place), message: place.message }
}

type Locator = (place: RelatedFinding | Finding) => Range

async function locateAll(
  findings: readonly Finding[],
  sourceOf: (file: string) => SourceFile | undefined,
): Promise<Map<string, Locator>> {
  const pointersByFile = new Map<string, string[]>()
  const want = (file: string, place: RelatedFinding | Finding) => {
    const pointers = getOrMake(pointersByFile, file, () => [])
    if (place.offsets === undefined) pointers.push(place.pointer)
  }
  for (const finding of findings) {
    want(finding.file, finding)
    for (const place of finding.related ?? []) want(place.file ?? finding.file, place)
  }
  const locators = new Map<string, Locator>()
  for (const [file, pointers] of pointersByFile) {
    const source = sourceOf(file)
    if (source) locators.set(file, toLocator(source, pointers.length > 0 ? await locatePointers(source, pointers) : new Map()))
  }
  return locators
}

function toLocator(source: SourceFile, places: PointerPlaces): Locator {
  const toRange = toRangeIn(source)
  const lines = lazy(() => toSourceLines(source))
  /** The text of a value. The file is decoded only if the value has no line. */
  const textOf = ({ start, end, line, lineStart = 0 }: PlacedRange) =>
    line === undefined
      ? source.text.slice(start, end)
      : lines()
          .line(line)
          ?.slice(start - lineStart, end - lineStart)
  return (place) => {
    const value = place.offsets ?? offsetsOf(places.get(place.pointer), place.on)
    const part = 'part' in place ? place.part : undefined
    const at = part === undefined ? undefined : textOf(value)?.indexOf(part)
    if (part === undefined || at === undefined || at === -1) return toRange(value)
    return toRange({ ...value, start: value.start + at, end: value.start + at + part.length })
  }
}

function offsetsOf(place: PointerPlace | undefined, on: 'key' | 'value' | undefined): PlacedRange {
  if (!place) return { start: 0, end: 0 }
  return on === 'key' ? (place.key ?? place.value) : place.value
}

function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.file, b.file) ||
    a.range.start.line - b.range.start.line ||
    a.range.start.column - b.range.start.column ||
    compareText(ruleNameOf(a), ruleNameOf(b)) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  )
}

function withoutRepeats(sorted: readonly Diagnostic[]): Diagnostic[] {
  return sorted.filter((diagnostic, index) => {
    const previous = sorted[index - 1]
    return !previous || compareDiagnostics(previous, diagnostic) !== 0 || previous.pointer !== diagnostic.pointer
  })
}

/** The settings of a configuration for diagnostics. */
export interface RuleSettings {
  /** By code, or by the name of a rule of the ruleset. */
  readonly severities: ReadonlyMap<string, Severity | 'off'>
  readonly ignores: readonly IgnoreSetting[]
}

/** Diagnostics to drop: those that match all given conditions. */
export interface IgnoreSetting {
  readonly code: DiagnosticCode | undefined
  /** The name of a rule of the ruleset, or a code. */
  readonly rule: string | undefined
  /** Matches the path of the file relative to the boundary. */
  readonly path: { test(path: string): boolean } | undefined
  /** Matches this pointer and everything below it. A `*` segment matches any segment. */
  readonly pointer: string | undefined
  /** Location of the setting. */
  readonly place: { readonly file: string; readonly pointer: string }
}

export const noRules: RuleSettings = { severities: new Map(), ignores: [] }

/**
 * Applies the severities of a configuration and drops ignored diagnostics.
 *
 * Errors that make a document invalid are kept unchanged, except those that rules may lower. Each setting that would ignore such an
 * error is reported once, at its location.
 */
export function applyRules(findings: readonly Finding[], { severities, ignores }: RuleSettings): Finding[] {
  if (severities.size === 0 && ignores.length === 0) return [...findings]
  const refused = new Set<IgnoreSetting>()
  const keptFindings: Finding[] = []
  for (const finding of findings) {
    const severity = findSeverity(finding, severities)
    const isBlocking = isBlockingError(finding, severities)
    const ignore = ignores.find((setting) => isIgnored(finding, setting))
    if (ignore && isBlocking) refused.add(ignore)
    if (isBlocking) keptFindings.push(finding)
    else if (!ignore && severity !== 'off') keptFindings.push(severity === undefined ? finding : { ...finding, severity })
  }
  return [...keptFindings, ...[...refused].map(toRefusal)]
}

/** The severity that a configuration sets. The name of a rule takes precedence over the code `ruleset`. */
function findSeverity(finding: Finding, severities: RuleSettings['severities']): Severity | 'off' | undefined {
  return severities.get(ruleNameOf(finding)) ?? severities.get(finding.code)
}

/** Whether a problem is an error that makes a document invalid, also with the severities of a configuration. */
export function isBlockingError(finding: Finding, severities: RuleSettings['severities']): boolean {
  const severity = findSeverity(finding, severities)
  const isLowered = severity !== undefined && severity !== 'error' && isAllowedSeverity(finding.code, severity)
  return severityOf(finding) === 'error' && findBlockingCode(finding.code) !== undefined && !isLowered
}

function isIgnored(finding: Finding, { code, rule, path, pointer }: IgnoreSetting): boolean {
  return (
    (code === undefined || code === finding.code) &&
    (rule === undefined || rule === ruleNameOf(finding)) &&
    (path === undefined || path.test(finding.file)) &&
    (pointer === undefined || isBelow(finding.pointer, pointer))
  )
}

function isBelow(pointer: string, above: string): boolean {
  const steps = parsePointer(pointer)
  return parsePointer(above).every((step, index) => index < steps.length && (step === '*' || step === steps[index]))
}

function toRefusal({ place }: IgnoreSetting): Finding {
  return {
    code: 'wrong-value',
    message: 'Cannot ignore errors that make a document invalid or stop an update',
    ...place,
    hint: 'Fix the errors, or limit this entry to warnings',
  }
}

interface BlockingCode {
  /** Whether `rules` may lower the errors to warnings. */
  readonly mayBeWarning: boolean
  /** The reason, as the second half of a sentence. */
  readonly why: string
}

const mayBeWarning = (why: string): BlockingCode => ({ mayBeWarning: true, why })
const isAlwaysError = (why: string): BlockingCode => ({ mayBeWarning: false, why })

const nothingToShow = isAlwaysError('there is nothing to show')
const partIsLost = isAlwaysError('pages would lack a part of the document')
const oneIsLost = isAlwaysError('pages would show only one of the values')
const nothingIsUpdated = isAlwaysError('nothing is updated')
const overlayIsLost = isAlwaysError('pages would not contain the changes of the overlay')

/**
 * The codes of errors that make a document invalid, so that its pages are not updated, or that stop the update of all pages.
 *
 * `rules` may lower those that do not change what a page shows: pages contain everything that the document says, as it says it.
 */
const blockingCodes = {
  'file-missing': nothingToShow,
  'file-unreadable': nothingToShow,
  'file-outside-boundary': nothingToShow,
  'file-too-large': nothingToShow,
  'url-unreachable': nothingToShow,
  'url-refused': nothingToShow,
  encoding: nothingToShow,
  'empty-document': nothingToShow,
  'json-syntax': nothingToShow,
  'yaml-syntax': nothingToShow,
  'duplicate-key': oneIsLost,
  'too-complex': partIsLost,
  'not-openapi': nothingToShow,
  'unsupported-version': nothingToShow,
  'unknown-field': partIsLost,
  'missing-field': partIsLost,
  'wrong-type': partIsLost,
  'wrong-value': partIsLost,
  'wrong-format': isAlwaysError('pages would have broken links'),
  'wrong-name': mayBeWarning('pages show components with any name'),
  'entry-unique': mayBeWarning('a repeated entry means the same as a single one'),
  'field-conflict': oneIsLost,
  'read-write-only': isAlwaysError('pages would lack the property, in requests and in responses'),
  'reference-unresolved': partIsLost,
  'reference-circular': partIsLost,
  'reference-kind': partIsLost,
  'operation-id-unique': mayBeWarning('each operation has its own page, found by method and path'),
  'parameter-unique': oneIsLost,
  'path-parameter': mayBeWarning('pages show the path and all declared parameters'),
  'path-template': mayBeWarning('each operation has its own page, with the path as written'),
  'security-scheme': mayBeWarning('pages show the name of the scheme'),
  'tag-unique': oneIsLost,
  'tag-parent': isAlwaysError('the group of the tag would have no place in the navigation'),
  'not-overlay': overlayIsLost,
  'overlay-target': overlayIsLost,
  'overlay-conflict': overlayIsLost,
  'mass-removal': nothingIsUpdated,
  'pages-left-out': nothingIsUpdated,
} as const satisfies { readonly [code in DiagnosticCode]?: BlockingCode }

/** The entry of a code. Undefined for a code whose severity can be any. */
export function findBlockingCode(code: DiagnosticCode): BlockingCode | undefined {
  return Object.hasOwn(blockingCodes, code) ? blockingCodes[code as keyof typeof blockingCodes] : undefined
}

/** The codes of errors that `rules` may lower to warnings. */
export const lowerableCodes: readonly DiagnosticCode[] = (Object.keys(blockingCodes) as (keyof typeof blockingCodes)[]).filter(
  (code) => blockingCodes[code].mayBeWarning,
)

/** Whether `rules` may give this severity to the errors of a code. */
export function isAllowedSeverity(code: DiagnosticCode, severity: Severity | 'off'): boolean {
  const row = findBlockingCode(code)
  return row === undefined || severity === 'error' || (severity === 'warning' && row.mayBeWarning)
}

/** Explains a severity that is not allowed, and what to do instead. */
export function explainRefusal(
  code: DiagnosticCode,
  severity: Severity | 'off',
): { readonly message: string; readonly hint: string } {
  const row = findBlockingCode(code)
  const message = `Cannot set \`${code}\` to \`${severity}\`: ${row?.mayBeWarning ? 'it makes a document invalid' : `${row?.why}, so it is always an error`}`
  return { message, hint: row?.mayBeWarning ? `Use \`${code}: warning\`` : waysAroundErrors }
}

const waysAroundErrors =
  'Fix the errors. Until then, `update.onError: operation` updates the pages of all other operations, and a baseline accepts the known errors'
