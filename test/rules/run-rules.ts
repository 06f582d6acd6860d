import { checkDescription, type DescriptionCheck } from '../../src/checks/check-description.ts'
import { createTimeLimit } from '../../src/docs/read/time-limit.ts'
import type { Rule, RuleFunction, Ruleset } from '../../src/rules/ruleset.ts'
import type { DescriptionFiles } from '../../src/rules/run/resolve-document.ts'
import { type RunLimits, runRuleset } from '../../src/rules/run/run-ruleset.ts'

/** Files by path. `openapi.yaml` is the entry document. */
type Files = Readonly<Record<string, string>>

/** Checks a description in memory. */
async function checkFiles(files: Files): Promise<DescriptionCheck> {
  return await checkDescription('openapi.yaml', async (path) => {
    const text = files[path]
    if (text === undefined) return { kind: 'failed', code: 'file-missing', reason: 'no such file' }
    return { kind: 'loaded', bytes: new TextEncoder().encode(text) }
  })
}

export async function readFiles(files: Files): Promise<DescriptionFiles> {
  const { description, documents, follow } = await checkFiles(files)
  if (!description || !follow) throw new Error('no description')
  return { entryPath: description.entryPath, documents, follow }
}

interface TestRule extends Partial<Omit<Rule, 'given' | 'then'>> {
  readonly given: string | readonly string[]
  readonly field?: string
  readonly run?: RuleFunction
}

/** A rule that requires a value, unless `run` says otherwise. */
export function toRule(name: string, { given, field, run = requireValue, ...rest }: TestRule): Rule {
  const place = { file: '.spectral.yaml', pointer: `/rules/${name}` }
  return {
    name,
    severity: 'warning',
    message: undefined,
    description: undefined,
    documentationUrl: undefined,
    given: typeof given === 'string' ? [given] : given,
    formats: undefined,
    resolved: true,
    // biome-ignore lint/suspicious/noThenProperty: the field of rulesets
    then: [{ field, functionName: 'test', run, options: undefined, place }],
    place,
    ...rest,
  }
}

const requireValue: RuleFunction = (value) => (value ? [] : [{ message: '{{property}} is missing' }])

/** Reports each value. */
export const reportValue: RuleFunction = () => [{ message: 'found' }]

export function toRuleset(rules: Readonly<Record<string, TestRule>>, overrides: Ruleset['overrides'] = []): Ruleset {
  return { rules: new Map(Object.entries(rules).map(([name, rule]) => [name, toRule(name, rule)])), overrides }
}

/** A time that no test of a small description needs. */
const longMs = 600_000

export const longRun: RunLimits = {
  togetherMs: longMs,
  aloneMs: longMs,
  steps: 10_000_000,
  pathSteps: 1_000_000,
  problemsPerRule: 100,
  problems: 1_000,
}

/** Runs rules on files. Each problem is a line such as `warning titled openapi.yaml#/info title is missing`. */
export async function runRules(files: Files, ruleset: Ruleset, limits: Partial<RunLimits> = {}): Promise<readonly string[]> {
  const findings = runRuleset(ruleset, await readFiles(files), createTimeLimit(longMs), { limits: { ...longRun, ...limits } })
  return findings
    .map(({ code, rule, severity, file, pointer, message }) => {
      return `${severity ?? 'error'} ${rule?.name ?? code} ${file}#${pointer} ${message}`
    })
    .toSorted()
}
