import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSourceFiles } from '../../support/source-graph.ts'

const root = join(import.meta.dirname, '../../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

test('the generated parts of the docs are up to date', () => {
  execFileSync(process.execPath, [join(root, 'scripts/write-docs.ts'), '--check'], { stdio: 'pipe' })
})

describe('README.md', () => {
  test('links to existing files and directories', () => {
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1] ?? '')
    expect(links.length).toBeGreaterThan(3)
    for (const link of links) expect(existsSync(join(root, link)), link).toBe(true)
  })
})

describe('npm scripts', () => {
  const docs = globSync(['*.md', 'docs/**/*.md', 'bench/README.md', 'examples/**/*.md', '.ci/run', '.github/workflows/*.yml'], {
    cwd: root,
  })
  const listNamed = (pattern: RegExp) =>
    docs.flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(pattern)].map(([, name = '']) => name))

  test('exist if the documentation or CI names them', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
    const named = listNamed(/npm run (?:--silent )?([a-z][a-z0-9:]*)/g)
    expect(named).toEqual(expect.arrayContaining(['demo', 'bench:quick', 'bench:load', 'types']))
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  test('run every benchmark that the documentation names', () => {
    const named = listNamed(/npm run bench -- ([a-z][a-z-]*)/g)
    expect(named).toContain('validation')
    const help = execFileSync(process.execPath, [join(root, 'bench/main.ts'), '--help'], { encoding: 'utf8' })
    const listed = [...help.matchAll(/^ {2}([a-z-]+) +\S/gm)].map(([, name = '']) => name)
    expect(named.filter((name) => !listed.includes(name))).toEqual([])
    expect(listed.filter((name) => !existsSync(join(root, `bench/${name}.ts`)))).toEqual([])
  })
})

describe('ARCHITECTURE.md', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

  test('names existing files', () => {
    const known = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((path) => `src/${path}`)
    const named = [...text.matchAll(/`([a-z0-9/-]+\.tsx?)`/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(20)
    for (const path of named)
      expect(known.some((file) => file === path || file.endsWith(`/${path}`)) || existsSync(join(root, path)), path).toBe(true)
  })

  test('names existing functions in both walkthroughs', () => {
    const walks = text.slice(text.indexOf('## One operation, from bytes to commit'))
    const named = [...walks.matchAll(/`([a-z]+(?:[A-Z][a-z]+)+)`/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(20)
    const source = readSourceFiles(join(root, 'src')).map((file) => file.text)
    const missing = named.filter((name) => !source.some((file) => new RegExp(`\\bfunction ${name}\\b`).test(file)))
    expect(missing).toEqual([])
  })
})
