import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import config from '../vitest.config.ts'
import { byPath, listSlowFiles, pushFiles, selectByPath } from './lanes.ts'
import { projectFolder } from './support/action-harness.ts'
import setUpBrowser from './support/set-up-browser.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

interface Project {
  readonly test: { readonly name: string; readonly include: readonly string[]; readonly exclude?: readonly string[] }
}
const projects = ((config as { test: { projects: readonly Project[] } }).test.projects ?? []).map(({ test: one }) => ({
  ...one,
  files: globSync([...one.include], { cwd: projectFolder, ignore: [...(one.exclude ?? [])] }),
}))

describe('the test suite', () => {
  test('runs each test file in one project, by its name and folder', () => {
    const all = globSync('test/**/*.test.{ts,tsx}', { cwd: projectFolder, ignore: 'test/fixtures/**' })
    expect(projects.flatMap(({ files }) => files).sort()).toEqual(all.sort())
    expect(pushFiles.filter((file) => !all.includes(file))).toEqual([])
  })

  test('runs each browser and end-to-end file when what it tests changes', () => {
    const files = listSlowFiles(projectFolder)
    expect(files.length).toBeGreaterThan(30)
    const named = byPath.flatMap(({ files: patterns }) => globSync([...patterns], { cwd: projectFolder }))
    expect(files.filter((file) => !named.includes(file))).toEqual([])
    const places = byPath.flatMap(({ tests }) => tests)
    expect(places.filter((place) => !existsSync(join(projectFolder, place)))).toEqual([])
    expect(selectByPath(projectFolder, ['src/site/page/page.tsx'])).toContain('test/site/page/pages.browser.test.ts')
    expect(selectByPath(projectFolder, ['src/site/page/page.tsx'])).not.toContain('test/e2e/dist.test.ts')
    const ofCheck = selectByPath(projectFolder, ['src/checks/circles.ts'])
    expect(ofCheck).toEqual(expect.arrayContaining(['test/e2e/diagnostics.test.ts', 'test/site/page/pages.browser.test.ts']))
    expect(selectByPath(projectFolder, ['src/checks/circles.ts', 'dist/action/index.js']).length).toBeLessThan(16)
    expect(ofCheck.length).toBeLessThanOrEqual(12)
    expect(selectByPath(projectFolder, ['docs/site.md'])).toEqual([])
    expect(selectByPath(projectFolder, ['test/e2e/dist.test.ts'])).toEqual(['test/e2e/dist.test.ts'])
    expect(selectByPath(projectFolder, ['package-lock.json'])).toEqual(files)
  })

  test('keeps browsers, built programs, kills and large counts out of `npm test`', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
      scripts: Readonly<Record<string, string>>
    }
    expect(scripts['test']).toBe('vitest run --project unit')
    expect(scripts['soak']).toContain('OPENAPI_PAGES_SOAK=1')
    const unit = projects.find(({ name }) => name === 'unit')?.files ?? []
    expect(unit.length).toBeGreaterThan(200)
    expect(unit.filter((file) => /(\.(browser|e2e)\.test\.ts$|^test\/(e2e|nightly|soak|real|visual)\/)/.test(file))).toEqual([])
    const withBrowser = unit.filter((file) => /from '\S+\/browser\.ts'/.test(readFileSync(join(projectFolder, file), 'utf8')))
    expect(withBrowser).toEqual([])
  })

  test.each([
    ['passes if every test passed', {}, 0],
    ['fails if a test was skipped', { numPendingTests: 1 }, 1],
    ['fails if a test is only planned', { numTodoTests: 1 }, 1],
    ['fails if no test ran', { numPassedTests: 0 }, 1],
  ])('CI %s', (_, counts, status) => {
    const report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [], ...counts }
    const folder = makeTemporaryFolder({ 'unit.json': JSON.stringify(report) })
    const run = spawnSync(process.execPath, [join(projectFolder, '.ci/summary.mjs'), folder, 'unit'], { encoding: 'utf8' })
    expect([run.status, run.stdout]).toEqual([status, expect.stringMatching(/\d passed, 0 failed\n$/)])
  })

  test('CI lists the unit test files that use the most CPU time, and fails above 10 s or 8 % of the whole', () => {
    const report = JSON.stringify({ numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] })
    const summarize = (cpu: string) => {
      const folder = makeTemporaryFolder({ 'unit.json': report, 'unit.json.cpu': cpu })
      const run = spawnSync(process.execPath, [join(projectFolder, '.ci/summary.mjs'), folder, 'unit'], { encoding: 'utf8' })
      return [run.status, run.stdout.split('\n').slice(1, -2)]
    }
    expect(summarize('1.00 test/a.test.ts\n10.00 test/b c.test.ts\n')).toEqual([
      0,
      ['   10.0 s test/b c.test.ts', '    1.0 s test/a.test.ts'],
    ])
    const toLines = (seconds: readonly number[]) => seconds.map((one, index) => `${one} ${index}.test.ts\n`).join('')
    const [status, lines] = summarize(toLines([6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]))
    expect([status, lines]).toEqual([
      1,
      expect.arrayContaining(['failed: 5.test.ts uses 11.0 s of CPU time, expected at most 10.0 s']),
    ])
    expect(lines).toHaveLength(10 + 6)
    // A slow machine.
    const slow = Array.from({ length: 100 }, () => 8)
    expect(summarize(toLines([...slow, 69]))[0]).toBe(0)
    expect(summarize(toLines([...slow, 70]))[0]).toBe(1)
  })

  test('does not repeat a failed test', () => {
    const tests = globSync('test/**/*.test.{ts,tsx}', {
      cwd: projectFolder,
      ignore: ['test/fixtures/**', 'test/test-suite.test.ts'],
    })
    const files = ['.ci/run', 'package.json', 'vitest.config.ts', ...tests]
    const isRepeating = (name: string) => /--retry\b|\bretry: *\d/.test(readFileSync(join(projectFolder, name), 'utf8'))
    expect(files.filter(isRepeating)).toEqual([])
  })

  test('skips browser tests without a browser, and names the reason in one line', async () => {
    onTestFinished(() => {
      vi.unstubAllEnvs()
      vi.restoreAllMocks()
    })
    vi.stubEnv('CHROMIUM_PATH', 'off')
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const restore = await setUpBrowser()
    expect(process.env['CHROMIUM_PATH']).toBe('off')
    expect(log.mock.calls).toEqual([[expect.stringMatching(/^Browser tests are skipped: [^\n]+$/)]])
    restore()
    vi.stubEnv('CHROMIUM_PATH', '/nothing/here')
    await expect(setUpBrowser()).rejects.toThrow('CHROMIUM_PATH is `/nothing/here`')
  })

  test('depends on no program or user of one machine', () => {
    const names = readdirSync(join(projectFolder, 'test'), { recursive: true, encoding: 'utf8' })
    const files = names.filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !/fixtures|node_modules/.test(name))
    expect(files.length).toBeGreaterThan(300)
    const machine = /\/usr\/bin\/(?:chromium|google)|\brun[u]ser\b|\b(?:spawn|exec|execFile)(?:Sync)?\(\s*'(?:ps|sudo|su)'/
    const found = files.filter((name) => machine.test(readFileSync(join(projectFolder, 'test', name), 'utf8')))
    expect(found).toEqual([])
  })

  test('covers each attack in SECURITY.md', () => {
    const text = readFileSync(join(projectFolder, 'SECURITY.md'), 'utf8')
    const rows = text.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:---|Attack \|)/.test(line))
    expect(rows.length).toBeGreaterThan(20)
    const names = new Set(projects.flatMap(({ files }) => files))
    const withoutTest = rows.filter((row) => {
      const links = Array.from(row.matchAll(/\]\((test\/[^)]+)\)/g), ([, path = '']) => path)
      return links.length === 0 || links.some((path) => !names.has(path))
    })
    expect(withoutTest).toEqual([])
  })
})
