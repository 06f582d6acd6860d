import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { quoteForShell } from '../../src/cli/base/command-line.ts'
import { type CiPlace, type CiTask, type Host, renderCiFiles } from '../../src/cli/setup/ci-files.ts'
import { fillExpressions } from '../support/evaluate-expression.ts'
import { makeHistory } from '../support/git-history.ts'
import { hostileNames, nameArbitrary } from '../support/hostile-names.ts'
import { fc, propertyRuns } from '../support/properties.ts'
import { readTree } from '../support/read-tree.ts'
import { serve } from '../support/serve.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocument } from '../support/tiny-docs.ts'
import { runInFolder } from './run-in-folder.ts'

// The names of folders and branches in what `init` writes for CI systems: each reaches its command unchanged, as one argument or value.

/** Returns a function that runs a script, and lists the arguments of `openapi-pages` in it. */
function makeRecorder() {
  const folder = makeTemporaryFolder({ calls: '' })
  const program = `#!/bin/sh\nprintf '%s\\0' "$@" >>'${folder}/calls'\nprintf '\\0' >>'${folder}/calls'\n`
  writeFileSync(join(folder, 'openapi-pages'), program)
  chmodSync(join(folder, 'openapi-pages'), 0o755)
  return (script: string, env: Readonly<Record<string, string>>, shell: string) => {
    const path = `${folder}:/usr/bin:/bin`
    execFileSync(shell, { cwd: makeTemporaryFolder(), env: { PATH: path, LC_ALL: 'C.UTF-8', ...env }, input: script })
    const calls = readFileSync(join(folder, 'calls'), 'utf8').split('\0\0').filter(Boolean)
    return calls.map((call) => call.split('\0'))
  }
}

/** What a host runs of a file. */
interface Read {
  /** The lines that run openapi-pages. */
  readonly script: readonly string[]
  /** The values of the variable `DOCS`. */
  readonly variables: readonly string[]
  /** The directories that the Action gets. */
  readonly directories: readonly string[]
}

/** Reads a file in YAML with two independent parsers, one of them for YAML 1.1 as well. */
function readYaml(text: string) {
  const value = parse(text)
  expect(load(text)).toEqual(value)
  const { on: _on, ...others } = value
  expect(parse(text, { version: '1.1' })).toMatchObject(others)
  return value
}

const contexts = { github: { ref: 'main', token: 'leaked' }, secrets: { KEY: 'leaked' }, steps: { pages: { outputs: {} } } }

const readers: { readonly [host in Host]: (file: string) => Read } = {
  github: (file) => {
    const { on, jobs } = readYaml(file)
    // GitHub refuses expressions there.
    expect(JSON.stringify(on)).not.toContain('${{')
    const steps: { run?: string; with?: Record<string, string> }[] = Object.values<{ steps: [] }>(jobs).flatMap(
      (job) => job.steps,
    )
    const fill = (text: string) => fillExpressions(text, contexts)
    return {
      script: steps.flatMap(({ run }) => (run?.startsWith('openapi-pages') ? fill(run) : [])),
      variables: [],
      directories: steps.flatMap((step) => step.with?.['working-directory'] ?? []).map(fill),
    }
  },
  gitlab: (file) => {
    const jobs = Object.values<{ script: string[]; variables: { DOCS: string | { value: string; expand: boolean } } }>(
      readYaml(file),
    )
    // GitLab replaces variables in other values.
    for (const { DOCS } of jobs.map(({ variables }) => variables))
      expect(DOCS).toEqual(typeof DOCS === 'string' ? expect.not.stringMatching(/[$%]/) : { value: DOCS.value, expand: false })
    return {
      script: jobs.flatMap(({ script }) => script.filter((line) => line.startsWith('openapi-pages'))),
      variables: jobs.map(({ variables: { DOCS } }) => (typeof DOCS === 'string' ? DOCS : DOCS.value)),
      directories: [],
    }
  },
  bitbucket: (file) => {
    const { pipelines } = readYaml(file)
    const steps = [...Object.values<[]>(pipelines['pull-requests']), ...Object.values<[]>(pipelines.branches ?? {})].flat()
    const lines = steps.flatMap(({ step }: { step: { script: string[] } }) => step.script)
    return { script: lines.filter((line) => line.startsWith('openapi-pages')), variables: [], directories: [] }
  },
}

const tasks: readonly (readonly [Host, CiTask])[] = [
  ['github', 'site'],
  ['github', 'pages'],
  ['gitlab', 'site'],
  ['gitlab', 'pages'],
  ['bitbucket', 'pages'],
]

