import { defineConfig } from 'vitest/config'
import { nightlyFolders, programFiles, pushFiles, slowFiles } from './test/lanes.ts'
import FileOrder from './test/support/file-order.ts'
import { gitConfig } from './test/support/repository-template.ts'

const report = process.env['OPENAPI_PAGES_TEST_REPORT']
const isSoak = process.env['OPENAPI_PAGES_SOAK'] !== undefined

// Random tests draw the same numbers in every run, so that a change is judged by what it changes. A soak draws new ones. Workers inherit it.
if (!process.env['OPENAPI_PAGES_SEED']) {
  process.env['OPENAPI_PAGES_SEED'] = isSoak ? String(Date.now() % 1_000_000) : '20261121'
  console.log(`OPENAPI_PAGES_SEED=${process.env['OPENAPI_PAGES_SEED']}`)
}

// The name, signature and aliases of the person who runs the tests change nothing. Workers inherit these too.
process.env['GIT_CONFIG_GLOBAL'] = gitConfig
process.env['GIT_CONFIG_NOSYSTEM'] = '1'

// The compiler of TypeScript collects no garbage while it is small, which takes a third of its CPU time.
process.env['GOGC'] = 'off'
process.env['GOMEMLIMIT'] = '1GiB'

// `test/lanes.ts` says when each test file runs.
const all = ['test/**/*.test.{ts,tsx}']
const fixtures = ['test/fixtures/**']
const nightly = nightlyFolders.map((folder) => `${folder}/**/*.test.ts`)
const real = ['test/real/**/*.test.ts']

const runFolder = 'test/support/run-folder.ts'
const browser = 'test/support/set-up-browser.ts'
const postgres = 'test/support/set-up-postgres.ts'

export default defineConfig({
  test: {
    // These only end what hangs: on a busy machine, everything takes longer. `test/support/measure-cpu.ts` limits the CPU time.
    testTimeout: isSoak ? 24 * 3_600_000 : 900_000,
    hookTimeout: 900_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 120_000 } },
    // One more than CI has cores: files often wait for a process, a browser or a timer.
    maxWorkers: 3,
    sequence: { sequencer: FileOrder },
    setupFiles: 'test/support/check-leftovers.ts',
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      {
        extends: true,
        // Here and below, files share a process and the modules that it has loaded, so none may change either.
        test: {
          name: 'unit',
          include: all,
          exclude: [...fixtures, ...slowFiles, ...nightly, ...programFiles],
          globalSetup: [runFolder, postgres],
          // Besides that of all projects.
          setupFiles: 'test/support/measure-cpu.ts',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: programFiles,
          exclude: [...fixtures, ...slowFiles],
          globalSetup: [runFolder, postgres],
          setupFiles: 'test/support/measure-cpu.ts',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'push',
          include: pushFiles,
          isolate: false,
          globalSetup: [runFolder, browser, postgres],
        },
      },
      {
        extends: true,
        test: {
          name: 'by-path',
          include: slowFiles,
          exclude: [...fixtures, ...pushFiles, ...nightly],
          isolate: false,
          globalSetup: [runFolder, browser, postgres],
        },
      },
      {
        extends: true,
        test: {
          name: 'nightly',
          include: nightly,
          exclude: real,
          globalSetup: [runFolder, browser, postgres],
        },
      },
      {
        extends: true,
        test: {
          name: 'real',
          include: real,
          globalSetup: [runFolder, browser, 'test/real/install.ts'],
          fileParallelism: false,
        },
      },
    ],
  },
})
