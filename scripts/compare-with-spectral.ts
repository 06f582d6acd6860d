import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Finding } from '../src/diagnostics/diagnostic.ts'
import { openDiskFiles } from '../src/files/disk-files.ts'
import { checkDescription, type DescriptionCheck } from '../src/openapi/check-description.ts'
import type { Place } from '../src/openapi/follow-reference.ts'
import type { Ruleset } from '../src/openapi/rulesets/ruleset.ts'
import { defaultRunLimits, runRuleset } from '../src/openapi/rulesets/run-ruleset.ts'
import { toPointer } from '../src/openapi/walk.ts'
import { isContainer, isObject } from '../src/source/is-object.ts'
import { isWithin, parentPointer, pointerChild, valueAtPointer } from '../src/source/json-pointer.ts'
import { defaultLimits } from '../src/source/limits.ts'
import { createRulesetReader } from '../src/update/read-ruleset.ts'
import { createTimeLimit } from '../src/update/time-limit.ts'

// Compares the problems that Spectral and this repository find with the same ruleset. Downloads nothing.

const help = `node scripts/compare-with-spectral.ts <folder> --ruleset FILE… --document PATH…

  <folder>         where \`@stoplight/spectral-cli\` is installed
  --ruleset FILE   a ruleset; repeat for several
  --document PATH  a document, or a folder of documents; repeat for several
  --node FILE      the Node.js that runs Spectral (default: this one)
  --cache FOLDER   keeps what Spectral finds between runs
  --show N         differences to show of each rule (default 3)

Compares rule, location and severity of all problems, and prints the differences by rule. Exits with 1 if there are any that the
table \`arguedDifferences\` does not explain.`

/** A problem of one engine. */
interface Problem extends ProblemKey {
  readonly message: string
}

/** What is compared. */
interface ProblemKey {
  readonly rule: string
  readonly severity: string
  readonly file: string
  readonly pointer: string
}

interface Difference extends Problem {
  readonly only: 'ours' | 'Spectral'
  readonly document: string
}

/** What is known about a difference. */
interface Context {
  /** The other differences of the same document. */
  readonly others: readonly Difference[]
  readonly valueAt: (file: string, pointer: string) => unknown
  readonly isRead: (file: string) => boolean
  /** The rules that take too long. */
  readonly endedRules: ReadonlySet<string>
  /** What the checks of this repository find in the document. */
  readonly checks: readonly Finding[]
  /** What both engines find. */
  readonly equal: ReadonlySet<string>
  /** Whether the value is inside a component that refers to itself. */
  readonly isRecursive: (file: string, pointer: string) => boolean
}

