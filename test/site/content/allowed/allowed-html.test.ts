import { expect, test } from 'vitest'
import { toProps } from '../../../../src/script/values/values.ts'
import { cleanElement } from '../../../../src/site/content/allowed/allowed-html.ts'
import { isAllowedUrl } from '../../../../src/text/plain/paths.ts'

const schemes = [
  'http',
  'https',
  'mailto',
  'tel',
  'sms',
  'ftp',
  'irc',
  'xmpp',
  'vscode',
  'javascript',
  'vbscript',
  'blob',
  'file',
]
const urls = [
  ...schemes.flatMap((scheme) => [`${scheme}:a`, `${scheme}://a.example/b`]),
  ...['data:image/png;base64,AAAA', `data:image/png;base64,${'A'.repeat(300_000)}`, 'data:text/html,x', 'data:image/svg+xml,x'],
  ...['/a', 'a', '#a', '?a', '//a.example', '/\\a.example', ' java\nscript:a'],
]

test.each([
  ['a', 'href', 'link'],
  ['blockquote', 'cite', 'link'],
  ['img', 'src', 'media'],
  ['video', 'src', 'media'],
  ['video', 'poster', 'media'],
  ['audio', 'src', 'media'],
] as const)('<%s %s> has the URLs that a site allows, as Markdown does', (name, attribute, use) => {
  const kept = urls.filter((url) => {
    const clean = cleanElement(name, toProps([[attribute, url]]))
    return clean.kind === 'element' && clean.props[attribute] === url
  })
  expect(kept).toEqual(urls.filter((url) => isAllowedUrl(url, use)))
})
