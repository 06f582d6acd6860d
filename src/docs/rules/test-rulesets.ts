import type { Finding } from '../../diagnostics/diagnostic.ts'
import { formatsOf, type ReportProblem, type Rule, type RulesetPlace } from '../../rules/ruleset.ts'
import { placeExample, type RuleExample, readTests, runExample } from '../../rules/run/rule-examples.ts'
import type { RunWithin } from '../../rules/run/run-ruleset.ts'
import { joinPath, parentPath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { isUrl } from '../../text/plain/urls.ts'
import { readNearestConfig } from '../read/read-config.ts'
import type { UpdateEnvironment } from '../types.ts'
import { appliesTo, exampleReleases, limitExamples } from './list-rules.ts'
import { loadRulesets, namesOfChoice } from './load-rulesets.ts'
import { createRulesetReader } from './read-ruleset.ts'

/** What the tests of a rule found. */
interface TestedRule {
  readonly name: string
  readonly place: RulesetPlace
  readonly count: number
  readonly failures: readonly TestFailure[]
}

interface TestFailure {
  readonly isValid: boolean
  readonly place: RulesetPlace
  readonly message: string
}

/** The result of the tests of rulesets. */
export interface RulesetTests {
  readonly rulesets: readonly string[]
  readonly tested: readonly TestedRule[]
  /** The names of the rules without tests, except those of built-in rulesets. */
  readonly untested: readonly string[]
  readonly findings: readonly Finding[]
  readonly sources: ReadonlyMap<string, SourceFile>
}

/** The time for all tests. Rules in a repository can have very many. */
const testsMs = 300_000

/**
 * Runs the examples in `x-tests` of rulesets and of those that they extend. Rules that are not recommended run too.
 *
 * @param path a ruleset or a folder, relative to the boundary, or a URL. The rulesets of a folder are those of a document in it.
 * @param maxMs examples that did not start by then fail.
 */
export async function testRulesets(path: string, environment: UpdateEnvironment, maxMs = testsMs): Promise<RulesetTests> {
  const { files } = environment
  const isFolder = !isUrl(path) && (await files.read(path)).kind === 'folder'
  const folder = isFolder ? path : isUrl(path) ? '' : parentPath(path)
  const { config } = await readNearestConfig(folder, files, environment.limitCeilings)
  const reader = createRulesetReader(environment, config, folder)
  const { choice } = isFolder ? await reader.read(joinPath(folder, 'openapi.yaml'), undefined) : { choice: undefined }
  const rulesets = isFolder ? (choice ? namesOfChoice(choice) : []) : [path]
  const findings: Finding[] = []
  const report: ReportProblem = ({ place, hint, on, message }) =>
    findings.push({ code: 'ruleset-problem', message, ...place, ...(on && { on }), ...(hint !== undefined && { hint }) })
  const sources = new Map<string, SourceFile>()
  const tested = new Map<string, TestedRule>()
  const untested = new Set<string>()
  const runWithin = limitExamples()
  const startedAt = performance.now()
  for (const ruleset of rulesets) {
    const read = await loadRulesets({ kind: 'tested', path: ruleset }, environment, config.limits)
    for (const [file, source] of read.sources) sources.set(file, source)
    // No file names the ruleset, so a problem of reading it is reported in the ruleset itself.
    findings.push(
      ...read.findings.map((each) => (each.file === 'spectral:tests' ? { ...each, file: ruleset, pointer: '' } : each)),
    )
    const byRelease = new Map(
      [...exampleReleases.values()].map((release) => [
        release,
        read.rulesetFor('openapi.yaml', formatsOf({ openapi: release })).rules,
      ]),
    )
    for (const name of new Set([...byRelease.values()].flatMap((rules) => [...rules.keys()]))) {
      const versions = [...byRelease].flatMap(([release, rules]) => {
        const rule = rules.get(name)
        return rule && appliesTo(rule, { openapi: release }) ? [{ release, rule }] : []
      })
      const rule = versions[0]?.rule ?? [...byRelease.values()].map((rules) => rules.get(name)).find((each) => each)
      if (!rule) continue
      const key = `${rule.place.file}\n${name}`
      if (tested.has(key)) continue
      if (!rule.tests) {
        if (!rule.place.file.startsWith('spectral:')) untested.add(name)
        continue
      }
      const examples = readTests(rule.tests, report)
      const failures: TestFailure[] = []
      for (const example of examples) {
        const isLate = performance.now() - startedAt >= maxMs
        const message = isLate ? 'did not run: the tests take too long' : await testExample(example, versions, runWithin)
        if (message !== undefined) failures.push({ isValid: example.isValid, place: example.place, message })
      }
      tested.set(key, { name, place: rule.tests.place, count: examples.length, failures })
    }
  }
  return { rulesets, tested: [...tested.values()], untested: [...untested], findings, sources }
}

/** A rule as it applies to a version of OpenAPI. */
interface RuleVersion {
  readonly release: string
  readonly rule: Rule
}

/** Says what is wrong with an example. */
async function testExample(
  { isValid, value }: RuleExample,
  versions: readonly RuleVersion[],
  runWithin: RunWithin,
): Promise<string | undefined> {
  const [first] = versions
  if (!first) return 'the rule applies to no version of OpenAPI 3, so the example cannot run'
  // The version of a document decides which expressions of an alias apply.
  const written = formatsOf(value)
  const chosen = written.size === 0 ? first : versions.find(({ release }) => isSame(formatsOf({ openapi: release }), written))
  if (!chosen) return 'the rule does not apply to the version in `openapi`'
  const placed = placeExample(value, chosen.rule.given, chosen.release)
  const result = placed.kind === 'placed' ? await runExample(chosen.rule, placed.document, runWithin) : placed
  if (result.kind === 'failed') return `cannot run: ${result.reason}`
  const [problem, ...others] = result.problems
  if (isValid && problem) {
    const more = others.length === 0 ? '' : `, and ${others.length} more`
    return `expected no problem, found “${problem.message}” at \`#${problem.pointer}\`${more}`
  }
  if (isValid || problem) return undefined
  return `expected a problem, found none${result.selectsValue ? '' : ': `given` selects nothing in this example'}`
}

function isSame(first: ReadonlySet<string>, second: ReadonlySet<string>): boolean {
  return first.size === second.size && [...first].every((each) => second.has(each))
}
