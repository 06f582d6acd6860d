import { beforeAll, describe, expect, test } from 'vitest'
import { loadLanguages } from '../../../../src/site/render/code/highlight.ts'
import { componentNames } from '../../../../src/site/render/components/components.tsx'
import { renderMdx } from '../render-mdx.ts'
import { componentSupport, type PropertySupport } from './supported-properties.ts'

beforeAll(() => loadLanguages(['js', 'ts']))

describe.each(componentSupport)('$title', ({ properties }) => {
  test.each(properties)('$name is $support', ({ support, page, shows }) => {
    const without = renderMdx(`${page.replace(/‹[^›]*›/g, '')}\n`)
    const used = renderMdx(`${page.replace(/[‹›]/g, '')}\n`)
    expect([...used.findings, ...without.findings]).toEqual([])
    // The mark must contain the property.
    expect(page).toMatch(/‹[^›]+›/)
    if (shows === undefined) expect(used.html + used.styles).toBe(without.html + without.styles)
    else {
      expect(used.html + used.styles).not.toBe(without.html + without.styles)
      expect(used.html).toContain(shows)
      if (shows !== '' && !used.html.startsWith(without.html)) expect(without.html).not.toContain(shows)
    }
    if (support === 'ignored') expect(shows).toBeUndefined()
  })
})

test('covers every component', () => {
  expect(componentSupport.flatMap(({ names }) => names).sort()).toEqual([...componentNames].sort())
})

test('explains every difference', () => {
  const silent = componentSupport.flatMap(({ title, properties }) =>
    properties.filter(({ support, note }) => support !== 'rendered' && note === undefined).map(({ name }) => `${title} ${name}`),
  )
  expect(silent).toEqual([])
})

test('`docs/components.md` has the same rows', async () => {
  // To update it, run `npx vitest run test/site/render/components -u=all`.
  await expect(renderPage()).toMatchFileSnapshot('../../../../docs/components.md')
})

function renderPage(): string {
  const sections = componentSupport
    .filter(({ properties }) => properties.length > 0)
    .map(({ title, names, properties }) => {
      const heading = names.map((name) => `\`<${name}>\``).join(' ')
      return `## ${title}\n\n${heading}\n\n${toSupport(properties)}`
    })
  return `${introduction}\n${sections.join('\n\n')}\n`
}

/** One line with what needs no note, and a table with the rest. The introduction explains `iconType` for all components. */
function toSupport(all: readonly PropertySupport[]): string {
  const rows = all.filter(({ name }) => name !== 'iconType')
  const plain = rows.filter(({ note }) => note === undefined).map(({ name }) => `\`${name}\``)
  const noted = rows.flatMap(({ name, support, note }) => (note === undefined ? [] : `| \`${name}\` | ${support} | ${note} |`))
  const table = noted.length === 0 ? [] : [['| Property | Support | Note |', '| --- | --- | --- |', ...noted].join('\n')]
  return [...(plain.length === 0 ? [] : [`Rendered: ${plain.join(', ')}`]), ...table].join('\n\n')
}

const introduction = `---
title: Supported components
description: The components of Mintlify and their properties that a site renders, renders differently, or ignores
---

A site built with [\`openapi-pages build\`](site.md) supports Mintlify's components. Each property below has a test, and this page is written from these tests.
[Keys of \`docs.json\` and frontmatter](migrating.md#keys-of-docsjson-and-frontmatter) are on another page.

- **rendered**: as in Mintlify.
- **different**: rendered, with the difference in the note.
- **ignored**: no effect, and no diagnostic. The note has the reason.

The properties after "Rendered" need no note. \`iconType\` is always different: styles of Font Awesome Pro become solid or regular.

Properties that are not listed are ignored too. A component that is neither listed nor [your own](site.md#pages) shows its content, and the build reports
[\`unknown-component\`](diagnostics.md#unknown-component). All components work without scripts, except diagrams and the buttons that copy. Without scripts, a diagram shows its source.
`