/** Differences that are intended. */
const arguedDifferences: readonly {
  readonly reason: string
  readonly explains: (difference: Difference, context: Context) => boolean
}[] = [
  {
    reason: 'the checks of this repository report the error in the structure of the document',
    explains: ({ rule, only, file, pointer }, { checks }) => {
      const isRelated = (one: Finding) => one.pointer !== '' && (isWithin(one.pointer, pointer) || isWithin(pointer, one.pointer))
      return rule === 'oas3-schema' && only === 'Spectral' && checks.some((one) => one.file === file && isRelated(one))
    },
  },
  {
    reason: 'Spectral keeps references inside their own target, and applies rules for other objects to the `$ref`',
    explains: ({ only, file, pointer }, { valueAt }) => only === 'Spectral' && isReferenceAt(file, pointer, valueAt),
  },
  {
    reason: 'Spectral repeats a problem that it reaches through a reference, with another path in the message',
    explains: (difference, { equal }) => difference.only === 'Spectral' && equal.has(keyOf(difference)),
  },
  {
    reason: 'Spectral locates a problem below a reference at the parent if a key has characters such as `:`',
    explains: (difference, { equal, others }) => {
      const isLost = (parent: ProblemKey, { rule, severity, file, pointer }: ProblemKey) =>
        keyOf({ rule, severity, file, pointer: parent.pointer }) === keyOf(parent) && isSpecial(parent.pointer, pointer)
      if (difference.only === 'ours') return others.some((one) => one.only === 'Spectral' && isLost(one, difference))
      const ours = others.filter(({ only }) => only === 'ours')
      return [...ours, ...[...equal].map(parseKey)].some((one) => isLost(difference, one))
    },
  },
  {
    reason: 'Spectral does not follow references inside their own target',
    explains: ({ only, file, pointer }, { isRecursive }) => only === 'ours' && isRecursive(file, pointer),
  },
  {
    reason: 'files that only examples refer to are not read, so that such examples are not checked',
    explains: ({ rule, only, file }, { isRead }) => {
      return only === 'Spectral' && /^oas3-valid-(?:media|schema)-example$/.test(rule) && !isRead(file)
    },
  },
  {
    reason: 'the pattern of the rule takes exponential time, so that the rule is ended',
    explains: ({ rule, only }, { endedRules }) => only === 'Spectral' && endedRules.has(rule),
  },
  {
    reason: 'a key whose value is a reference is located at the key; Spectral locates it at the target',
    explains: (difference, context) => {
      const isKey = (one: Difference) => one.only === 'ours' && isReferenceAt(one.file, one.pointer, context.valueAt)
      // A message with the key names that of the target, too.
      const isSame = (ours: Difference, theirs: Difference) => {
        const value = context.valueAt(ours.file, ours.pointer)
        const leadsThere = isObject(value) && value['$ref'] === `#${theirs.pointer}`
        return ours.rule === theirs.rule && (ours.message === theirs.message || leadsThere)
      }
      // The target has the problem, too, and Spectral reports each location once.
      const isReported = ({ rule, severity, file, pointer }: Difference) => {
        const value = context.valueAt(file, pointer)
        const target = isObject(value) ? String(value['$ref']).slice(1) : ''
        return context.equal.has(keyOf({ rule, severity, file, pointer: target }))
      }
      const others = context.others.filter(({ only }) => only === 'Spectral')
      return difference.only === 'ours'
        ? isKey(difference) && (others.some((one) => isSame(difference, one)) || isReported(difference))
        : context.others.some((one) => isKey(one) && isSame(one, difference))
    },
  },
]

function isReferenceAt(file: string, pointer: string, valueAt: Context['valueAt']): boolean {
  const value = valueAt(file, pointer)
  const around = valueAt(file, parentPointer(pointer))
  return (isObject(value) && '$ref' in value) || (isObject(around) && '$ref' in around)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ruleset: { type: 'string', multiple: true },
    document: { type: 'string', multiple: true },
    node: { type: 'string' },
    cache: { type: 'string' },
    show: { type: 'string', default: '3' },
    help: { type: 'boolean', short: 'h' },
  },
})
const [folder] = positionals
if (values.help || folder === undefined || !values.ruleset || !values.document) {
  console.log(help)
  process.exit(values.help ? 0 : 2)
}

const spectral = join(folder, 'node_modules/@stoplight/spectral-cli/dist/index.js')
const cache = values.cache ?? mkdtempSync(join(tmpdir(), 'compare-with-spectral-'))
mkdirSync(cache, { recursive: true })
const documents = values.document.flatMap(listDocuments).map((path) => resolve(path))
const files = openDiskFiles('/')
const fetchDocument = async () => ({ kind: 'failed', code: 'url-refused', reason: 'nothing is downloaded' }) as const
const checks = new Map<string, Promise<DescriptionCheck>>()

function listDocuments(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => /\.(?:json|ya?ml)$/.test(name))
    .map((name) => join(path, name))
}

