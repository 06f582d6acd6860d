import { type DiagnosticCode, diagnosticCodes } from '../../src/diagnostics/diagnostic.ts'
import { diagnosticHelp, toText } from '../../src/diagnostics/format-ci.ts'

/** An example of `texts/diagnostics-help.json`. */
export interface DocumentedDiagnostic {
  readonly code: DiagnosticCode
  readonly kind: string
  readonly verdict: 'wrong' | 'right'
  /** A whole file. */
  readonly isRaw: boolean
  readonly language: string
  readonly text: string
}

/** All examples, also those of a kind that no test checks. */
export const allExamples = (Object.keys(diagnosticCodes) as DiagnosticCode[]).flatMap((code) =>
  diagnosticHelp[code].examples.map((example): DocumentedDiagnostic => {
    const { kind, verdict, isRaw = false, language } = example
    return { code, kind, verdict, isRaw, language, text: toText(example) }
  }),
)

/** The kinds of examples, each with a test that checks them. */
type ExampleKind =
  | 'document'
  | 'page'
  | 'text'
  | 'config'
  | 'overlay'
  | 'update'
  | 'site'
  | 'external'
  | 'files'
  | 'ignore'
  | 'exception'
  | 'traffic'

/** The examples of some kinds. */
export function listExamples(...kinds: readonly ExampleKind[]): readonly DocumentedDiagnostic[] {
  return allExamples.filter(({ kind }) => kinds.some((one) => one === kind))
}
