import { expect, test } from 'vitest'
import { listPageWeights, weighScripts } from '../../bench/weigh-site.ts'
import { buildGitHubSite } from './github-site.ts'

test('pages of a large description are within the size budgets', async () => {
  const site = await buildGitHubSite()
  const sizes = listPageWeights(site, /^api-reference\/(?!schemas\/)/).map(({ bytes }) => bytes)
  expect(sizes.length).toBeGreaterThan(1_000)
  const median = sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)]
  expect(median).toBeLessThanOrEqual(15_000)
  const { before, form } = weighScripts(site)
  expect(before).toBeGreaterThan(1_000)
  expect(before).toBeLessThanOrEqual(5_000)
  expect(form).toBeGreaterThan(before)
  expect(form).toBeLessThanOrEqual(26_000)
})
