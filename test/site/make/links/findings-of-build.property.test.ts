import { dirname, join } from 'node:path'
import { globSync } from 'tinyglobby'
import { expect, test } from 'vitest'
import type { Diagnostic } from '../../../../src/diagnostics/diagnostic.ts'
import { runCheck } from '../../../../src/docs/check/run-check.ts'
import { runUpdate } from '../../../../src/docs/update/run-update.ts'
import { toOwnPath } from '../../../../src/files/boundary.ts'
import { openDiskFiles } from '../../../../src/files/disk-files.ts'
import type { Files } from '../../../../src/files/files.ts'
import { hashContent } from '../../../../src/files/output-folder.ts'
import { buildSite } from '../../../../src/site/make/build-site.ts'
import { checkLinks } from '../../../../src/site/make/links/scan-links.ts'
import { projectFolder } from '../../../support/action-harness.ts'
import { createMemoryFiles } from '../../../support/memory-files.ts'
import { fc, propertyRuns, seed } from '../../../support/properties.ts'
import { siteAssets } from '../assets/site-assets.ts'

/** The findings of a build that `check` and `ci` do not have, in the same words. Their severity can be lower. */
async function listUnknown(files: Files) {
  const noNetwork = { kind: 'failed', code: 'url-unreachable', reason: 'no network' } as const
  const access = { files, fetchDocument: async () => noNetwork }
  const toText = ({ code, file, message, range: { start }, hint }: Diagnostic) =>
    `${code} ${file}:${start.line}:${start.column} ${message}. ${hint}`
  const options = { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: false }
  const built = (await buildSite(options, access, ({ content }) => hashContent(content))).diagnostics.map(toText)
  const checks = [
    await runCheck({ entries: [''], checkLinks }, access),
    await runUpdate({ root: '' }, access, {}, {}, checkLinks),
  ].map(({ diagnostics }) => new Set(diagnostics.map(toText)))
  return { count: built.length, unknown: built.filter((text) => checks.some((known) => !known.has(text))) }
}

const fixtures = join(projectFolder, 'test/fixtures')
const folders = globSync('**/docs.json', { cwd: fixtures, dot: true }).map(dirname).sort()

// Each docs directory is built in one of eight runs, because all of them take too long.
test('check and ci report what a build reports about a fixture', async () => {
  const all = await Promise.all(
    folders
      .filter((_, index) => propertyRuns(80) > 8 || index % 8 === seed % 8)
      .map(async (folder) => [folder, await listUnknown(openDiskFiles(toOwnPath(join(fixtures, folder))))] as const),
  )
  expect(all.filter(([, { unknown }]) => unknown.length > 0)).toEqual([])
})

const texts = `Answers in <100 ms.|The tuple is {T, H: 1 x}.|<Note>open|\`\`\`js title=foo lines=3 bad\n1\n\`\`\`|<Foo>x</Foo>|<Foo.Bar />|{unknown}
import X from '/snippets/none.mdx'\n\n<X />|import S from '/snippets/s.mdx'\n\n<S />|<Card title="a" icon="nope" bad="1">x</Card>|<Icon icon="zzz" />
<CodeGroup>\n\`\`\`js a icon="nope"\n1\n\`\`\`\n\`\`\`js b\n2\n\`\`\`\n</CodeGroup>|[a](/gone) [b](#none) [c](./p9) [d](/p1#x) ![i](/i.png) [f](/bad.exe)
<script>1</script>|<div style="position:fixed" onclick="x">a</div>|{[1].map((n) => <Foo n={n} />)}|<Tabs><Tab title="a" icon="no-icon">x</Tab></Tabs>|<img src="/bad.svg" />`
const heads = `|icon: nope|icon: /gone.png|boost: x|api: nothing|url: "javascript:1"|openapi: GET /gone|openapi: GET /a|title: [|hidden: true|mode: strange|groups: [a]`
const settings = [
  {
    redirects: [
      { source: '/a/:s', destination: '/a/:s' },
      { source: '/b', destination: '/b2#x' },
      { source: '/b2', destination: '/b' },
    ],
  },
  {
    redirects: [
      { source: '/a/:s*', destination: '/gone/:s*' },
      { source: '/c#d', destination: '/p1' },
      { source: '/p1', destination: '/p0' },
    ],
  },
  { colors: { primary: '#eee', light: 'red' } },
  { logo: '/none.svg', favicon: '/f.ico' },
  { navbar: { links: [{ label: 'x', href: '/gone', icon: 'nope' }] }, footer: { socials: { x: 'y' } } },
  { theme: 'strange', icons: { library: 'other' }, background: 3, unknown: 1 },
  { fonts: { family: 'Comic' }, api: { examples: { languages: ['cobol'] } } },
  { api: { openapi: 'openapi.yaml' }, contextual: { options: ['mcp', 'copy'] } },
  { variables: { a: 'b' }, integrations: { ga4: { measurementId: 'G-1' } }, seo: { metatags: 1 } },
]
const descriptions = `Text.|<script>1</script>|[a](/gone)|[b](./gone/)|{% tag %}|<Note>x|![i](/none.png)|[x](javascript:1)`
const others: readonly Readonly<Record<string, string>>[] = [
  { 'style.css': 'body { position: fixed; background: url(javascript:1) }\n.a { width: expression(1) }' },
  { 'run.js': 'alert(1)' },
  { 'images/bad.svg': '<svg onload="x" />', 'bad.svg': '<svg><script /></svg>' },
  { 'static/x.png': 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n' },
  { 'snippets/s.mdx': '<Foo>\n\n<Card icon="nope2" other />' },
  { '.mintignore': 'p1.mdx\n' },
]
const some = (list: string) => fc.array(fc.constantFrom(...list.split(/[|\n](?=[^\n`12])/)), { maxLength: 3 })
const page = fc.record({ head: fc.constantFrom(...heads.split('|')), body: some(texts) })
const repository = fc.record({
  pages: fc.array(page, { minLength: 1, maxLength: 3 }),
  set: fc.array(fc.constantFrom(...settings), { maxLength: 2 }),
  icon: fc.constantFrom('nope', 'book', '/gone.svg'),
  api: fc.constantFrom(...descriptions.split('|')),
  other: fc.subarray([...others]),
})

test('check and ci report what a build reports about a generated repository', async () => {
  const counts: number[] = []
  const run = fc.asyncProperty(repository, async ({ pages, set, icon, api, other }) => {
    const names = pages.map((_, index) => `p${index}`)
    const groups = [
      { group: 'G', icon, pages: [...names, 'missing'] },
      { group: 'A', openapi: 'openapi.yaml' },
    ]
    const operation = { summary: 'A', description: api, responses: { 200: { description: api } }, 'x-mint': { other: 1 } }
    const unknown = await listUnknown(
      createMemoryFiles({
        'docs.json': JSON.stringify(Object.assign({ name: 'N', navigation: { groups } }, ...set)),
        'openapi.yaml': JSON.stringify({
          openapi: '3.1.0',
          info: { title: 'T', version: '1' },
          paths: { '/a': { get: operation } },
        }),
        ...Object.fromEntries(pages.map(({ head, body }, i) => [`p${i}.mdx`, `---\n${head}\n---\n${body.join('\n\n')}\n`])),
        ...Object.assign({}, ...other),
      }),
    )
    counts.push(unknown.count)
    expect(unknown.unknown).toEqual([])
  })
  await fc.assert(run, { numRuns: propertyRuns(500) })
  expect(counts.some((count) => count > 3)).toBe(true)
})
