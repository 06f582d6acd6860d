import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { DescriptionCheck } from '../../openapi/checks/check-description.ts'
import { formatsOf } from '../../rules/ruleset.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import type { UsedRuleset } from '../types.ts'
import { maxRulesetMs, type RulesetReader } from './read-ruleset.ts'

/** What the ruleset of a document finds in it. */
export interface AppliedRuleset {
  /** Problems of the description. */
  readonly findings: readonly Finding[]
  /** Problems of the ruleset. Documents with the same ruleset share the list. */
  readonly rulesetFindings: readonly Finding[]
  /** The rules of the ruleset. */
  readonly ruleNames: readonly string[]
  /** Absent if no ruleset was applied. */
  readonly used?: UsedRuleset
  /** The rules that the ruleset turns off by their names. */
  readonly turnedOff: ReadonlySet<string>
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
  const turnedOff = ruleset?.turnedOff ?? new Set<string>()
  if (!ruleset || !choice || !description || !follow) return { findings: [], rulesetFindings, ruleNames, turnedOff, sources }
  // Loaded on demand, because most repositories have no ruleset.
  const [{ namesOfChoice }, { runRuleset }, { createTimeLimit }] = await Promise.all([
    import('./load-rulesets.ts'),
    import('../../rules/run/run-ruleset.ts'),
    import('../read/time-limit.ts'),
  ])
  const own = formatsOf(value)
  const applied = [...ruleset.rules.values()].filter(({ formats }) => !formats || formats.some((format) => own.has(format)))
  const used = { names: namesOfChoice(choice), rules: applied.map(({ name }) => name), files: [...sources.keys()] }
  const { time, timeOver, slowRules } = rulesets
  if (time.leftMs < 1) {
    if (timeOver.length === 0) timeOver.push(toTimeOver(path, used))
    return { findings: [], rulesetFindings: timeOver, ruleNames, turnedOff, sources }
  }
  const files = { entryPath: description.entryPath, documents, follow }
  const startedAt = performance.now()
  const findings = runRuleset(ruleset, files, createTimeLimit(Math.min(maxMs, time.leftMs)), { slowRules })
  time.leftMs -= performance.now() - startedAt
  return { findings, rulesetFindings, ruleNames, turnedOff, used, sources }
}

function toTimeOver(document: string, { names, files }: UsedRuleset): Finding {
  return {
    code: 'ruleset-problem',
    message: `The rules did not run in \`${document}\` and the documents after it: all documents together take longer than ${maxRulesetMs / 60_000} minutes`,
    file: names.find((name) => files.includes(name)) ?? document,
    pointer: '',
    hint: 'Check fewer documents at once, or simplify the rules',
  }
}
