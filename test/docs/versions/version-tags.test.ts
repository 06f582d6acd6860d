import { expect, test } from 'vitest'
import { selectVersionTags } from '../../../src/docs/versions/version-tags.ts'

const select = (tags: readonly string[], pattern?: string) =>
  selectVersionTags(
    tags.map((tag) => ({ tag, sha: `commit of ${tag}`, date: '2026-01-01T12:00:00.000Z' })),
    pattern,
  )
    .map(({ name }) => name)
    .join(' ')

test('lists versions with the highest first', () => {
  const tags = ['v1.9.0', 'v1.10.0', 'v2.0.0', 'v1.10.1', 'nightly', 'api-v3.0.0', 'v2.1.0-rc.1', 'v2.0.0-beta.1', '2.0.1']
  expect(select(tags)).toBe('2.1.0-rc.1 2.0.1 2.0.0 1.10.1 1.10.0 1.9.0')
  expect(select(tags, 'api-v*')).toBe('3.0.0')
  expect(select(tags, 'web-*')).toBe('')
  expect(select(['v1', 'v1.0.1', 'v1.0'])).toBe('1.0.1 1.0 1')
})

test('orders pre-releases by number, before their release', () => {
  expect(select(['v2.0.0-rc.2', 'v2.0.0-rc.10', 'v2.0.0-beta.9', 'v1.9.0'])).toBe('2.0.0-rc.10 2.0.0-rc.2 2.0.0-beta.9 1.9.0')
  expect(select(['v2.0.0-rc.2', 'v2.0.0', 'v2.0.0+build.1'])).toBe('2.0.0+build.1 2.0.0')
})

test('lists tags that are dates', () => {
  expect(select(['2024-11-30', '2025-02-01', '2024-12-01', '2024-12-01-2'])).toBe('2025-02-01 2024-12-01-2 2024-12-01 2024-11-30')
})

test('does not depend on the order of the tags', () => {
  const tags = ['v1.0', '1.0', 'v1.00', 'v1.1']
  expect(selectVersionTags(tags.map(toTag), undefined)).toEqual(selectVersionTags(tags.toReversed().map(toTag), undefined))
})

function toTag(tag: string) {
  return { tag, sha: tag, date: '2026-01-01T12:00:00.000Z' }
}
