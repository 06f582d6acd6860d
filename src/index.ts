// The public API of the package. A test contains the list.

export type {
  Change,
  ChangeCode,
  ChangedOperation,
  ChangeLevel,
  ChangeSubject,
  ComparedDocument,
  Comparison,
  LocatedPlace,
} from './changes/change.ts'
export { type CompareResult, type CompareSettings, compare, type DescriptionFiles } from './changes/compare/compare.ts'
export { type ChangeJson, type ChangesJson, formatChangesJson } from './changes/show/changes-formats.ts'
export type { Diagnostic, DiagnosticCode, RelatedPlace, Severity } from './diagnostics/diagnostic.ts'
export { formatSarif, type SarifOptions } from './diagnostics/format-ci.ts'
export { type CheckJson, type DiagnosticJson, formatGithub, formatJson, type RulesetJson } from './diagnostics/format-text.ts'
export { type CheckResult, type CheckSettings, check } from './docs/check/check.ts'
export type { DocumentReport } from './docs/types.ts'
export { ConfigError } from './text/errors.ts'
export type { Position, Range } from './text/plain/source-file.ts'
