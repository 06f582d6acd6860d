import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadLanguages } from '../../../../src/site/page/code/color-lines.ts'
import { componentNames, componentProperties } from '../../../../src/site/page/components/components.tsx'
import { renderMdx } from '../render-mdx.ts'

/** A row of `supported-properties.yaml`, which explains the fields. */
interface PropertySupport {
  readonly name: string
  readonly support: 'rendered' | 'different' | 'reported'
  readonly page: string
  readonly shows?: string
  readonly note?: string
}

interface ComponentSupport {
  /** The heading in the documentation. */
  readonly title: string
  readonly names: readonly string[]
  readonly properties: readonly PropertySupport[]
}

const componentSupport: readonly ComponentSupport[] = parse(
  readFileSync(new URL('supported-properties.yaml', import.meta.url), 'utf8'),
)

beforeAll(() => loadLanguages(['js', 'ts']))

describe.each(componentSupport)('$title', ({ properties }) => {
  test.each(properties)('$name is $support', ({ support, page, shows }) => {
    const without = renderMdx(`${page.replace(/‹[^›]*›/g, '')}\n`)
    const used = renderMdx(`${page.replace(/[‹›]/g, '')}\n`)
    expect(without.findings).toEqual([])
    expect(used.findings.map(({ code }) => code)).toEqual(support === 'reported' ? ['property-not-used'] : [])
    // The mark must contain the property.
    expect(page).toMatch(/‹[^›]+›/)
    if (shows === undefined) expect(used.html + used.styles).toBe(without.html + without.styles)
    else {
      expect(used.html + used.styles).not.toBe(without.html + without.styles)
      expect(used.html).toContain(shows)
      if (shows !== '' && !used.html.startsWith(without.html)) expect(without.html).not.toContain(shows)
    }
    if (support === 'reported') expect(shows).toBeUndefined()
  })
})

test('covers every component', () => {
  expect(componentSupport.flatMap(({ names }) => names).sort()).toEqual([...componentNames].sort())
  expect([...componentProperties.keys()].sort()).toEqual([...componentNames].sort())
})

const styles = ['className', 'class', 'style']
/** Properties of several components, which the rows of one of them test, and `enum`, which only pages of operations show. `<Banner>` is a callout. */
const shared = ['iconType', 'color', 'cols', 'enum']

test('covers every property of a component', () => {
  const missing = [...componentProperties].flatMap(([name, properties]) => {
    const rows = componentSupport.filter(({ names }) => names.includes(name)).flatMap((one) => one.properties)
    const words = new Set(rows.flatMap((row) => `${row.name} ${/‹([^›]*)›/.exec(row.page)?.[1] ?? ''}`.match(/[A-Za-z]+/g) ?? []))
    return properties
      .filter((one) => !words.has(one) && ![...styles, ...shared].includes(one) && name !== 'Banner')
      .map((one) => `${name} ${one}`)
  })
  expect(missing).toEqual([])
})

const styled = [...componentProperties].flatMap(([name, properties]) => (properties.includes('className') ? [name] : []))

test.each(styled)('<%s> has the styles of `className` and `style`', (name) => {
  const page = (style: string) => {
    const element = `<${name} ${style} title="a" href="/other" label="a" name="a" query="a" icon="rocket" repo="a/b">x</${name}>`
    const inside = `<${name} ${style}><Tab title="a">x</Tab></${name}>`
    return renderMdx(`${name === 'Step' ? `<Steps>${element}</Steps>` : name === 'Tabs' ? inside : element}\n`)
  }
  for (const style of ['className="mt-4"', 'class="mt-4"', 'style={{ marginTop: 4 }}'])
    expect(page(style).html.length).toBeGreaterThan(page('').html.length)
})

describe('reports a property without effect', () => {
  const find = (page: string) => renderMdx(page).findings.map(({ message, hint }) => `${message}. ${hint}`)

  test('with the most similar one, or with all', () => {
    expect(find('<Card titel="a">x</Card>\n')).toEqual([
      'Unexpected property `titel` of `<Card>`: it has no effect. Did you mean `title`?',
    ])
    expect(find('<Frame border>x</Frame>\n')).toEqual([
      'Unexpected property `border` of `<Frame>`: it has no effect. Remove it, or use `hint`, `caption`, `className` or `style`',
    ])
    expect(find('<Kbd size="lg">x</Kbd>\n')).toEqual(['Unexpected property `size` of `<Kbd>`: it has no effect. Remove it'])
  })

  test('once, also in properties', () => {
    const page = '<Frame border>a</Frame>\n\n<Card title={<Frame border>b</Frame>} />\n\n<Frame border>c</Frame>\n'
    expect(renderMdx(page).findings.map(({ offsets }) => offsets?.start)).toEqual([0])
  })

  test('unless it asks for nothing', () => {
    expect(find('<Frame border={false} shadow={null} data-test="a" aria-label="b">x</Frame>\n')).toEqual([])
  })

  test('of a code block', () => {
    expect(find('```js a.js foo=1\nlet a\n```\n')).toEqual([
      'Cannot use `foo` of a code block: there is no such option. Remove it, or put the title in quotes',
    ])
  })
})

test('explains every difference', () => {
  const silent = componentSupport.flatMap(({ title, properties }) =>
    properties.filter(({ support, note }) => support !== 'rendered' && note === undefined).map(({ name }) => `${title} ${name}`),
  )
  expect(silent).toEqual([])
})

test('`docs/components.md` has the same rows', async () => {
  // To update it, run `npx vitest run test/site/page/components -u=all`.
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

/** One line with what needs no note, and a list with the rest. The introduction explains `iconType` for all components. */
function toSupport(all: readonly PropertySupport[]): string {
  const rows = all.filter(({ name }) => name !== 'iconType')
  const plain = rows.filter(({ note }) => note === undefined).map(({ name }) => `\`${name}\``)
  const noted = rows.flatMap(({ name, support, note }) => (note === undefined ? [] : `- \`${name}\` (${support}): ${note}`))
  const lists = [plain.length === 0 ? [] : [`Rendered: ${plain.join(', ')}`], noted].filter((lines) => lines.length > 0)
  return lists.map((lines) => lines.join('\n')).join('\n\n')
}

const introduction = `---
title: Supported components
description: The components of Mintlify and their properties that a site renders, renders differently, or reports
---

A [site](site.md) supports Mintlify's components. Each property below has a test.

- **rendered**: as in Mintlify, unless the note says more.
- **different**: rendered, with the difference in the note.
- **reported**: no effect. The note has the reason, and the build reports [\`property-not-used\`](diagnostics.md#property-not-used), as for properties that are not listed.

\`iconType\` is always different: styles of Font Awesome Pro become solid or regular. Most components
also have \`className\` and \`style\`. Classes are those of your [stylesheets](site.md#stylesheets) and many of Tailwind CSS. Others, such as \`hover:\`, have no effect and are not reported.

A component that is neither listed nor [your own](site.md#pages) shows its content, and the build reports
[\`unknown-component\`](diagnostics.md#unknown-component). All components work without scripts, except diagrams, which show their source, and the buttons that copy.
`