/** Returns the number of differences that are not explained. */
async function compareRuleset(path: string): Promise<number> {
  console.log(`\n## ${path}\n`)
  const reader = createRulesetReader(
    { files, fetchDocument, rulesets: [toPath(path)] },
    { rulesets: undefined, limits: defaultLimits },
  )
  const rules = new Set<string>()
  const shown = new Set<string>()
  const rows = new Map<string, { equal: number; ours: Difference[]; spectral: Difference[]; argued: number }>()
  const rowOf = (rule: string) => {
    const row = rows.get(rule) ?? { equal: 0, ours: [], spectral: [], argued: 0 }
    rows.set(rule, row)
    return row
  }
  const argued = new Map<string, number>()
  let count = 0
  for (const document of documents) {
    const theirs = await runSpectral(path, document)
    if (!theirs) continue
    const check = await checkOnce(document)
    const { description, follow } = check
    if (!description || !follow) {
      console.log(`skipped: ${document} is no OpenAPI 3 document`)
      continue
    }
    const { ruleset, findings } = await reader.read(toPath(document), check.documents.get(description.entryPath)?.parsed.value)
    for (const { message, pointer } of findings) {
      if (!shown.has(message)) console.log(`ruleset: ${message} (${pointer})`)
      shown.add(message)
    }
    if (!ruleset) break
    for (const name of ruleset.rules.keys()) rules.add(name)
    const ours = runOurs(ruleset, check)
    if (!ours) continue
    count++
    const { onlyLeft, onlyRight, equal } = compare(ours.problems, theirs)
    for (const { rule } of equal) rowOf(rule).equal++
    const differences: Difference[] = [
      ...onlyLeft.map((problem) => ({ ...problem, only: 'ours' as const, document })),
      ...onlyRight.map((problem) => ({ ...problem, only: 'Spectral' as const, document })),
    ]
    const context = {
      others: differences,
      checks: check.findings,
      equal: new Set(equal.map(keyOf)),
      isRecursive: createIsRecursive(check),
      endedRules: ours.endedRules,
      isRead: (file: string) => check.documents.has(file),
      valueAt: (file: string, pointer: string) => valueAtPointer(check.documents.get(file)?.parsed.value, pointer),
    }
    for (const difference of differences) {
      const reason = arguedDifferences.find(({ explains }) => explains(difference, context))?.reason
      const row = rowOf(difference.rule)
      if (reason === undefined) row[difference.only === 'ours' ? 'ours' : 'spectral'].push(difference)
      else {
        row.argued++
        argued.set(reason, (argued.get(reason) ?? 0) + 1)
      }
    }
  }
  const all = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const sum = (of: (row: (typeof all)[number][1]) => number) => all.reduce((total, [, row]) => total + of(row), 0)
  const left = sum((row) => row.ours.length + row.spectral.length)
  console.log(
    `${count} documents, ${rules.size} rules: ${sum((row) => row.equal)} equal, ${left} different, ${sum((row) => row.argued)} argued`,
  )
  for (const [reason, times] of argued) console.log(`  argued ${times}: ${reason}`)
  for (const [rule, { equal, ours, spectral }] of all) {
    if (ours.length + spectral.length === 0) continue
    console.log(`\n${rule}: ${equal} equal, ${ours.length} only ours, ${spectral.length} only Spectral`)
    for (const one of [ours, spectral].flatMap((list) => list.slice(0, Number(values.show)))) {
      console.log(
        `  ${one.only} ${one.severity} ${relative(process.cwd(), one.document)} ${one.file}#${one.pointer}\n    ${one.message}`,
      )
    }
  }
  return left
}

/** Finds out whether an object that contains a location can be reached from itself. */
function createIsRecursive({ documents, follow }: DescriptionCheck): Context['isRecursive'] {
  const known = new Map<object, boolean>()
  const reachesItself = (file: string, pointer: string, start: object): boolean => {
    const seen = new Set<unknown>()
    const queue: Place[] = Object.entries(start).map(([key, value]) => ({ file, pointer: pointerChild(pointer, key), value }))
    for (let next = queue.pop(); next; next = queue.pop()) {
      const place = follow?.end(next) ?? next
      if (place.value === start) return true
      if (!isContainer(place.value) || seen.has(place.value)) continue
      seen.add(place.value)
      for (const [key, value] of Object.entries(place.value))
        queue.push({ ...place, pointer: pointerChild(place.pointer, key), value })
    }
    return false
  }
  return (file, pointer) => {
    for (let at = pointer; at !== ''; at = parentPointer(at)) {
      const value = valueAtPointer(documents.get(file)?.parsed.value, at)
      if (!isContainer(value)) continue
      const isRecursive = known.get(value) ?? reachesItself(file, at, value)
      known.set(value, isRecursive)
      if (isRecursive) return true
    }
    return false
  }
}

/** Whether a location is below another one, at a key that Spectral escapes. */
function isSpecial(parent: string, pointer: string): boolean {
  return pointer !== parent && isWithin(pointer, parent) && /^[^/]*[^\w/-]/.test(pointer.slice(parent.length + 1))
}

function parseKey(key: string): ProblemKey {
  const [rule = '', severity = '', file = '', pointer = ''] = key.split('\n')
  return { rule, severity, file, pointer }
}

function keyOf({ rule, severity, file, pointer }: ProblemKey): string {
  return `${rule}\n${severity}\n${file}\n${pointer}`
}

