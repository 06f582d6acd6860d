import { type DiagnosticCode, type Finding, rankOf, type Severity, severityOf } from '../../diagnostics/diagnostic.ts'
import { isBlockingError, type RuleSettings } from '../../diagnostics/finish-diagnostics.ts'
import { parentPointer } from '../../text/json/json-values.ts'
import { addTo } from '../../text/plain/lists.ts'

interface DropOptions {
  /** The rules that the ruleset turns off by their names. */
  readonly turnedOff: ReadonlySet<string>
  /** Those of the configuration. */
  readonly severities: RuleSettings['severities']
}

/**
 * Drops the problems of rules that a check reports too. That of the check stays, because it has a hint, and the same code whether the rule
 * runs or not. It gets the severity of the rule if that is higher. If the rule is one of the organization, both stay in this case.
 *
 * A check is off if the ruleset turns off all rules that say the same, unless the configuration sets its severity. Errors that make a
 * document invalid are kept.
 *
 * @returns `raised`: those of checks to which a rule gave a higher severity.
 */
export function dropRepeated(all: readonly Finding[], { turnedOff, severities: configured }: DropOptions) {
  const isOff = ({ code }: Finding) => {
    const rules = turnedOff.size === 0 ? [] : listRulesOf(code)
    return rules.length > 0 && rules.every((rule) => turnedOff.has(rule)) && !configured.has(code)
  }
  const findings = all.filter((finding) => !isOff(finding) || isBlockingError(finding, configured))
  const rules = findings.filter(({ code }) => code === 'ruleset')
  const dropped = new Set<Finding>()
  const severities = new Map<Finding, Severity>()
  const own = indexFindings(findings)
  for (const finding of rules) {
    const same =
      finding.rule && Object.hasOwn(sameAsOwnChecks, finding.rule.name) ? sameAsOwnChecks[finding.rule.name] : undefined
    if (!same) continue
    const found = same.codes.flatMap((code) => own.find(code, finding, same.at))
    const [first] = found
    if (!first) continue
    const { severity } = finding
    const isEnough = !severity || found.some((one) => rankOf(severities.get(one) ?? severityOf(one)) <= rankOf(severity))
    // The severities of the repository's own problems do not depend on the organization.
    if (finding.isOfOrganization && !isEnough) continue
    dropped.add(finding)
    if (isEnough) continue
    severities.set(first, severity)
  }
  const raised = new Set<Finding>()
  const distinct = findings.flatMap((finding) => {
    if (dropped.has(finding)) return []
    const severity = severities.get(finding)
    if (!severity) return [finding]
    const changed = { ...finding, severity }
    raised.add(changed)
    return [changed]
  })
  return { findings: distinct, raised }
}

type Place = Pick<Finding, 'file' | 'pointer'>

/** Finds problems by code and location without comparing each with each. */
function indexFindings(findings: readonly Finding[]) {
  const toKey = (code: string, { file, pointer }: Place) => `${code}\n${file}\n${pointer}`
  const at = new Map<string, Finding[]>()
  /** The problems below each location. */
  const below = new Map<string, Finding[]>()
  const codes = new Set(Object.values(sameAsOwnChecks).flatMap((same) => same.codes))
  for (const finding of findings) {
    if (!codes.has(finding.code) || finding.offsets) continue
    addTo(at, toKey(finding.code, finding), finding)
    for (let { pointer } = finding; pointer !== ''; ) {
      pointer = parentPointer(pointer)
      addTo(below, toKey(finding.code, { file: finding.file, pointer }), finding)
    }
  }
  return {
    find(code: string, place: Place, where: 'same' | 'related' | 'all'): readonly Finding[] {
      const same = at.get(toKey(code, place)) ?? []
      if (where === 'same') return same
      const found = [...same, ...(below.get(toKey(code, place)) ?? [])]
      for (let { pointer } = place; pointer !== ''; ) {
        pointer = parentPointer(pointer)
        found.push(...(at.get(toKey(code, { file: place.file, pointer })) ?? []))
      }
      return found
    },
  }
}

/** The checks of openapi-pages that say the same as a rule of `spectral:oas`. */
interface SameChecks {
  readonly codes: readonly DiagnosticCode[]
  /**
   * Which problems with these codes say the same as a problem of the rule: at the same location, or also inside it or around it. `all`: the
   * checks replace the rule, which is not run.
   */
  readonly at: 'same' | 'related' | 'all'
}

/**
 * The rules of `spectral:oas` that say the same as checks of openapi-pages, so that each problem is reported once, with the code of the
 * check.
 */
export const sameAsOwnChecks: Readonly<Record<string, SameChecks>> = {
  // Both validate the structure of the document. The checks do so for each object, with the places in all files.
  'oas3-schema': {
    codes: ['unknown-field', 'missing-field', 'wrong-type', 'wrong-value', 'wrong-format', 'wrong-name', 'field-conflict'],
    at: 'all',
  },
  // Both report the second `operationId` at its value.
  'operation-operationId-unique': { codes: ['operation-id-unique'], at: 'same' },
  // Both report the second parameter with the same name and location.
  'operation-parameters': { codes: ['parameter-unique'], at: 'same' },
  // The checks report a parameter that all operations lack at the path, the rule at each operation; `required` is another field.
  'path-params': { codes: ['path-parameter', 'path-template', 'parameter-unique'], at: 'related' },
  // Both report an invalid path template at the path, the check from OpenAPI 3.2 on.
  'path-declarations-must-exist': { codes: ['path-template'], at: 'same' },
  // Both report the path; the check only if the query string has parameters.
  'path-not-include-query': { codes: ['path-parameter'], at: 'same' },
  // Both report the second tag at its name.
  'openapi-tags-uniqueness': { codes: ['tag-unique'], at: 'same' },
  // Both report the entry of `tags` of the operation.
  'operation-tag-defined': { codes: ['tag-undeclared'], at: 'same' },
  // Both report the name of the scheme, or the entry of its scopes.
  'oas3-operation-security-defined': { codes: ['security-scheme', 'security-scope'], at: 'same' },
  // The checks report a missing variable at `url`, the rule at `variables`, or at the server if it has none.
  'oas3-server-variables': { codes: ['server-variable', 'missing-field'], at: 'related' },
  // Both report the value in `enum`.
  'typed-enum': { codes: ['enum-mismatch'], at: 'same' },
  // The check reports the `type`, the rule the schema.
  'array-items': { codes: ['array-items'], at: 'related' },
  // Both report the key of the component.
  'oas3-unused-component': { codes: ['unused-component'], at: 'same' },
  // The check reports all invalid parts of the example, the rule the first one.
  'oas3-valid-media-example': { codes: ['example-mismatch'], at: 'related' },
  // As before, also for `default`.
  'oas3-valid-schema-example': { codes: ['example-mismatch', 'default-mismatch'], at: 'related' },
  // The check reports one of the two fields, the rule the example.
  'oas3-examples-value-or-externalValue': { codes: ['field-conflict'], at: 'related' },
}

/** Lists the rules that say the same as a code. */
export function listRulesOf(code: DiagnosticCode): readonly string[] {
  return Object.keys(sameAsOwnChecks).filter((rule) => sameAsOwnChecks[rule]?.codes.includes(code))
}
