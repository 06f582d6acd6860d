import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { Html, Raw } from '../../../src/site/page/html.tsx'
import { escapeHtml, unescapeHtml } from '../../../src/text/plain/escape-text.ts'
import { hostileStrings } from '../../support/hostile-strings.ts'

test.each([...hostileStrings, '"', '&amp;', '<', '>', "'", 'é', ''])('escapes %j like components do', (text) => {
  const escaped = escapeHtml(text)
  expect(`<a title="-${escaped}">${escaped}</a>`).toBe(renderToString(h('a', { title: `-${text}` }, text)))
  expect(unescapeHtml(escaped)).toBe(text)
})

test('inserts rendered HTML without escaping it again', () => {
  expect(renderToString(h('main', null, h(Raw, { html: new Html('<b>&lt;</b>') }), '<'))).toBe('<main><b>&lt;</b>&lt;</main>')
})
