import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { groupBy } from '../src/text/plain/lists.ts'
import { compareDocuments, type TestDocument } from '../test/changes/compare-documents.ts'

// Compares what the tests of oasdiff expect with `changes` of this project, for each test that compares two files of its data with the default options.
// Usage: `node scripts/compare-oasdiff.ts CLONE`, with a clone of https://github.com/oasdiff/oasdiff. Writes test/changes/suite/oasdiff.tsv.
const [clone = ''] = process.argv.slice(2)
const git = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 1e8 })
const show = (path: string) => git('show', `HEAD:${path}`)
const listFiles = (pattern: string) => git('ls-tree', '-r', '--name-only', 'HEAD', pattern).split('\n').filter(Boolean)

const levels = ['breaking', 'risky', 'compatible'] as const
type Level = (typeof levels)[number]
const ours: Readonly<Record<string, Level>> = { ERR: 'breaking', WARN: 'risky', INFO: 'compatible' }

/** A document, with the files beside it if it refers to some. */
function read(path: string): TestDocument {
  const text = show(path)
  const folder = `${dirname(path)}/`
  if (!/\$ref["']?: *["']?[^#"'\s]/.test(text)) return text
  return { ...Object.fromEntries(listFiles(folder).map((file) => [file.slice(folder.length), show(file)])), 'openapi.yaml': text }
}

/** The level of each rule, by the name of its constant and by its ID. */
const rules = new Map<string, { readonly id: string; readonly level: Level }>()
const sources = listFiles('checker/').filter((path) => path.endsWith('.go'))
const code = sources.filter((path) => !path.endsWith('_test.go')).map(show)
const ids = new Map(
  code.flatMap((text) =>
    Array.from(text.matchAll(/(\w+Id)\s*=\s*"([a-z0-9-]+)"/g), ([, name = '', id = '']) => [name, id] as const),
  ),
)
for (const [, name = '', level = ''] of code.join('\n').matchAll(/newBackwardCompatibilityRule\((\w+Id), (ERR|WARN|INFO)/g)) {
  const rule = { id: ids.get(name) ?? name, level: ours[level] ?? 'compatible' }
  rules.set(name, rule).set(rule.id, rule)
}

/** Why levels differ, by what oasdiff expects, what this project finds, and the document. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/security-tightened/, 'Requests without the new credentials are refused'],
  [/\/ compatible pattern-added/, 'The property is read-only, so only responses have the pattern'],
  [/pattern-(?:removed|widened)/, 'Clients can receive texts that the pattern excluded'],
  [/server-removed/, 'Requests to the removed server can fail'],
  [/parameter-default-changed/, 'A path parameter is always sent, so its default has no effect'],
  [/limit-(?:added|tightened)/, 'Requests outside of the limit are refused'],
  [/became-nullable/, 'Clients can receive null'],
  [/media-type-removed/, 'The test looks at one rule. The revision also removes a media type'],
  [/prefix_items/, 'The first item has another type'],
  [/alternative-added/, 'Clients can receive an alternative that they do not know'],
  [/type-uncertain/, 'Some texts match both types, and the documents do not tell which ones are sent'],
  [/one_of_wrapped/, 'Some objects match both alternatives, and validators differ about them'],
  [/composition-changed/, 'Only `not` describes the property, so clients do not send it'],
  [/webhook/, 'The API sends the request of a webhook'],
  [/all-of.*\/ (?:none|compatible)/, 'The branch requires nothing that the schema did not require'],
  [/any-of.*\/ none/, 'The alternatives describe the same values'],
]

const rows: string[][] = []
for (const path of sources.filter((one) => one.endsWith('_test.go'))) {
  for (const [, name = '', body = ''] of show(path).matchAll(/^func (Test\w+)\(t \*testing\.T\) \{\n([\s\S]*?)^\}/gm)) {
    const files = [...body.matchAll(/"\.\.\/(data\/[\w./-]+\.(?:yaml|json))"/g)].map(([, file = '']) => file)
    const [base, revision, ...more] = [...new Set(files)]
    const isPlain =
      !/\.Spec\.|With(?:Deprecation|Severity|Exclude|Single|Case|Path|Attributes)|Flatten|NewConfig\(\)\.|t\.Run\(/.test(body)
    if (
      base === undefined ||
      revision === undefined ||
      more.length > 0 ||
      !isPlain ||
      !/allChecksConfig|singleCheckConfig/.test(body)
    )
      continue
    const found = [...body.matchAll(/checker\.(\w+Id)\b|"([a-z0-9]+(?:-[a-z0-9]+)+)"/g)].flatMap(
      ([, constant = '', id = '']) => rules.get(constant || id) ?? [],
    )
    const expected = [...new Set(found)]
    if (expected.length === 0 && !/require\.Empty\(t, errs\)/.test(body)) continue
    rows.push([`${path.replace('checker/', '')} ${name}`, base, revision, ...(await judge(base, revision, expected))])
  }
}
rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
const counts = groupBy(rows, (row) => row.at(-1))
writeFileSync(
  join(import.meta.dirname, '../test/changes/suite/oasdiff.tsv'),
  `${[['test', 'base', 'revision', 'oasdiff', 'openapi-pages', 'reason', 'verdict'], ...rows].map((row) => row.join('\t')).join('\n')}\n`,
)
console.log(
  `oasdiff ${git('rev-parse', 'HEAD').trim()}: ${rows.length} tests, ${[...counts].map(([verdict, all]) => `${all.length} ${verdict}`).join(', ')}`,
)

/** What oasdiff expects, what this project finds, and whether the highest expected level is among the levels found. */
async function judge(
  base: string,
  revision: string,
  expected: readonly { readonly id: string; readonly level: Level }[],
): Promise<string[]> {
  const theirs =
    expected
      .map(({ id, level }) => `${level} ${id}`)
      .sort()
      .join(', ') || 'none'
  try {
    const changes = await compareDocuments(read(base), read(revision))
    const found = [...new Set(changes.map((change) => `${change.level} ${change.code}`))].sort().join(', ') || 'none'
    const has = (level: Level) => changes.some((change) => change.level === level)
    const highest = levels.find((level) => expected.some((rule) => rule.level === level))
    const wanted = highest === undefined ? !has('breaking') && !has('risky') : has(highest)
    const isHigher = levels.slice(0, highest === undefined ? 2 : levels.indexOf(highest)).some(has)
    const verdict = wanted ? 'same' : isHigher ? 'higher' : 'lower'
    const reason = wanted ? '' : reasons.find(([pattern]) => pattern.test(`${theirs} / ${found} / ${base}`))?.[1]
    return [theirs, found, reason ?? 'Not explained', verdict]
  } catch (error) {
    return [theirs, 'none', `Not read: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`, 'lower']
  }
}
