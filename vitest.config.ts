import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/fixtures/**', 'test/real/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The machine of a contributor has few cores; more workers than cores only make the git and bundle tests slower.
    maxWorkers: 2,
  },
})
