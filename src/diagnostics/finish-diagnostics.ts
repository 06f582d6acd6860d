import type { PointerPlace } from '../text/json/pointer-tree.ts'
import { locatePointers, type PointerPlaces } from '../text/parse-source.ts'
import { compareText } from '../text/plain/lists.ts'
import {
  hasOrigins,
  type PlacedRange,
  type Range,
  type SourceFile,
  startOfFile,
  toOrigin,
  toRangeIn,
} from '../text/plain/source-file.ts'
import { diagnosticCodes } from './codes.ts'
import { type Diagnostic, type Finding, type RelatedFinding, type RelatedPlace, ruleNameOf } from './diagnostic.ts'

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
    const severity = finding.severity ?? diagnosticCodes[code].severity
    const related = finding.related?.map((place) => toRelated(place, file, toRangeOf)) ?? noPlaces
    const range = toRangeOf(file, finding)
    const diagnostic = { code, ...(rule && { rule }), severity, message, file, range, pointer, related }
    if (section === undefined) return hint === undefined ? diagnostic : { ...diagnostic, hint }
    return hint === undefined ? { ...diagnostic, section } : { ...diagnostic, hint, section }
  })
  return withoutRepeats(diagnostics.sort(compareDiagnostics))
}

/** Moves the places of diagnostics to where the values are written. */
function toOrigins(findings: readonly Finding[], sourceOf: (file: string) => SourceFile | undefined): readonly Finding[] {
  const files = new Set(findings.flatMap(({ file, related = [] }) => [file, ...related.map((place) => place.file ?? file)]))
  if (![...files].some((file) => hasOrigins(sourceOf(file)))) return findings
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
    let pointers = pointersByFile.get(file)
    if (!pointers) {
      pointers = []
      pointersByFile.set(file, pointers)
    }
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
  return (place) => toRange(place.offsets ?? offsetsOf(places.get(place.pointer), place.on))
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
