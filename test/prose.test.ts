import { expect, test } from 'vitest'
import { checkProse } from '../scripts/prose-check.ts'
import { exceptions } from '../scripts/prose-rules.ts'

const long = `Word${' word'.repeat(35)}`

test.each([
  ['a paragraph', 'docs/a.md', 'First line.\n\nThe findings follow.', 3],
  ['a table cell', 'docs/a.md', '| a |\n| --- |\n| The findings follow. |', 3],
  ['Markdown after frontmatter', 'docs/a.md', '---\ntitle: findings\n---\nThe findings follow.', 4],
  ['a line comment', 'src/a.ts', 'a()\n// One line.\n// The findings follow.\nb()', 3],
  ['a docstring', 'src/a.ts', '/**\n * The findings\n * follow.\n */\nexport const a = 1', 2],
  ['a message', 'src/a.ts', "const a = 1\nthrow new Error('the findings follow it')", 2],
  ['a template', 'src/a.ts', 'throw new Error(`the $' + '{a({ b: `x $' + '{c}` })} findings follow it`)', 1],
  ['text in JSX', 'src/a.tsx', 'const a = (\n  <p>the findings follow it</p>\n)', 2],
  ['a test title', 'test/a.test.ts', "test('the findings follow it', () => {})", 1],
  ['the title of a table', 'test/a.test.ts', "test.each([1])('the findings follow it', () => {})", 1],
])('finds a term in %s', (_, path, text, line) => {
  expect(checkProse(path, text)).toMatchObject([{ line, message: '"findings": diagnostic; to people: error, warning, problem' }])
})

test.each([
  ['inline code', 'docs/a.md', 'The field `findings` exists.'],
  ['a code block', 'docs/a.md', '```\nthe findings follow it\n```'],
  ['a quotation', 'docs/a.md', 'Avoid "the findings follow it".'],
  ['a part of a word', 'docs/a.md', 'Everyone understands the recommended way.'],
  ['a short string', 'src/a.ts', "const a = 'findings'"],
  ['an expression in a template', 'src/a.ts', `const a = \`this is what \${findings} really means\``],
  ['strings of a test that are no title', 'test/a.test.ts', "expect('the findings follow it').toBe(1)"],
])('ignores %s', (_, path, text) => {
  expect(checkProse(path, text)).toEqual([])
})

test('reports a sentence of more than 35 words', () => {
  expect(checkProse('docs/a.md', `Short one. ${long}.`)).toMatchObject([{ message: '36 words: split the sentence (35 at most)' }])
  expect(checkProse('docs/a.md', `${long.replace(' word word', ' word. Word')}.`)).toEqual([])
})

test('allows at most 20 exceptions', () => {
  expect(exceptions.length).toBeLessThanOrEqual(20)
})
