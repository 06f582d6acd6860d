/** @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { renderLines, renderSample } from '../../../../src/site/page/code/code-block.tsx'
import type { LineMarks } from '../../../../src/site/page/code/code-meta.ts'
import type { CodeToken } from '../../../../src/site/page/code/highlight.ts'
import { hostileStrings } from '../../../support/hostile-strings.ts'

test('renders the same HTML as components, even for hostile code', () => {
  const lines: CodeToken[][] = hostileStrings.map((text) => [
    { text, kind: 's' },
    { text, kind: undefined },
  ])
  const expected = lines.map((line) => line.map(({ text, kind }) => (kind === undefined ? text : <i>{text}</i>)))
  const render = (marks: LineMarks, hasNumbers: boolean) => renderLines(lines, marks, hasNumbers)
  expect(`<code>${render(new Map(), false)}</code>`).toBe(
    renderToString(<code>{expected.map((line, index) => [index === 0 ? '' : '\n', line])}</code>),
  )
  expect(`<code>${render(new Map([[2, 'hl']]), true)}</code>`).toBe(
    renderToString(
      <code>
        {expected.map((line, index) => [index === 0 ? '' : '\n', <span class={index === 1 ? 'hl' : 'nl'}>{line}</span>])}
      </code>,
    ),
  )
})

test.each([
  ["curl -X POST -g 'https://api.example.com/v1/{pet id}' \\", "'https://api.example.com|/v1|/{pet id}' \\"],
  ['curl https://api.example.com/v1/pets', 'https://api.example.com|/v1|/pets'],
  ["{\n  printf %b 'a/b\n'\n} | curl -X POST https://api.example.com/v1", undefined],
])('the URL of %j is a box that breaks before a step of its path', (start, url) => {
  const sample = `${start}\n  -H 'Accept: application/json'`
  const html = renderSample(sample, 'bash')
  const box = /<bdi>(.*)<\/bdi>/s.exec(html)?.[1]
  expect(box?.replaceAll('<wbr>', '|').replaceAll(/<[^>]*>/g, '')).toBe(url)
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(sample)
})
