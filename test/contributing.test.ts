import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFolder } from './support/action-harness.ts'
import { applySteps, commands, contributing, steps } from './support/worked-examples.ts'

describe('worked examples', () => {
  test('name a file for each block, and end with a command', () => {
    expect(steps.length).toBeGreaterThan(15)
    expect(steps.filter(({ path }) => path === '')).toEqual([])
    expect(commands.map(({ program }) => program)).toEqual(Array(5).fill('vitest'))
  })

  test('change lines that the files have', () => {
    expect(applySteps().size).toBeGreaterThan(15)
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
    const [before = '', , after = ''] = contributing.split(/^<!-- \/?packages.*$/m)
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
