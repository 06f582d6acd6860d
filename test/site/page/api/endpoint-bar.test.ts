import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { PlayButton, toPlaygroundDisplay } from '../../../../src/site/page/api/endpoint-bar.tsx'
import { testContext, testPage } from '../test-context.ts'

test.each<[unknown, unknown, string]>([
  [undefined, undefined, 'interactive'],
  ['simple', undefined, 'simple'],
  ['none', undefined, 'none'],
  // Static sites have no sign-in.
  ['auth', undefined, 'simple'],
  ['none', 'interactive', 'interactive'],
  ['interactive', 'auth', 'simple'],
  ['simple', 'unknown', 'simple'],
  ['simple', ['none'], 'simple'],
])('`display: %j` in docs.json and `playground: %j` on the page results in %s', (display, playground, shown) => {
  const page = testPage('a', { frontmatter: playground === undefined ? {} : { playground } })
  expect(toPlaygroundDisplay(page, testContext([page], { api: { playground: { display } } }))).toBe(shown)
})

test('the button has all settings of the playground', () => {
  const site = testContext([], {
    api: { playground: { credentials: true }, examples: { prefill: true, defaults: 'required', languages: ['curl', 'golang'] } },
  })
  const html = renderToString(PlayButton({ site, source: { path: 'api/a "b".openapi.json', generated: {} } }))
  expect(html).toContain('data-slice="/docs/api/a%20%22b%22.openapi.json"')
  expect(html).toContain('data-with-cookies data-prefill="all" data-defaults="required" data-languages="bash go"')
})
