// The public API of the package. A test contains the list.
export { type CheckResult, type CheckSettings, check } from './check.ts'
export { type CompareResult, type CompareSettings, compare, type DescriptionFiles } from './compare-descriptions.ts'
export type { DiagnosticCode, Severity } from './diagnostics/codes.ts'
export type { Diagnostic, RelatedPlace } from './diagnostics/diagnostic.ts'
export { formatGithub } from './diagnostics/format-github.ts'
export { type CheckJson, type DiagnosticJson, formatJson, type RulesetJson } from './diagnostics/format-json.ts'
export { formatSarif, type SarifOptions } from './diagnostics/format-sarif.ts'
export { ConfigError } from './errors.ts'
export type { ChangeCode, ChangeLevel } from './openapi/changes/change-codes.ts'
export { type ChangeJson, type ChangesJson, formatChangesJson } from './openapi/changes/changes-json.ts'
export type {
  Change,
  ChangedOperation,
  ChangeSubject,
  ComparedDocument,
  Comparison,
  LocatedPlace,
} from './openapi/changes/types.ts'
export type { Position, Range } from './source/position.ts'
export type { DocumentReport } from './update/types.ts'
