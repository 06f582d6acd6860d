import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from './support/action-harness.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'
import { applySteps, commands } from './support/worked-examples.ts'

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

test('the tests of the worked examples pass in a copy of the repository', () => {
  const folder = copyRepository()
  const files = applySteps()
  for (const [path, text] of files) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
  const sources = [...files.keys()].filter((path) => /\.(?:tsx?|json)$/.test(path))
  const biome = join(projectFolder, 'node_modules/@biomejs/biome/bin/biome')
  execFileSync(process.execPath, [biome, 'check', '--error-on-warnings', '--vcs-enabled=false', ...sources], {
    cwd: folder,
  })
  const tests = commands.flatMap(({ args }) => args.filter((arg) => arg.startsWith('test/')))
  const vitest = join(projectFolder, 'node_modules/vitest/vitest.mjs')
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/VITEST|TEST_RUN|TEST_REPORT/.test(name)))
  const run = ['run', '--project', 'unit', '--maxWorkers', '1', '-u=all', ...new Set(tests)]
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, ...run], { cwd: folder, env, encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
  const html = readFileSync(join(folder, 'test/fixtures/site/content/stamp/expected.html'), 'utf8')
  expect(html).toContain('<time> May 2</time>')
  expect(readFileSync(join(folder, 'docs/components.md'), 'utf8')).toContain('`<Stamp>`')
})
