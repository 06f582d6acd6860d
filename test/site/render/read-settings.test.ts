import { expect, test } from 'vitest'
import { readSettings } from '../../../src/site/render/read-settings.ts'

test.each([
  ['its label', { label: 'Chat', icon: 'discord', href: 'https://discord.gg/x' }, 'Chat'],
  ['the service, where it is only a drawing', { label: '', icon: 'discord', href: 'https://discord.gg/x' }, 'Discord'],
  ['the service of its type', { type: 'github', href: 'https://github.com/a/b' }, 'GitHub'],
  ['its host', { icon: 'arrow-right', href: 'https://www.example.com/a?b' }, 'example.com'],
  ['its address', { href: '/start' }, '/start'],
])('a link of the bar is called by %s', (_name, link, label) => {
  expect(readSettings({ navbar: { links: [link] } }).navbar.links.map((one) => one.label)).toEqual([label])
})
