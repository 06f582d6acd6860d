import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from './action-harness.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const leftovers = {
  folder: "import('node:fs').then(({ mkdtempSync }) => mkdtempSync(process.env.TMPDIR + '/left-'))",
  port: "import('node:net').then(({ createServer }) => new Promise((resolve) => createServer().listen(0, '127.0.0.1', resolve)))",
  process: `import('node:child_process').then(({ spawnSync }) => spawnSync(process.execPath, ['--eval', \`
    require('child_process').spawn(process.execPath, ['--eval', 'setTimeout(() => {}, 60_000)'], { detached: true, stdio: 'ignore' }).unref()\`]))`,
  nothing: 'undefined',
}

/** Runs test files in a separate run, with the checks of `vitest.config.ts`. */
function runTests(kinds: readonly (keyof typeof leftovers)[]): { readonly status: number | null; readonly output: string } {
  const support = join(projectFolder, 'test/support')
  const settings = {
    globals: true,
    include: ['*.test.mjs'],
    setupFiles: join(support, 'check-leftovers.ts'),
    globalSetup: join(support, 'run-folder.ts'),
  }
  const folder = makeTemporaryFolder({
    'vitest.config.mjs': `export default { test: ${JSON.stringify(settings)} }\n`,
    ...Object.fromEntries(
      kinds.map((kind) => [`${kind}.test.mjs`, `test('leaves ${kind}', async () => {\n  await ${leftovers[kind]}\n})\n`]),
    ),
  })
  const args = [join(projectFolder, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
  const { OPENAPI_PAGES_TEST_RUN: _, VITEST_POOL_ID: __, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...env, NO_COLOR: '1' } })
  return { status, output: stdout + stderr }
}

test('a run passes if its tests leave nothing behind', () => {
  const { status, output } = runTests(['nothing'])
  expect([status, output]).toEqual([0, expect.stringMatching(/Tests +1 passed/)])
})

test('a run fails if its tests leave a temporary folder, an open port or a process behind', () => {
  const { status, output } = runTests(['folder', 'port', 'process'])
  expect(status).toBe(1)
  expect(output).toMatch(/FAIL +folder\.test\.mjs/)
  expect(output).toMatch(/FAIL +port\.test\.mjs/)
  expect(output).not.toMatch(/FAIL +process\.test\.mjs/)
  expect(output).toMatch(/The tests left something behind:\n\s*a running process: /)
})
