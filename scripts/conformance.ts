import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { DiagnosticCode } from '../src/diagnostics/codes.ts'
import type { Diagnostic } from '../src/diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../src/diagnostics/finish-diagnostics.ts'
import { checkDescription } from '../src/openapi/check-description.ts'

// Compares the results of `check` with the test fixtures of the OpenAPI Initiative's schemas. They are not in this repository:
// `folder` is a clone of OpenAPI-Specification with all branches, or a folder with a subfolder for each branch.

const help = `npx node scripts/conformance.ts <folder> [--all]

  <folder>  a clone of https://github.com/OAI/OpenAPI-Specification with all branches, or a directory with one subdirectory per branch
  --all     list every fixture, not only those that disagree

Exits with 1 if one of the structural results differs from the official one.`

/** The fixtures of each release. 3.0 has no fixtures that must fail. */
const suites = [
  { release: '3.0', branch: 'main', pass: '_archive_/schemas/v3.0/pass', fail: undefined },
  { release: '3.1', branch: 'v3.1-dev', pass: 'tests/schema/pass', fail: 'tests/schema/fail' },
  { release: '3.2', branch: 'v3.2-dev', pass: 'tests/schema/pass', fail: 'tests/schema/fail' },
] as const

/**
 * The errors that the schemas can detect. Unresolved references and duplicate operation IDs are beyond them. A misplaced `$ref`
 * is only a warning in `check`, because tools accept it, but the schemas reject it.
 */
const structural: ReadonlySet<DiagnosticCode> = new Set([
  'not-openapi',
  'unsupported-version',
  'unknown-field',
  'missing-field',
  'wrong-type',
  'wrong-value',
  'wrong-format',
  'wrong-name',
  'field-conflict',
  'reference-misplaced',
])

interface Fixture {
  readonly name: string
  readonly text: string
}

interface Verdict {
  readonly name: string
  readonly official: 'pass' | 'fail'
  readonly structural: readonly Diagnostic[]
  /** Errors that the schemas cannot detect. */
  readonly others: readonly Diagnostic[]
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
})
const [folder] = positionals
if (values.help || folder === undefined || positionals.length > 1) {
  console.log(help)
  process.exit(values.help ? 0 : 2)
}

const rows: string[] = []
const lines: string[] = []
let disagreements = 0
for (const { release, branch, pass, fail } of suites) {
  const verdicts = [...(await judge(folder, branch, pass, 'pass')), ...(await judge(folder, branch, fail, 'fail'))]
  const rejected = verdicts.filter((verdict) => verdict.official === 'pass' && verdict.structural.length > 0)
  const accepted = verdicts.filter((verdict) => verdict.official === 'fail' && verdict.structural.length === 0)
  disagreements += rejected.length + accepted.length
  const count = (official: Verdict['official']) => verdicts.filter((verdict) => verdict.official === official).length
  const alsoWrong = verdicts.filter((verdict) => verdict.official === 'pass' && verdict.others.length > 0)
  rows.push(
    `| ${release} | ${count('pass')} | ${rejected.length} | ${count('fail')} | ${accepted.length} | ${alsoWrong.length} |`,
  )
  for (const verdict of verdicts) {
    const isWrong = rejected.includes(verdict) || accepted.includes(verdict)
    if (isWrong || values.all || alsoWrong.includes(verdict)) lines.push(describe(release, verdict, isWrong))
  }
}

console.log('| release | pass | wrongly rejected | fail | wrongly accepted | pass, with an error the schema cannot see |')
console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
for (const row of rows) console.log(row)
if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
console.log(`\n${disagreements === 0 ? 'no structural disagreement' : `${disagreements} structural disagreements`}`)
process.exitCode = disagreements === 0 ? 0 : 1

async function judge(
  folder: string,
  branch: string,
  path: string | undefined,
  official: Verdict['official'],
): Promise<Verdict[]> {
  if (path === undefined) return []
  const fixtures = readFixtures(folder, branch, path)
  if (fixtures.length === 0) throw new Error(`Cannot find fixtures in ${folder}: ${branch} has no ${path}`)
  return await Promise.all(fixtures.map((fixture) => judgeOne(fixture, official)))
}

async function judgeOne({ name, text }: Fixture, official: Verdict['official']): Promise<Verdict> {
  const bytes = new TextEncoder().encode(text)
  const { findings, sources } = await checkDescription(name, async (path) => {
    return path === name ? { kind: 'loaded', bytes } : { kind: 'failed', code: 'file-missing', reason: 'no such file' }
  })
  const diagnostics = await finishDiagnostics(findings, (file) => sources.get(file))
  const isStructural = ({ code, severity }: Diagnostic) =>
    structural.has(code) && (severity === 'error' || code === 'reference-misplaced')
  return {
    name,
    official,
    structural: diagnostics.filter(isStructural),
    others: diagnostics.filter((diagnostic) => diagnostic.severity === 'error' && !isStructural(diagnostic)),
  }
}

function readFixtures(folder: string, branch: string, path: string): Fixture[] {
  const isFixture = (name: string) => /\.(?:ya?ml|json)$/.test(name)
  const plain = join(folder, branch, path)
  if (existsSync(plain)) {
    const names = readdirSync(plain).filter(isFixture).sort()
    return names.map((name) => ({ name, text: readFileSync(join(plain, name), 'utf8') }))
  }
  for (const revision of [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`]) {
    const listed = git(folder, ['ls-tree', '--name-only', revision, `${path}/`])
    if (listed === undefined) continue
    const paths = listed.split('\n').filter(isFixture)
    return paths.map((file) => ({ name: file.slice(path.length + 1), text: git(folder, ['show', `${revision}:${file}`]) ?? '' }))
  }
  return []
}

function git(folder: string, words: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

function describe(release: string, { name, official, structural, others }: Verdict, isWrong: boolean): string {
  const found = [...structural, ...others].map(
    ({ range, code, message }) => `  ${range.start.line}:${range.start.column} ${code} ${message}`,
  )
  return [`${isWrong ? '✖' : ' '} ${release} ${official} ${name}${found.length === 0 ? ': no errors' : ''}`, ...found].join('\n')
}
