import { defineConfig } from 'vitest/config'

const report = process.env['OPENAPI_PAGES_TEST_REPORT']

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/fixtures/**', 'test/real/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // How long is waited for what is about to come: a second, as it is by default, is short for a browser on a machine that has other work.
    expect: { poll: { timeout: 15_000 } },
    // The machine of a contributor has few cores; more workers than cores only make the git and bundle tests slower.
    maxWorkers: 2,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
})
