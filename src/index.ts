// The public API of the package. A test contains the list.

export type { CompareSettings, DescriptionContent, DescriptionFiles } from './changes/compare/compare.ts'
export type { ChangeJson, ChangesJson } from './changes/show/changes-formats.ts'
export {
  type BuildJson,
  type BuildSettings,
  build,
  type CheckSettings,
  check,
  compare,
  type UpdateSettings,
  update,
} from './cli/commands/module.ts'
export type { CheckJson, DiagnosticJson } from './diagnostics/format-text.ts'
export type { UpdateJson } from './docs/update/update-results.ts'
export { ConfigError } from './text/errors.ts'
