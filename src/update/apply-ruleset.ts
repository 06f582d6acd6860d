import type { Finding } from '../diagnostics/diagnostic.ts'
import type { DescriptionCheck } from '../openapi/check-description.ts'
import type { SourceFile } from '../source/source-file.ts'
import type { RulesetReader } from './read-ruleset.ts'

/** What the ruleset of a document finds in it. */
export interface AppliedRuleset {
  /** Problems of the description. */
  readonly findings: readonly Finding[]
  /** Problems of the ruleset. Documents with the same ruleset share the list. */
  readonly rulesetFindings: readonly Finding[]
  /** The rules that were applied. */
  readonly ruleNames: readonly string[]
  /** The files of the ruleset. */
  readonly sources: ReadonlyMap<string, SourceFile>
}

/** The most time for the rules of one document. */
const maxMs = 60_000

/** Applies the ruleset of a document, if it has one. A description that cannot be read has no problems. */
export async function applyRuleset(path: string, check: DescriptionCheck, rulesets: RulesetReader): Promise<AppliedRuleset> {
  const { description, documents, follow } = check
  const { ruleset, findings: rulesetFindings, sources } = await rulesets.read(path, documents.get(path)?.parsed.value)
  const ruleNames = [...(ruleset?.rules.keys() ?? [])]
  if (!ruleset || !description || !follow) return { findings: [], rulesetFindings, ruleNames, sources }
  // Loaded on demand, because most repositories have no ruleset.
  const [{ runRuleset }, { createTimeLimit }] = await Promise.all([
    import('../openapi/rulesets/run-ruleset.ts'),
    import('./time-limit.ts'),
  ])
  const files = { entryPath: description.entryPath, documents, follow }
  const findings = runRuleset(ruleset, files, createTimeLimit(maxMs), { slowRules: rulesets.slowRules })
  return { findings, rulesetFindings, ruleNames, sources }
}
