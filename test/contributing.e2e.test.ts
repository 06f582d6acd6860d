import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFolder } from './support/action-harness.ts'
import { documentedExamples, readShellCommands } from './support/documented-examples.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

const page = 'CONTRIBUTING.md'
const text = readFileSync(join(projectFolder, page), 'utf8')

/** A block of a worked example, with the file that its step names. */
interface Step {
  readonly path: string
  readonly language: string
  readonly block: string
}

const lines = text.split('\n')
const start = lines.indexOf('## Worked examples') + 1
const end = lines.findIndex((line, index) => index > start && line.startsWith('## ')) + 1
const examples = documentedExamples.filter((example) => example.page === page && example.line > start && example.line < end)

const steps: readonly Step[] = examples
  .filter(({ language }) => language !== 'sh')
  .map(({ line, language, text: block }) => {
    const named = lines.slice(0, line - 1).findLast((one) => /^\d+\. /.test(one))
    return { path: /^\d+\. `([^`]+)`/.exec(named ?? '')?.[1] ?? '', language, block }
  })
const commands = examples.filter(({ language }) => language === 'sh').flatMap(({ text: block }) => readShellCommands(block))

/** Replaces the lines of a block that start with a space or `-` with those that start with a space or `+`. Parts are separated by `@@`. */
function applyDiff(before: string, diff: string): string {
  let after = before
  for (const part of diff.split('@@\n')) {
    const keep = (signs: string) =>
      part
        .split('\n')
        .filter((line) => line !== '' && signs.includes(line.charAt(0)))
        .map((line) => `${line.slice(1)}\n`)
        .join('')
    expect(after.split(keep(' -')).length - 1, `occurrences of:\n${keep(' -')}`).toBe(1)
    after = after.replace(keep(' -'), () => keep(' +'))
  }
  return after
}

/** What the commands of the examples read or write. The rest of the copy links to the repository. */
const copied = ['docs', 'src', 'test', 'texts']
const leftOut = /\/test\/(?:e2e|nightly|real|soak|visual)$|\/test\/fixtures\/(?!site(?:\/content(?:\/|$)|$))/

function copyRepository(): string {
  const folder = makeTemporaryFolder()
  for (const name of readdirSync(projectFolder)) {
    const from = join(projectFolder, name)
    if (copied.includes(name)) cpSync(from, join(folder, name), { recursive: true, filter: (path) => !leftOut.test(path) })
    else if (name !== '.git' && name !== 'dist') symlinkSync(from, join(folder, name))
  }
  return folder
}

describe('worked examples', () => {
  test('name a file for each block, and end with a command', () => {
    expect(steps.length).toBeGreaterThan(15)
    expect(steps.filter(({ path }) => path === '')).toEqual([])
    expect(commands.map(({ program }) => program)).toEqual(Array(5).fill('vitest'))
  })

  test('pass their tests in a copy of the repository', () => {
    const folder = copyRepository()
    for (const { path, language, block } of steps) {
      const target = join(folder, path)
      mkdirSync(dirname(target), { recursive: true })
      if (language === 'diff') writeFileSync(target, applyDiff(readFileSync(target, 'utf8'), block))
      else {
        expect(existsSync(target), path).toBe(false)
        writeFileSync(target, block)
      }
    }
    const sources = steps.map(({ path }) => path).filter((path) => /\.(?:tsx?|json)$/.test(path))
    const biome = join(projectFolder, 'node_modules/@biomejs/biome/bin/biome')
    execFileSync(process.execPath, [biome, 'check', '--error-on-warnings', '--vcs-enabled=false', ...new Set(sources)], {
      cwd: folder,
    })
    const files = commands.flatMap(({ args }) => args.filter((arg) => arg.startsWith('test/')))
    const vitest = join(projectFolder, 'node_modules/vitest/vitest.mjs')
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/VITEST|TEST_RUN|TEST_REPORT/.test(name)))
    const run = ['run', '--project', 'unit', '--maxWorkers', '1', '-u=all', ...new Set(files)]
    const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, ...run], { cwd: folder, env, encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
    const html = readFileSync(join(folder, 'test/fixtures/site/content/stamp/expected.html'), 'utf8')
    expect(html).toContain('<time> May 2</time>')
    expect(readFileSync(join(folder, 'docs/components.md'), 'utf8')).toContain('`<Stamp>`')
  })
})

/** The paths in backticks that a page names, relative to a folder of the repository, or the name of a file without its folder. */
function listPaths(markdown: string): string[] {
  const written = markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([\w./@{},*-]+)`/g)
  const isPath = (name: string) => /^[\w.-]+(?:\/[\w.{},*-]*)+$/.test(name) || /\.(?:tsx?|md|json|css|yml)$/.test(name)
  return [...new Set(Array.from(written, ([, name = '']) => name).filter(isPath))]
}

const allFiles = globSync('{.github,bench,docs,locales,scripts,src,test,texts}/**', { cwd: projectFolder }).map((path) =>
  basename(path),
)

const findMissing = (paths: readonly string[], folders: readonly string[]) =>
  paths.filter((path) =>
    path.includes('/')
      ? !folders.some((folder) => globSync(path, { cwd: join(projectFolder, folder) }).length > 0)
      : !allFiles.includes(path) && !existsSync(join(projectFolder, path)),
  )

describe('paths', () => {
  test('of CONTRIBUTING.md exist, or an example creates them', () => {
    const [before = '', , after = ''] = text.split(/^<!-- \/?packages.*$/m)
    const made = new Set(steps.flatMap(({ path, language }) => (language === 'diff' ? [] : [path])))
    const paths = listPaths(before + after)
    expect(paths.length).toBeGreaterThan(60)
    expect(findMissing(paths, ['']).filter((path) => !made.has(path))).toEqual([])
  })

  test('of the tables and walks of ARCHITECTURE.md exist', () => {
    const architecture = readFileSync(join(projectFolder, 'ARCHITECTURE.md'), 'utf8')
    const walks = architecture.slice(architecture.indexOf('## Invariants'))
    expect(listPaths(walks).length).toBeGreaterThan(20)
    expect(findMissing(listPaths(walks), ['', 'src'])).toEqual([])
  })

  test('finds a path that does not exist', () => {
    const paths = listPaths('`src/app/api/`, `src/nothing/`, `nothing.ts`, `site.tsx` and `test/{app,no}/*`')
    expect(findMissing(paths, [''])).toEqual(['src/nothing/', 'nothing.ts', 'site.tsx'])
  })
})
