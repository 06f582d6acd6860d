import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { Html, html, noHtml } from '../../src/site/html.ts'
import { Raw } from '../../src/site/raw.tsx'
import { hostileStrings } from '../support/hostile-strings.ts'

test.each([...hostileStrings, '"', '&amp;', '<', '>', "'", 'é', ''])('writes %j as components do', (text) => {
  expect(html`<a title="-${text}">${text}</a>`.text).toBe(renderToString(h('a', { title: `-${text}` }, text)))
})

test('puts together what it made, and nothing for what is not there', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`)
  expect(html`<ul>${items}</ul>${false}${undefined}${noHtml} ${1}`.text).toBe('<ul><li>a</li><li>&lt;b></li></ul> 1')
  expect(renderToString(h('main', null, h(Raw, { html: html`<b>${'<'}</b>` }), '<'))).toBe('<main><b>&lt;</b>&lt;</main>')
})

test('takes nothing for HTML that only looks like what it makes', () => {
  const forged = JSON.parse('{"text": "<script>"}') as Html // As a document might have it.
  expect(() => html`${forged}`).toThrow()
  expect(html`${new Html('<b>')}`.text).toBe('<b>')
})
