/** @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { GroupPages, toEntryLabel } from '../../../../src/site/page/shell/group-pages.tsx'
import type { DivisionNode } from '../../../../src/site/plan/types.ts'
import { testContext, testPage } from '../test-context.ts'

function toGroup(count: number) {
  const pages = Array.from({ length: count }, (_, index) => testPage(`schemas/s${index}`))
  const context = testContext(pages)
  const group: DivisionNode = {
    ...context.plan.navigation,
    kind: 'group',
    label: 'Schemas & co',
    children: pages.map(({ route }) => ({ kind: 'page', route }) as const),
  }
  const render = (index: number) => {
    const page = pages[index] ?? testPage('elsewhere')
    return renderToString(
      <GroupPages group={group} context={context} page={{ ...page, trail: [group] }} showGroup={() => null} />,
    )
  }
  return { render }
}

function listed(html: string): { first: string | undefined; last: string | undefined; count: number; current: string[] } {
  const links = Array.from(html.matchAll(/href="\/docs\/schemas\/(\w+)\/"( aria-current="page")?/g))
  const names = links.map(([, name = '']) => name)
  return {
    first: names[0],
    last: names.at(-1),
    count: names.length,
    current: links.flatMap(([, name = '', mark]) => (mark === undefined ? [] : [name])),
  }
}

test('lists the pages of a group and marks the current page', () => {
  const { render } = toGroup(300)
  expect(listed(render(0))).toEqual({ first: 's0', last: 's299', count: 300, current: ['s0'] })
  expect(listed(render(1))).toEqual({ first: 's0', last: 's299', count: 300, current: ['s1'] })
  expect(listed(render(-1)).current).toEqual([])
})

test('lists only the neighbors of a page in a large group, with a link to all pages', () => {
  const { render } = toGroup(1_000)
  expect(listed(render(500))).toEqual({ first: 's450', last: 's550', count: 101, current: ['s500'] })
  expect(listed(render(0))).toEqual({ first: 's0', last: 's50', count: 51, current: ['s0'] })
  expect(listed(render(999))).toEqual({ first: 's949', last: 's999', count: 51, current: ['s999'] })
  expect(listed(render(-1)).count).toBe(51)
  expect(render(500)).toContain('<a href="/docs/search/#part-schemas-co">All 1,000 pages</a>')
})

test.each([
  ['a'.repeat(10), false],
  ['b'.repeat(11), true],
  ['作成と更新', false],
  ['作成と更新と', true],
])('%s is cut after two lines: %s', (label, isLong) => {
  const html = renderToString(<p>{toEntryLabel(label, 10)}</p>)
  expect(html).toBe(isLong ? `<p><span class="cut-2">${label}</span></p>` : `<p>${label}</p>`)
})

test('a label that can break between its words is one element of its row', () => {
  expect(renderToString(<p>{toEntryLabel('MessageReactionCount')}</p>)).toBe(
    '<p><span>Message<wbr/>Reaction<wbr/>Count</span></p>',
  )
})
