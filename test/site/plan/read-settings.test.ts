import { expect, test } from 'vitest'
import { readSettings } from '../../../src/site/plan/read-settings.ts'

test.each([
  ['its label', { label: 'Chat', icon: 'discord', href: 'https://discord.gg/x' }, 'Chat'],
  ['the service if there is only an icon', { label: '', icon: 'discord', href: 'https://discord.gg/x' }, 'Discord'],
  ['the service of its type', { type: 'github', href: 'https://github.com/a/b' }, 'GitHub'],
  ['its host', { icon: 'arrow-right', href: 'https://www.example.com/a?b' }, 'example.com'],
  ['its path', { href: '/start' }, '/start'],
])('a navbar link is named after %s', (_name, link, label) => {
  expect(readSettings({ navbar: { links: [link] } }).navbar.links.map((one) => one.label)).toEqual([label])
})
