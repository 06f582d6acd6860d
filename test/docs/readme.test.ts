import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

describe('README.md', () => {
  test('has the inputs and outputs of action.yml', () => {
    execFileSync(process.execPath, [join(root, 'scripts/write-docs.ts'), '--check'], { stdio: 'pipe' })
  })

  test('its workflow is one that GitHub can read, of at most 15 lines, and asks for no more than it needs', () => {
    const block = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    expect(block.trim().split('\n').length).toBeLessThanOrEqual(15)
    const workflow = parse(block) as { on: unknown; permissions: unknown; jobs: Record<string, { steps: { uses?: string }[] }> }
    expect(workflow.permissions).toEqual({ contents: 'write', 'pull-requests': 'write' })
    expect(Object.values(workflow.jobs).flatMap((job) => job.steps.map((step) => step.uses))).toEqual([
      'actions/checkout@v5',
      'openapi-pages/openapi-pages@v1',
    ])
  })

  test('every file and folder it links to is there', () => {
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1] ?? '')
    expect(links.length).toBeGreaterThan(3)
    for (const link of links) expect(existsSync(join(root, link)), link).toBe(true)
  })

  test('every npm script it names exists', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
    const named = [...readme.matchAll(/npm run ([a-z:]+)/g)].map((match) => match[1] ?? '')
    expect(named).toContain('demo')
    for (const name of named) expect(Object.keys(scripts)).toContain(name)
  })
})

describe('ARCHITECTURE.md', () => {
  test('every file it names is there', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const known = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((path) => `src/${path}`)
    const named = [...text.matchAll(/`([a-z0-9/-]+\.ts)`/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(30)
    for (const path of named)
      expect(known.some((file) => file === path || file.endsWith(`/${path}`)) || existsSync(join(root, path)), path).toBe(true)
  })
})
