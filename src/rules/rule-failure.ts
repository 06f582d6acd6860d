import type { Finding } from '../diagnostics/diagnostic.ts'

/** The function of a rule cannot run. The problem has the place in the file of the function, or in the ruleset. */
export class RuleFailure extends Error {
  override readonly name = 'RuleFailure'
  readonly finding: Finding
  /** Whether the rule ends. Otherwise it skips the value. */
  readonly endsRule: boolean

  constructor(finding: Finding, { endsRule = true }: { readonly endsRule?: boolean } = {}) {
    super(finding.message)
    this.finding = finding
    this.endsRule = endsRule
  }
}
