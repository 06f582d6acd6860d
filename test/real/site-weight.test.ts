import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { listPageWeights, weighScripts } from '../../bench/weigh-site.ts'
import { runBin } from '../support/run-bin.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

test('pages of a large description are within the size budgets', { timeout: 300_000 }, async () => {
  const folder = makeTemporaryFolder({
    'openapi.json': readFileSync(join(inject('realModules'), '@octokit/openapi/generated/api.github.com.json'), 'utf8'),
    'openapi-pages.config.yaml': 'schemas: true\n',
    'docs.json': '{"name": "API", "navigation": {"tabs": [{"tab": "API", "openapi": "openapi.json"}]}}',
  })
  const { code } = await runBin(['build', '.', '-o', 'site', '--no-cache', '--quiet'], { cwd: folder })
  expect(code).toBe(0)
  const sizes = listPageWeights(join(folder, 'site'), /^api-reference\/(?!schemas\/)/).map(({ bytes }) => bytes)
  expect(sizes.length).toBeGreaterThan(1_000)
  const median = sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)]
  expect(median).toBeLessThanOrEqual(15_000)
  const { before, form } = weighScripts(join(folder, 'site'))
  expect(before).toBeGreaterThan(1_000)
  expect(before).toBeLessThanOrEqual(5_000)
  expect(form).toBeGreaterThan(before)
  expect(form).toBeLessThanOrEqual(25_000)
})
