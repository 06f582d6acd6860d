import type { Finding } from '../diagnostics/diagnostic.ts'
import type { DescriptionCheck } from '../openapi/check-description.ts'
import type { SourceFile } from '../source/source-file.ts'
import type { RulesetReader } from './read-ruleset.ts'
import type { UsedRuleset } from './types.ts'

/** What the ruleset of a document finds in it. */
export interface AppliedRuleset {
  /** Problems of the description. */
  readonly findings: readonly Finding[]
  /** Problems of the ruleset. Documents with the same ruleset share the list. */
  readonly rulesetFindings: readonly Finding[]
  /** The rules of the ruleset. */
  readonly ruleNames: readonly string[]
  /** Absent if the document has no ruleset. */
  readonly used?: UsedRuleset
  /** The files of the ruleset. */
  readonly sources: ReadonlyMap<string, SourceFile>
}

/** The most time for the rules of one document. */
const maxMs = 60_000

/** Applies the ruleset of a document, if it has one. A description that cannot be read has no problems. */
export async function applyRuleset(path: string, check: DescriptionCheck, rulesets: RulesetReader): Promise<AppliedRuleset> {
  const { description, documents, follow } = check
  const value = documents.get(path)?.parsed.value
  const { ruleset, findings: rulesetFindings, sources, choice } = await rulesets.read(path, value)
  const ruleNames = [...(ruleset?.rules.keys() ?? [])]
  if (!ruleset || !choice) return { findings: [], rulesetFindings, ruleNames, sources }
  // Loaded on demand, because most repositories have no ruleset.
  const [{ namesOfChoice }, { formatsOf }, { runRuleset }, { createTimeLimit }] = await Promise.all([
    import('./load-rulesets.ts'),
    import('../openapi/rulesets/read/document-formats.ts'),
    import('../openapi/rulesets/run-ruleset.ts'),
    import('./time-limit.ts'),
  ])
  const own = formatsOf(value)
  const applied = [...ruleset.rules.values()].filter(({ formats }) => !formats || formats.some((format) => own.has(format)))
  const used = { names: namesOfChoice(choice), rules: applied.map(({ name }) => name), files: [...sources.keys()] }
  if (!description || !follow) return { findings: [], rulesetFindings, ruleNames, used, sources }
  const files = { entryPath: description.entryPath, documents, follow }
  const findings = runRuleset(ruleset, files, createTimeLimit(maxMs), { slowRules: rulesets.slowRules })
  return { findings, rulesetFindings, ruleNames, used, sources }
}