/** Compares two lists as multisets. */
function compare(left: readonly Problem[], right: readonly Problem[]) {
  const counts = new Map<string, number>()
  for (const problem of right) counts.set(keyOf(problem), (counts.get(keyOf(problem)) ?? 0) + 1)
  const take = (problem: Problem) => {
    const count = counts.get(keyOf(problem)) ?? 0
    counts.set(keyOf(problem), count - 1)
    return count > 0
  }
  const equal: Problem[] = []
  const onlyLeft: Problem[] = []
  for (const problem of left) (take(problem) ? equal : onlyLeft).push(problem)
  const onlyRight = right.filter((problem) => (counts.get(keyOf(problem)) ?? 0) > 0 && take(problem))
  return { equal, onlyLeft, onlyRight }
}

/** Paths are absolute, so that documents and rulesets can be anywhere. */
function checkOnce(document: string): Promise<DescriptionCheck> {
  const known = checks.get(document)
  if (known) return known
  const check = checkDescription(toPath(document), async (path) => {
    const file = `/${path}`
    if (!existsSync(file)) return { kind: 'failed', code: 'file-missing', reason: 'no such file' }
    return { kind: 'loaded', bytes: readFileSync(file) }
  })
  checks.set(document, check)
  return check
}

/** Relative to the root of the disk. */
function toPath(path: string): string {
  return path.slice(1)
}

const unlimited = { ...defaultRunLimits, problemsPerRule: Number.POSITIVE_INFINITY, problems: Number.POSITIVE_INFINITY }

interface OurProblems {
  readonly problems: readonly Problem[]
  readonly endedRules: ReadonlySet<string>
}

function runOurs(ruleset: Ruleset, { description, documents, follow }: DescriptionCheck): OurProblems | undefined {
  if (!description || !follow) return undefined
  const files = { entryPath: description.entryPath, documents, follow }
  const slowRules = new Set<string>()
  const findings = runRuleset(ruleset, files, createTimeLimit(600_000), { limits: unlimited, slowRules })
  const problems = findings.filter(({ code }) => code === 'ruleset-problem')
  for (const { message } of problems) console.log(`ours: ${message}`)
  const ended = [...ruleset.rules.values()].filter(({ place }) => slowRules.has(`${place.file}#${place.pointer}`))
  return {
    problems: findings.filter((finding) => !problems.includes(finding)).map(toProblem),
    endedRules: new Set(ended.map(({ name }) => name)),
  }
}

function toProblem({ rule, severity, file, pointer, message }: Finding): Problem {
  return { rule: rule?.name ?? '', severity: severity ?? 'error', file, pointer, message }
}

interface SpectralResult {
  readonly code: string
  readonly path: readonly string[]
  readonly message: string
  readonly severity: 0 | 1 | 2 | 3
  readonly source: string
}

/** Problems that Spectral reports without a rule. */
const ownCodes = new Set(['parser', 'invalid-ref', 'unrecognized-format'])

async function runSpectral(ruleset: string, document: string): Promise<readonly Problem[] | undefined> {
  const key = [ruleset, document].map((path) => `${path} ${statSync(path).mtimeMs}`).join('\n')
  const output = join(cache, `${createHash('sha256').update(key).digest('hex').slice(0, 20)}.json`)
  if (!existsSync(output)) {
    const args = ['lint', '--ruleset', ruleset, '--format', 'json', '--output', output, '--quiet', document]
    try {
      execFileSync(values.node ?? process.execPath, ['--max-old-space-size=6000', spectral, ...args], { stdio: 'pipe' })
    } catch (error) {
      // It exits with 1 if it finds problems.
      if (!existsSync(output)) {
        const { stderr } = error as { readonly stderr?: Buffer } // Of a program that failed.
        console.log(`Spectral failed: ${document}: ${stderr?.toString().slice(0, 300) ?? ''}`)
        return undefined
      }
    }
  }
  const results: readonly SpectralResult[] = JSON.parse(readFileSync(output, 'utf8'))
  return results
    .filter(({ code }) => !ownCodes.has(code))
    .map(({ code, path, message, severity, source }) => ({
      rule: code,
      severity: (['error', 'warning', 'info', 'info'] as const)[severity],
      file: toPath(source),
      pointer: toPointer(path),
      message,
    }))
}

let unexplained = 0
for (const path of values.ruleset) unexplained += await compareRuleset(resolve(path))
process.exitCode = unexplained === 0 ? 0 : 1
