import { parsePointer } from '../text/json/json-values.ts'
import { findBlockingCode, isAllowedSeverity } from './blocking-codes.ts'
import { type DiagnosticCode, diagnosticCodes, type Severity } from './codes.ts'
import { type Finding, ruleNameOf } from './diagnostic.ts'

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
 * Errors that make a document invalid are kept unchanged, except those that `blocking-codes.ts` lets rules lower. Each setting that would ignore such an
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
  const defaultSeverity = finding.severity ?? diagnosticCodes[finding.code].severity
  return defaultSeverity === 'error' && findBlockingCode(finding.code) !== undefined && !isLowered
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
