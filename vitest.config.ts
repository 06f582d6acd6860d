import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

const report = process.env['OPENAPI_PAGES_TEST_REPORT']

// Random tests draw the same numbers in every run, so that what passes here passes on the next machine: a change is judged by what it
// changes. `npm run soak`, which runs them often, draws new ones. Workers inherit it.
if (!process.env['OPENAPI_PAGES_SEED']) {
  process.env['OPENAPI_PAGES_SEED'] = process.env['OPENAPI_PAGES_RUNS'] ? String(Date.now() % 1_000_000) : '20261121'
  console.log(`OPENAPI_PAGES_SEED=${process.env['OPENAPI_PAGES_SEED']}`)
}

/**
 * These change their process, start others or a browser, or can tell what others have loaded: languages that code is coloured in, and what
 * V8 has read before. Each has a process of its own.
 */
const alone = [
  'test/*.test.ts',
  'test/**/*.browser.test.ts',
  'test/{builder,e2e,git,site,soak,text}/**/*.test.{ts,tsx}',
  'test/action/{hostile-text,inputs}.test.ts',
  'test/app/{self-hosting,serve}.test.ts',
  'test/app/{commands,run}/**/*.test.ts',
  'test/cli/{create-progress,process,run-compiled}.test.ts',
  'test/github/archive.test.ts',
  'test/store/sqlite-processes.test.ts',
]

export default defineConfig({
  test: {
    exclude: ['test/fixtures/**', 'test/real/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // How long is waited for what is about to come: a second, as it is by default, is short for a browser on a machine that has other work.
    expect: { poll: { timeout: 15_000 } },
    // One more than CI has cores: a quarter of the time a file waits, for a process, a browser or a time that has to pass.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // What needs no process of its own shares one with all that it has loaded.
      { extends: true, test: { name: 'together', include: ['test/**/*.test.{ts,tsx}'], exclude: alone, isolate: false } },
    ],
  },
})
