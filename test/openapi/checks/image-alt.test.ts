import { expect, test } from 'vitest'
import { checkFiles, diagnosticLines } from '../../support/check-text.ts'

const toDocument = (rest: string) => `openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\n${rest}\n`

const linesOf = async (rest: string) =>
  (await diagnosticLines(toDocument(/^paths:/m.test(rest) ? rest : `${rest}\npaths: {}`))).filter((line) =>
    line.includes('image-alt'),
  )

test.each([
  ['a tag', 'tags: [{name: pets, description: "![](pets.png)"}]', 1],
  ['a schema', 'components: {schemas: {Pet: {properties: {value: {description: "<img src=pet.png>"}}}}}', 1],
  ['two descriptions', 'tags: [{name: a, description: "![](a.png)"}, {name: b, description: "![](b.png) ![](c.png)"}]', 2],
  ['an image with text', 'tags: [{name: pets, description: "![Pets](pets.png)"}]', 0],
  ['an example', 'components: {schemas: {Pet: {examples: [{description: "![](pets.png)"}]}}}', 0],
  ['an extension', 'x-pets: {description: "![](pets.png)"}', 0],
  [
    'a summary, which is no Markdown',
    'paths: {/pets: {get: {summary: "![](pets.png)", responses: {"200": {description: ok}}}}}',
    0,
  ],
])('%s: %s has %d', async (_, rest, count) => expect(await linesOf(rest)).toHaveLength(count))

test('names the description and what to do', async () => {
  expect(await linesOf('tags:\n  - name: pets\n    description: |\n      Pets.\n\n      ![](pets.png)')).toEqual([
    expect.stringMatching(/^6:7 info image-alt Image has no alternative text: screen readers cannot describe it/),
  ])
})

test('finds elements in JSON with escaped brackets', async () => {
  const text =
    '{"openapi":"3.1.0","info":{"title":"T","version":"1","description":"\\u003cimg src=\\"a.png\\"\\u003e"},"paths":{}}'
  const { diagnostics } = await checkFiles({ 'openapi.json': text })
  expect(diagnostics.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(['image-alt /info/description'])
})
