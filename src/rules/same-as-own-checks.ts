import type { DiagnosticCode } from '../diagnostics/codes.ts'

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
  // Both report the first invalid part of the example, which can be another one.
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
