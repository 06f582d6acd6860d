import { expect, test } from 'vitest'
import { runInFolder } from '../../../cli/run-in-folder.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

// What Mintlify's checker (`mint broken-links --check-anchors`, package @mintlify/link-rot 3.0.1387) reports about the links of a page, and what we
// report. It was run on the same files.

const target = `---
title: Target
---

## Twice

## Twice

## Twice

## Step 1

## A & b

## A -- c

## API (v1.0)

## Größe

## Party 🎉

## Own {#own-id}

## snake_case

## \`#include\`

## Order of $\\alpha$ in text

<h2 id="raw">Raw</h2>

<a id="anchor"></a>

<a name="named"></a>

<div id="entity-&#x5F;a">Box</div>

<Accordion title="More info">x</Accordion>

<Steps><Step title="First step">x</Step></Steps>

<ParamField body="limit" type="string">x</ParamField>
`

/** `link`, whether Mintlify's checker accepts it, and the code that we report. */
const rows: readonly (readonly [link: string, mint: 'accepts' | 'reports', ours: string, why?: string])[] = [
  ['/target#twice', 'accepts', ''],
  ['/target#twice-2', 'accepts', ''],
  ['/target#twice-3', 'accepts', '', 'Mintlify numbers from 2, GitHub from 1'],
  ['/target#twice-4', 'reports', 'fragment-unresolved'],
  ['/target#twice-1', 'reports', '', 'the ID on GitHub and on our sites'],
  ['/target#step-1', 'accepts', ''],
  ['/target#step-2', 'reports', 'fragment-unresolved'],
  ['/target#a-&-b', 'accepts', ''],
  ['/target#a--b', 'reports', '', 'the ID on GitHub and on our sites'],
  ['/target#a--c', 'reports', '', 'only the punctuation differs: our sites find it'],
  ['/target#api-v1-0', 'accepts', ''],
  ['/target#api-v10', 'reports', '', 'the ID on GitHub and on our sites'],
  ['/target#größe', 'accepts', ''],
  ['/target#gr%C3%B6%C3%9Fe', 'accepts', ''],
  ['/target#groesse', 'reports', 'fragment-unresolved'],
  ['/target#party-🎉', 'accepts', ''],
  ['/target#own-id', 'accepts', ''],
  ['/target#own', 'reports', 'fragment-unresolved'],
  ['/target#snake_case', 'accepts', ''],
  ['/target##snake_case', 'reports', 'fragment-unresolved'],
  ['/target#%23include', 'accepts', ''],
  ['/target#include', 'reports', '', 'the ID on GitHub and on our sites'],
  ['/target#order-of-in-text', 'accepts', ''],
  ['/target#order-of-alpha-in-text', 'reports', 'fragment-unresolved'],
  ['/target#anchor', 'accepts', ''],
  ['/target#raw', 'reports', '', 'browsers find it'],
  ['/target#named', 'reports', '', 'browsers find it'],
  ['/target#entity-_a', 'reports', '', 'browsers find it'],
  ['/target#more-info', 'reports', '', 'the component has this ID'],
  ['/target#first-step', 'reports', '', 'the component has this ID'],
  ['/target#body-limit', 'reports', '', 'the component has this ID'],
  ['/target#top', 'reports', '', 'browsers find it'],
  ['/guides', 'accepts', 'link-to-directory', 'information, no warning'],
  ['/guides/#part', 'accepts', 'link-to-directory', 'information, no warning'],
  ['/old-directory', 'accepts', ''],
  ['/images', 'accepts', 'link-unresolved', 'it has no page that could open'],
  ['/images/logo', 'accepts', 'asset-missing', 'browsers do not find it'],
  ['/images/logo.png', 'accepts', ''],
  ['/images/none.png', 'reports', 'asset-missing'],
  ['/old', 'accepts', ''],
  ['/gone', 'reports', 'link-unresolved'],
  ['/Target', 'reports', 'link-unresolved'],
  ['/target.mdx', 'accepts', ''],
  ['./target?x=1', 'accepts', ''],
]

const files = {
  'docs.json': JSON.stringify({
    name: 'Shop',
    theme: 'mint',
    colors: { primary: '#2548C4' },
    navigation: { pages: ['index', 'target', 'guides/first'] },
    redirects: [
      { source: '/old', destination: '/guides/first' },
      { source: '/old-directory', destination: '/guides/first' },
    ],
  }),
  'index.mdx': `---\ntitle: Start\n---\n\n${rows.map(([link]) => `[x](<${link}>)`).join('\n\n')}\n`,
  'target.mdx': target,
  'guides/first.mdx': '---\ntitle: First\n---\n',
  'images/logo.png': Buffer.from('89504e470d0a1a0a', 'hex'),
}

test('reports the links that Mintlify reports, except those that work', async () => {
  const { stdout } = await runInFolder(makeTemporaryFolder(files), ['check', '.', '--format', 'unix'])
  const codes = new Map(
    Array.from(stdout.matchAll(/^index\.mdx:(\d+):.*\/([\w-]+)\]$/gm), ([, line, code]) => [Number(line), code]),
  )
  expect(rows.map(([link], index) => [link, codes.get(5 + 2 * index) ?? ''])).toEqual(rows.map(([link, , ours]) => [link, ours]))
  // Whatever differs has a reason.
  expect(rows.filter(([, mint, ours, why]) => why === undefined && (mint === 'reports') !== (ours !== ''))).toEqual([])
})
