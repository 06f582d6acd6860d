import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: './install.ts',
    testTimeout: 120_000,
    fileParallelism: false,
    reporters: process.env['OPENAPI_PAGES_TEST_REPORT']
      ? ['default', ['json', { outputFile: process.env['OPENAPI_PAGES_TEST_REPORT'] }]]
      : ['default'],
  },
})
