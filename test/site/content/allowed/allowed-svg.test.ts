import { expect, test } from 'vitest'
import { markdownToNodes } from '../../../../src/site/content/mdx-reader.ts'
import { readMdx, toMarkup } from '../read-mdx.ts'

const markupOf = (text: string) => readMdx(text).markup

test.each([
  [
    'attributes of JSX and of SVG',
    '<svg viewBox="0 0 9 9" width="9" strokeWidth={2} fill-rule="evenodd"><path d="M0 0" strokeLinecap="round" /></svg>',
    '<svg viewBox="0 0 9 9" width="9" stroke-width="2" fill-rule="evenodd"><path d="M0 0" stroke-linecap="round"></path></svg>',
  ],
  [
    'references',
    '<svg width="9"><defs><linearGradient id="a"><stop stopColor="red" /></linearGradient></defs><rect fill="url(#a)" /><use xlinkHref="#b" /><g id="b"><circle r="1" /></g></svg>',
    '<svg width="9"><defs><lineargradient id="svg-a"><stop stop-color="red"></stop></lineargradient></defs><rect fill="url(#svg-a)"></rect><use href="#svg-b"></use><g id="svg-b"><circle r="1"></circle></g></svg>',
  ],
  [
    'filters and texts',
    '<svg width="9"><filter id="f"><feGaussianBlur stdDeviation="2" /></filter><text filter="url(#f)" x="1"><tspan dy="1">a</tspan></text></svg>',
    '<svg width="9"><filter id="svg-f"><fegaussianblur stdDeviation="2"></fegaussianblur></filter><text filter="url(#svg-f)" x="1"><tspan dy="1">a</tspan></text></svg>',
  ],
  [
    'an icon without a size',
    '<svg viewBox="0 0 24 24"><path d="M0 0" /></svg>',
    '<svg viewBox="0 0 24 24" width=24 height=24><path d="M0 0"></path></svg>',
  ],
])('keeps %s', (_name, text, markup) => {
  expect(markupOf(text)).toBe(markup)
})

test('keeps the IDs of drawings apart, and lets a drawing refer to an earlier one', () => {
  const { markup } = readMdx(
    '<svg><symbol id="a"><path d="1" /></symbol></svg>\n\n<svg width="9"><g id="a"><path d="2" /></g><use href="#a" /></svg>\n\n<svg width="8"><use href="#a" /></svg>\n\n<div id="a" />',
  )
  expect(markup).toBe(
    '<svg width=0 height=0 aria-hidden="true"><symbol id="svg-a"><path d="1"></path></symbol></svg>' +
      '<svg width="9"><g id="svg-a-1"><path d="2"></path></g><use href="#svg-a-1"></use></svg>' +
      '<svg width="8"><use href="#svg-a"></use></svg><div id="a"></div>',
  )
})

test('shows a drawing in a property', () => {
  expect(markupOf('<Card icon={<svg width="9"><path id="a" d="M0 0" /></svg>} />')).toBe(
    '<Card icon=(<svg width="9"><path id="svg-a" d="M0 0"></path></svg>)></Card>',
  )
})

test.each([
  ['a drawing with nothing to draw', '<svg viewBox="0 0 24 24"><title>a</title></svg>', []],
  [
    'a reference to another file',
    '<svg viewBox="0 0 24 24"><use href="assets/icons.svg#a"/></svg>',
    ['1:26 refused-html Unsupported `<use>` with `assets/icons.svg#a`: it is not shown'],
  ],
  ['a reference to nothing', '<svg viewBox="0 0 24 24"><use href="#a" /></svg>', []],
])('removes %s', (_name, text, expected) => {
  const { markup, found } = readMdx(text)
  expect(markup).toBe('')
  expect(found).toEqual(expected)
})

test.each([
  '<svg width="9"><rect fill="url(https://evil.example/a.svg#a)" /></svg>',
  '<svg width="9"><rect fill="u\\72l(//evil.example)" clipPath="url(//evil.example#a)" /></svg>',
  '<svg width="9"><rect style="fill:url(//evil.example#a)" filter="url( &quot;//evil.example#a&quot; )" /></svg>',
  '<svg width="9"><rect mask="URL(//evil.example)" marker-start="image-set(\'//evil.example\' 1x)" /></svg>',
  '<svg width="9"><use href="data:image/svg+xml,<svg id=evil.example>" /><rect /></svg>',
  '<svg width="9"><image href="https://evil.example/a.png" /><image xlinkHref="//evil.example/a.png" /></svg>',
  '<svg width="9"><image href="/\\evil.example/a.png" /><image href=" https:evil.example" /></svg>',
  '<svg width="9"><feImage href="https://evil.example" /><rect /></svg>',
  '<svg width="9"><style>{"rect { fill: url(//evil.example) }"}</style><rect onClick="evil.example" onload="evil.example" /></svg>',
  '<svg width="9"><script href="//evil.example" /><foreignObject><p>a</p></foreignObject><rect /></svg>',
  '<svg width="9"><animate attributeName="href" to="javascript:evil.example" /><set to="evil.example" /><rect /></svg>',
  '<svg width="9"><a href="javascript:evil.example"><rect /></a></svg>',
])('removes what could load or run something: %s', (text) => {
  for (const markup of [markupOf(text), markdownToNodes(text).map(toMarkup).join('')]) {
    expect(markup).toContain('<svg')
    expect(markup).not.toMatch(/evil|script|foreign|animate|<set|on\w+=/i)
  }
})

test('limits what references draw', () => {
  expect(markupOf('<svg width="9"><g id="a"><use href="#a" /></g><rect /></svg>')).toBe(
    '<svg width="9"><g id="svg-a"></g><rect></rect></svg>',
  )
  const level = (from: string, to: string) => `<g id="${from}">${`<use href="#${to}" />`.repeat(10)}</g>`
  const names = 'abcdefghij'
  const bomb = [...names].map((name, index) => level(name, names[index + 1] ?? 'end')).join('')
  const { markup } = readMdx(`<svg width="9">${bomb}<g id="end"><rect /></g></svg>`)
  expect(markup).toContain('<rect>')
  expect(markup.match(/<use /g)?.length).toBeLessThan(50)
  const pattern = (from: string, to: string) => `<pattern id="${from}">${`<rect fill="url(#${to})" />`.repeat(10)}</pattern>`
  const patterns = [...names].map((name, index) => pattern(name, names[index + 1] ?? 'end')).join('')
  expect(readMdx(`<svg width="9">${patterns}<rect id="end" /></svg>`).markup.match(/url\(/g)?.length).toBeLessThan(50)
})
