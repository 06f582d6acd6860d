import type { Finding } from '../../diagnostics/diagnostic.ts'

/** Ends a rule, because its function cannot run. The problem has the place in the file of the function. */
export class RuleFailure extends Error {
  override readonly name = 'RuleFailure'
  readonly finding: Finding

  constructor(finding: Finding) {
    super(finding.message)
    this.finding = finding
  }
}
