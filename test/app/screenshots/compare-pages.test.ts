import { expect, test } from 'vitest'
import { choosePages, planComparison } from '../../../src/app/screenshots/compare-pages.ts'
import type { SiteChanges, UpdateDetails } from '../../../src/store/update-rows.ts'

const page = (kind: 'added' | 'modified' | 'removed', route: string) => ({ kind, route, title: route })
const site: SiteChanges = {
  mainRoute: 'new',
  changedPages: [page('added', 'new'), page('modified', 'b'), page('modified', 'a'), page('modified', 'c'), page('removed', 'd')],
  changedCount: 5,
  beforeSha: 'b'.repeat(40),
}

test('compares the first pages that exist before and after', () => {
  const routesOf = (limit: number, changes = site) => choosePages(changes, limit).map(({ route }) => route)
  expect(routesOf(10)).toEqual(['b', 'a', 'c'])
  expect(routesOf(2)).toEqual(['b', 'a'])
  expect(routesOf(0)).toEqual([])
  const { beforeSha: _none, ...first } = site
  expect(routesOf(10, first)).toEqual([])
})

function plan(given: {
  isOn?: boolean
  limit?: number
  ref?: string
  trigger?: UpdateDetails['trigger']
  changes?: SiteChanges
}) {
  const { isOn = true, limit = 10, ref = 'refs/heads/topic', trigger = 'push', changes = site } = given
  // Only these fields are read.
  const context = { pictures: { isOn }, config: { pictureChangedPages: limit } } as unknown as Parameters<
    typeof planComparison
  >[0]
  const about = { site: changes, commit: { ref }, project: { defaultBranch: 'main' }, trigger }
  return planComparison(context, about as unknown as Parameters<typeof planComparison>[1]).comparison?.state
}

test.each([
  ['a branch', {}, 'awaited'],
  ['a pull request from a fork', { ref: 'refs/pull/4/head', trigger: 'pull_request' }, 'awaited'],
  ['the default branch', { ref: 'refs/heads/main' }, undefined],
  ['a merge queue', { ref: 'refs/heads/gh-readonly-queue/main/pr-1', trigger: 'merge_group' }, undefined],
  ['a server without a browser', { isOn: false }, undefined],
  ['PICTURE_CHANGED_PAGES=0', { limit: 0 }, undefined],
  ['a site with only new pages', { changes: { ...site, changedPages: [page('added', 'new')], changedCount: 1 } }, undefined],
] as const)('plans screenshots for %s: %o', (_name, given, expected) => expect(plan(given)).toBe(expected))