const place: CiPlace = {
  branch: 'main',
  folder: '',
  triggers: [],
  build: undefined,
  isScheduled: false,
  releaseCommit: undefined,
  stages: undefined,
}

function checkNames(host: Host, task: CiTask, names: readonly string[]): void {
  const lines: string[] = []
  const env: Record<string, string> = {}
  const expected: unknown[] = []
  for (const [index, name] of names.entries()) {
    const triggers = [{ folder: name }, { file: `${name}/a.json` }]
    const other = { ...place, triggers, isScheduled: true, releaseCommit: 'f'.repeat(40), stages: [name] }
    for (const each of [place, other]) {
      for (const { content } of renderCiFiles(host, task, { ...each, folder: name, branch: name })) {
        const { script, variables, directories } = readers[host](content)
        expect(directories.length + script.length).toBeGreaterThan(0)
        expect(directories).toEqual(directories.map(() => name))
        for (const [at, DOCS] of variables.entries()) {
          env[`DOCS_${index}_${at}`] = DOCS
          lines.push(`DOCS=$DOCS_${index}_${at}`)
        }
        lines.push(...script)
        expected.push(...script.map(() => (name.startsWith('-') ? `./${name}` : name)))
        if (each === other) checkPatterns(content, name)
      }
    }
  }
  // GitLab fills no name into a script. The other two have bash.
  const calls = makeRecorder()(lines.join('\n'), env, host === 'gitlab' ? 'sh' : 'bash')
  expect(calls.map((call) => call[call[0] === '--yes' ? 3 : 1])).toEqual(expected)
}

/** The patterns that start jobs match the name, and have no other special character than `*`. */
function checkPatterns(content: string, name: string): void {
  const found = content.matchAll(/^ +- ("(?:[^"\\]|\\.)*"|\S*)$/gm)
  const patterns = [...found].map(([, text = '']) => parse(text) as string).filter((text) => /\/(?:\*|a\.json)/.test(text))
  expect(patterns.length).toBeGreaterThan(1)
  expect(patterns.join('\n')).not.toMatch(/[$%!?[\]{}\\+"'`|]/)
  const matches = (pattern: string) => {
    const source = pattern.split(/\*\*\/\*|\*+/).map((part) => part.replaceAll(/[.^$()]/g, '\\$&'))
    return new RegExp(`^${source.join('.*')}$`, 'su').test(`${name}/a.json`)
  }
  expect([name, patterns.filter((pattern) => !matches(pattern) && !/^\.git|\.yml$/.test(pattern))]).toEqual([name, []])
}

describe.each(tasks)('%s, %s', (host, task) => {
  test('jobs get each name of a folder as it is', () => checkNames(host, task, hostileNames))

  test('jobs get random names as they are', () => {
    fc.assert(
      fc.property(fc.array(nameArbitrary, { minLength: 1, maxLength: 5 }), (names) => checkNames(host, task, names)),
      { numRuns: propertyRuns(10) },
    )
  })
})

test('commands to paste are one printable line, and name each path as it is', () => {
  const script = hostileNames.map((name) => `openapi-pages check ${quoteForShell(name)}`)
  expect(script.join('')).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
  const calls = makeRecorder()(script.join('\n'), {}, 'bash')
  expect(calls).toEqual(hostileNames.map((name) => ['check', name.startsWith('-') ? `./${name}` : name]))
})

test('the proof takes names of folders as values, with no other right than the command has', async () => {
  const requests: (string | undefined)[] = []
  const url = await serve((request, response) => {
    requests.push(request.url)
    response.end('{}')
  })
  const home = makeTemporaryFolder({ mine: 'mine' })
  const outputs = ['-o', '--output=', '--baseline='].map((option) => `${option}${home}/mine`)
  for (const name of [...outputs, '--allow-http', '--local-schema', '--fix', '-', '--', '!x', url.replace('//', '/')]) {
    const [openapi, line] = /http/.test(name) ? [`${url}/a.json`, /✖ .*\n.*url-refused/] : ['a.json', /update .*\n.*1 page added/]
    const docsConfig = JSON.stringify({ name: 'A', navigation: { tabs: [{ tab: 'API', openapi }] } })
    const folder = makeTemporaryFolder({ [`${name}/docs.json`]: docsConfig, [`${name}/a.json`]: tinyDocument('List pets') })
    makeHistory(folder).commit({})
    const before = readTree(folder)
    const { stdout } = await runInFolder(folder, ['init', '--dry-run', '--host', 'gitlab'])
    expect([name, stdout]).toEqual([name, expect.stringMatching(line)])
    expect([readTree(folder), readTree(home)]).toEqual([before, { mine: 'mine' }])
  }
  expect(requests).toEqual([])
})
