import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { listPumps, makeStepCounter, mostSteps } from './support/count-steps.ts'

const root = join(import.meta.dirname, '..')

/** Inputs of a pattern that are tried at full length and turn out to be harmless. */
const mostTrials = 8

interface Found {
  /** `src/text/plain/escape-text.ts:33`. */
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** Files that assemble patterns at run time, with the reason why these are fast. */
const assembled: Readonly<Record<string, string>> = {
  'src/rules/path/compute-expression.ts': 'patterns of rulesets, which run inside a time limit of V8',
  'src/rules/path/parse-expression.ts': 'only compiled, to see whether it is an expression',
  'src/rules/path/select-children.ts': 'patterns of rulesets, which run inside a time limit of V8',
  'src/cli/base/comparison-options.ts': 'a pattern of the person who runs the command, on paths',
  'src/docs/baseline.ts': 'one literal name, without repetition',
  'src/docs/config/config-files.ts': 'constant patterns of names and paths, see `source-settings.ts`',
  'src/docs/config/source-settings.ts':
    'constant patterns of names and paths, anchored at both ends, that the JSON Schema publishes too',
  'src/openapi/read/explain-indentation.ts': 'spaces after a line break, each line once',
  'src/openapi/schema/json-schema.ts':
    'patterns of documents: few repetitions, on at most 200 characters; others are only compiled, to see whether they are expressions',
  'src/docs/read/find-docs.ts': 'the names of two fields after a number of spaces, anchored at a line',
  'src/docs/rules/exceptions.ts': 'a constant name',
  'src/openapi/public/restriction-marks.ts': 'constant names, without repetition',
  'src/rules/regular-expression.ts': 'patterns of rulesets and documents: a time limit interrupts all rules',
  'src/playground/samples/sample-languages.ts': 'keywords and strings of generated samples, whose literals are closed',
  'src/script/values/text-patterns.ts': 'patterns of snippets: their worst case is counted before they run',
  'src/site/plan/integrations.ts': 'constant patterns of `texts/integrations.json`, anchored at both ends',
  'src/site/page/components/component-props.tsx': 'a constant prefix, then characters of a name',
  'src/text/yaml/describe-yaml-line.ts': 'one line of at most 2,000 characters',
  'src/text/plain/escape-text.ts': 'one class of characters',
}

const { found, dynamic } = collect()

test('finds the regular expressions of the source', () => {
  expect(found.length).toBeGreaterThan(500)
})

const folders = [...new Set(found.map(({ place }) => place.split('/', 2).join('/')))]

test.each(folders)('matches every pattern of %s in linear time', (folder) => {
  const slow = found.filter(({ place }) => place.startsWith(`${folder}/`)).flatMap(findSlowInput)
  expect(slow).toEqual([])
})

test('lists all patterns that are assembled at run time', () => {
  expect(dynamic.filter((one) => !(one in assembled))).toEqual([])
  expect(Object.keys(assembled).filter((one) => !dynamic.includes(one))).toEqual([])
})

/** A text on which a search takes much more than twice the steps when it is twice as long. */
function findSlowInput({ place, source, flags }: Found): string[] {
  // Without a repetition there is no backtracking.
  if (!/[*+]|\{\d+,/.test(source)) return []
  const countSteps = makeStepCounter(source, flags)
  const { prefixes, pumps } = listPumps(source, flags)
  // A bounded repetition grows faster than its input only until the input exceeds the bound, which takes long to test.
  let trials = 0
  for (const pump of pumps) {
    for (const prefix of prefixes) {
      for (const suffix of ['', '\0', '\n\0']) {
        const build = (length: number) => prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix
        const isSlow = (length: number) => {
          const twice = countSteps(build(2 * length))
          // Few steps are no growth, so that the shorter text need not be searched.
          return twice >= mostSteps || (twice > 100 && twice > 2.7 * countSteps(build(length)) + 100)
        }
        if (!isSlow(32)) continue
        if (isSlow(600)) {
          const text = [prefix, pump, suffix].map((part) => JSON.stringify(part)).join(', ')
          return [`${place} /${source}/${flags} on prefix, repeated text and suffix ${text}`]
        }
        trials += 1
        if (trials === mostTrials) return []
      }
    }
  }
  return []
}

function collect(): { found: readonly Found[]; dynamic: readonly string[] } {
  const found = new Map<string, Found>()
  const dynamic = new Set<string>()
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src'], { cwd: root, encoding: 'utf8' })
  for (const path of files.split('\n').filter((name) => /\.tsx?$/.test(name) && existsSync(join(root, name)))) {
    const text = readFileSync(join(root, path), 'utf8')
    const add = (start: number, source: string, flags: string) => {
      const place = `${path}:${text.slice(0, start).split('\n').length}`
      found.set(`${source}/${flags}`, { place, source, flags })
    }
    visit(parseSync(path, text).program, (node) => {
      if (node.type === 'Literal' && node['regex']) {
        const { pattern, flags } = node['regex'] as { pattern: string; flags: string }
        add(node.start, pattern, flags)
      }
      // The patterns of schemas, which the request validator compiles.
      if (
        node.type === 'Property' &&
        (node['key'] as Node)['name'] === 'pattern' &&
        typeof (node['value'] as Node)['value'] === 'string'
      )
        add(node.start, (node['value'] as Node)['value'] as string, 'u')
      if (node.type === 'NewExpression' && (node['callee'] as Node)['name'] === 'RegExp') dynamic.add(path)
    })
  }
  return { found: [...found.values()], dynamic: [...dynamic] }
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value) see(value as Node)
  for (const inner of Object.values(value)) visit(inner, see)
}
