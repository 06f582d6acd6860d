// The public API of the package. A test holds the list.
export { type CheckResult, type CheckSettings, check } from './check.ts'
export type { DiagnosticCode } from './diagnostic/codes.ts'
export type { Diagnostic, RelatedPlace, Severity } from './diagnostic/diagnostic.ts'
export { formatGithub } from './diagnostic/format-github.ts'
export { formatJson } from './diagnostic/format-json.ts'
export { ConfigError } from './errors.ts'
export type { Position, Range } from './text/position.ts'
export type { DocumentReport } from './update/types.ts'
