import { expect, test } from 'vitest'
import { type ReportedSite, siteSections } from '../../../src/github/report/feedback.ts'
import { fitSections } from '../../../src/github/report/markdown.ts'

const url = 'https://acme--4f2a91c01234.sites.test/'
const render = (site: ReportedSite | undefined, limit = 10_000) => fitSections(siteSections(site), limit)
const page = (name: string) => ({ kind: 'modified' as const, title: name, url: `${url}${name}/` })

test('shows nothing without a site, and one line without changes', () => {
  expect(render(undefined)).toBe('')
  expect(render({ url, changedPages: [], changedCount: 0 })).toBe(`**Preview:** [acme--4f2a91c01234.sites.test](${url})`)
})

test('names a few pages and escapes their titles', () => {
  const gone = { kind: 'removed' as const, title: '/old' }
  const text = render({ url, changedPages: [page('[x](http://evil.test)'), gone], changedCount: 2 })
  expect(text).toContain('· changed: [\\[x\\]\\(http')
  expect(text).not.toContain('](http://evil.test)')
  expect(text).toContain(', /old')
})

test('folds more pages, each with its link, within the limit', () => {
  const changedPages = Array.from({ length: 60 }, (_, index) => page(`page-${index}`))
  const site = { url, changedPages, changedCount: 200 }
  expect(render(site)).toContain(`| ~ | [page-59](${url}page-59/) |`)
  expect(render(site)).toContain('… and 140 more pages')
  expect(render(site, 1_000).length).toBeLessThanOrEqual(1_000)
})

test('shows the screenshot in the reader’s theme, linked to its page', () => {
  const pictures = { light: 'https://app.test/l.png', dark: 'https://app.test/d.png?"><script>', pageUrl: `${url}api/` }
  const text = render({ url, screenshots: pictures, changedPages: [], changedCount: 0 })
  expect(text).toContain(
    `<a href="${url}api/"><picture><source media="(prefers-color-scheme: dark)" srcset="https://app.test/d.png?`,
  )
  expect(text).toContain('<img src="https://app.test/l.png" width="640" alt="')
  expect(text).not.toContain('<script>')
  const wrong = { ...pictures, light: 'javascript:alert(1)' }
  expect(render({ url, screenshots: wrong, changedPages: [], changedCount: 0 })).not.toContain('<picture>')
})
