import { expect, test } from 'vitest'
import { describeUnnamedImages } from '../../../src/text/plain/scan-markdown.ts'

/** The first image without alternative text, as written, and the number of others. */
function find(text: string): string {
  const found = describeUnnamedImages(text)
  if (!found) return ''
  const more = /like (\d+) more/.exec(found.message)?.[1]
  return text.slice(found.offsets.start, found.offsets.end) + (more === undefined ? '' : ` +${more}`)
}

test.each([
  ['![](a.png)', '![]'],
  ['![ ](a.png)', '![ ]'],
  ['![][a]\n\n[a]: a.png', '![]'],
  ['Text ![](a.png) and ![](b.png), ![](c.png)', '![] +2'],
  ['<img src="a.png">', '<img src="a.png">'],
  ['<img\n  src="a.png"\n  width={300}\n/>', '<img\n  src="a.png"\n  width={300}\n/>'],
  ['<img style={{ width: "50%" }} src="a.png" />', '<img style={{ width: "50%" }} src="a.png" />'],
  ['<IMG SRC=a.png>', '<IMG SRC=a.png>'],
  ['<img title="an alt = text" src="a>b.png" />', '<img title="an alt = text" src="a>b.png" />'],
  ['<img data-alt="x" />', '<img data-alt="x" />'],
  ['<!-- `a -->![](a.png) `b', '![]'],
  ['{/* `a */}![](a.png) `b', '![]'],
])('finds the image of %j', (text, expected) => expect(find(text)).toBe(expected))

test.each([
  '![A chart](a.png)',
  '[](a.png)',
  '\\![](a.png)',
  'Write `![](a.png)`.',
  '```md\n![](a.png)\n```',
  '<!-- ![](a.png) -->',
  '{/* <img src="a.png" /> */}',
  '<img src="a.png" alt="A chart" />',
  '<img alt={title} src="a.png" />',
  '<img src="a.png" alt="" />',
  '<img src="a.png" alt>',
  '<img src="a.png"alt="A chart">',
  '<img src="a.png" aria-hidden="true" />',
  '<img src="a.png" aria-label="A chart" />',
  '<img src="a.png" role="presentation" />',
  '<img {...props} />',
  '<image src="a.png" />',
  '<img src="a.png" ',
  'a < img',
  '',
])('accepts %j', (text) => expect(find(text)).toBe(''))

test('reads texts with many unfinished elements in time proportional to their length', () => {
  for (const part of ['<img ', '<img "', `<img '"`, '<img {', '![', '<img "" ']) expect(find(part.repeat(200_000))).toBe('')
})
