// The public API of the package. A test contains the list.

export type { ChangeCode, ChangeLevel } from './changes/change-codes.ts'
export { type ChangeJson, type ChangesJson, formatChangesJson } from './changes/changes-json.ts'
export { type CompareResult, type CompareSettings, compare, type DescriptionFiles } from './changes/compare-descriptions.ts'
export type {
  Change,
  ChangedOperation,
  ChangeSubject,
  ComparedDocument,
  Comparison,
  LocatedPlace,
} from './changes/types.ts'
export type { DiagnosticCode, Severity } from './diagnostics/codes.ts'
export type { Diagnostic, RelatedPlace } from './diagnostics/diagnostic.ts'
export { formatGithub } from './diagnostics/format-github.ts'
export { type CheckJson, type DiagnosticJson, formatJson, type RulesetJson } from './diagnostics/format-json.ts'
export { formatSarif, type SarifOptions } from './diagnostics/format-sarif.ts'
export { type CheckResult, type CheckSettings, check } from './docs/update/check.ts'
export type { DocumentReport } from './docs/update/types.ts'
export { ConfigError } from './text/errors.ts'
export type { Position, Range } from './text/position.ts'
