import { expect, test } from 'vitest'
import { openDiskFiles } from '../../../src/files/disk-files.ts'
import { reviewDocs } from '../../../src/site/make/review-site.ts'
import { componentNames } from '../../../src/site/page/components/components.tsx'
import { renderReview } from '../../../src/site/page/review/review-page.tsx'
import { fc, propertyRuns } from '../../support/properties.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

type Version = Readonly<Record<string, string>>

const fetchDocument = () => Promise.reject(new Error('nothing is fetched'))
const toPage = (content: string, more = '') => `---\ntitle: Page\n${more}---\n\n${content}\n`
const toDocs = (...pages: readonly unknown[]) =>
  JSON.stringify({ name: 'P', navigation: { groups: [{ group: 'Start', pages }] } })

/** The review of the guides of two versions: the part of each page by its name, without the navigation if it is the same. */
async function review(base: Version, revision: Version): Promise<ReadonlyMap<string, string>> {
  const toAccess = (files: Version) => ({ files: openDiskFiles(makeTemporaryFolder(files)), fetchDocument })
  const documents = await reviewDocs({ base: '', revision: '' }, { base: toAccess(base), revision: toAccess(revision) })
  const [html = ''] = (renderReview(documents, { accept: '', stylesheet: '' }).get('') ?? '').split('<script>')
  const parts = html.split(/<section class="part" id="page-\d+"><h2><a class="h" href="#page-\d+"> /).slice(1)
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('<')), part.slice(part.indexOf('</h2>'))]))
}

const page = (parts: ReadonlyMap<string, string>, name: string) => parts.get(name) ?? `no ${name} in ${[...parts.keys()]}`

test('marks the changed words of guides, and shows added and removed guides and the navigation', async () => {
  const before = {
    'docs.json': toDocs('index', 'old'),
    'index.mdx': toPage('Buy a small pet.'),
    'old.mdx': toPage('Old.', 'sidebarTitle: Old\n'),
  }
  const after = {
    'docs.json': toDocs('index', 'new'),
    'index.mdx': toPage('Buy a large pet.'),
    'new.mdx': toPage('New.', 'sidebarTitle: New\n'),
  }
  const parts = await review(before, after)
  expect([...parts.keys()].sort()).toEqual(['Navigation', 'index.mdx', 'new.mdx', 'old.mdx'])
  expect(page(parts, 'index.mdx')).toContain('Buy a<del> small</del> pet.')
  expect(page(parts, 'index.mdx')).toContain('Buy a<ins> large</ins> pet.')
  expect(page(parts, 'new.mdx')).toMatch(/Added page.*New\./)
  expect(page(parts, 'old.mdx')).toMatch(/Removed page.*Old\./)
  expect(page(parts, 'Navigation')).toMatch(/Start.*1 unchanged.*<del>.*Start.*1 unchanged.*<ins>/)
})

test('shows a guide whose snippet changed', async () => {
  const docs = { 'docs.json': toDocs('index'), 'index.mdx': toPage('import S from "/snippets/s.mdx"\n\n<S/>') }
  const parts = await review({ ...docs, 'snippets/s.mdx': 'A small pet' }, { ...docs, 'snippets/s.mdx': 'A large pet' })
  expect(page(parts, 'index.mdx')).toContain('A<ins> large</ins> pet')
})

const shown = { 'docs.json': toDocs('index'), 'index.mdx': toPage('Same.') }
const inGroup = (more: object) =>
  JSON.stringify({
    name: 'P',
    navigation: {
      groups: [
        { group: 'Start', pages: ['index'] },
        { group: 'HUSH', pages: ['s'], ...more },
      ],
    },
  })

test.each<[string, Version, Version]>([
  ['hides now', { ...shown, 's.mdx': toPage('HUSH') }, { ...shown, 's.mdx': toPage('HUSH', 'groups: [staff]\n') }],
  ['hid before', { ...shown, 's.mdx': toPage('HUSH', 'groups: [staff]\n') }, shown],
  [
    'hides with its group',
    { ...shown, 's.mdx': toPage('HUSH'), 'docs.json': inGroup({}) },
    { ...shown, 's.mdx': toPage('HUSH'), 'docs.json': inGroup({ public: false }) },
  ],
  [
    'binds to an operation',
    { ...shown, 's.mdx': toPage('HUSH', 'openapi: GET /hush\n') },
    { ...shown, 's.mdx': toPage('HUSH, too', 'openapi: GET /hush\n') },
  ],
])('says nothing about a page that the revision %s', async (_, base, revision) => {
  const parts = await review(base, { ...revision, 'index.mdx': toPage('Other.') })
  expect([...parts.keys()]).toEqual(['index.mdx'])
  expect([...parts.values()].join('')).not.toContain('HUSH')
})

test('compares nothing if a version has no readable docs.json', async () => {
  expect(await review({ 'index.mdx': toPage('A') }, shown)).toEqual(new Map())
  expect(await review(shown, { ...shown, 'docs.json': '{' })).toEqual(new Map())
})

test('reads every component of pages', async () => {
  const toGuide = (word: string) =>
    [...componentNames]
      .map((name) => `<${name} title="T" name="n" tip="Tip" href="/x" icon="star">\n\n${word}\n\n</${name}>`)
      .join('\n\n')
  const files = (word: string) => ({ ...shown, 'index.mdx': toPage(`${toGuide(word)}\n\n\`\`\`js one\n${word}\n\`\`\`\n`) })
  const part = page(await review(files('before'), files('after')), 'index.mdx')
  expect(part.match(/<del>before<\/del>/g)?.length).toBeGreaterThan(30)
  expect(part.match(/<ins>after<\/ins>/g)?.length).toBe(part.match(/<del>before<\/del>/g)?.length)
  expect(part.replaceAll(/<(ins|del)>.*?<\/\1>/g, '')).not.toMatch(/before|after/)
})

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 5 }).map((some) => some.join(' '))
const guide = fc.array(words, { maxLength: 4 }).map((paragraphs) => paragraphs.join('\n\n'))
const guides = fc.uniqueArray(fc.record({ name: fc.constantFrom('p', 'q', 'r'), text: guide }), { selector: ({ name }) => name })
const toFiles = (made: readonly { readonly name: string; readonly text: string }[]): Version => ({
  'docs.json': toDocs('index'),
  'index.mdx': toPage('Same.'),
  ...Object.fromEntries(made.map(({ name, text }) => [`${name}.mdx`, toPage(text)])),
})

test('lists exactly the guides that differ, and marks no word that both versions have in a paragraph', async () => {
  const property = fc.asyncProperty(guides, guides, async (before, after) => {
    const [base, revision] = [toFiles(before), toFiles(after)]
    const parts = await review(base, revision)
    const names = [...new Set([...Object.keys(base), ...Object.keys(revision)])].filter((name) => base[name] !== revision[name])
    expect([...parts.keys()].sort()).toEqual(names.sort())
    for (const html of parts.values()) {
      for (const pair of html.split('<div class="pair">').slice(1)) {
        const [one = [], other = []] = pair
          .split('</div><div>')
          .map((side) => side.replaceAll(/<(ins|del)>.*?<\/\1>|<[^>]*>/g, ' ').match(/\w/g) ?? [])
        expect(one).toEqual(other)
        expect(pair).toMatch(/<(?:ins|del)>/)
      }
    }
  })
  await fc.assert(property, { numRuns: propertyRuns(40) })
})
