import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadMessages } from '../../../src/site/messages/load-messages.ts'
import type { Message } from '../../../src/site/messages/messages.ts'
import { english, findMessages, type Messages } from '../../../src/site/messages/messages.ts'

/** The messages by path, such as `client.page.copied`. */
function listMessages(value: object, path: readonly string[] = []): (readonly [path: string, message: Message])[] {
  return Object.entries(value).flatMap(([key, inner]: [string, Message | object]) => {
    const isMessage = typeof inner === 'string' || 'other' in inner
    return isMessage ? [[[...path, key].join('.'), inner] as const] : listMessages(inner, [...path, key])
  })
}

const formsOf = (message: Message): Readonly<Record<string, string>> =>
  typeof message === 'string' ? { other: message } : { ...message }

const placeholdersOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()

const withoutPlaceholders = (text: string) => text.replace(/\{\w+\}/g, '')

/** Words that a language has in common with English. */
const sameByPurpose: Readonly<Record<string, readonly string[]>> = {
  de: [
    ...[
      'Banner',
      'Body',
      'Callbacks',
      'Code',
      'Code {number}',
      'Code:',
      'Cookies',
      'Details',
      'Format',
      'Info',
      'Links',
      'Navigation:',
    ],
    ...['Prompt', 'Schemas', 'Server', 'Tab {number}', 'Tabs', 'Version', 'Version {version}', 'Zoom', 'optional'],
  ],
  fr: [
    ...[
      'Callbacks',
      'Code',
      'Code {number}',
      'Cookies',
      'Danger',
      'Format',
      'Guides',
      'Menu',
      'Pages',
      'Prompt',
      'Section',
      'Sections',
      'Version',
    ],
    ...['Version {version}', 'Zoom', 'callback {place}', 'compatible', 'condition', 'cookie', '{count} pages'],
  ],
  es: ['Callbacks', 'Cookies', 'No', 'Prompt', 'Zoom', 'callback {place}', 'compatible', 'cookie'],
  'pt-BR': ['Banner', 'Callbacks', 'Cookies', 'Links', 'Menu', 'Prompt', 'Zoom', 'callback {place}', 'cookie'],
}

/** The same for the texts of scripts. */
const sameInScripts: Readonly<Record<string, readonly string[]>> = {
  de: [
    ...['Body', 'Body ({type})', 'Bytes', 'Cookies', 'Query', 'Schemas', 'Server', 'Webhooks', 'optional'],
    ...['{size} B', '{size} MB', '{size} kB', '{time} ms', '{time} s'],
  ],
  fr: [...['Cookies', 'Pages', 'Query', 'Total', 'Webhooks', 'query', '{time} ms', '{time} s'], '{width} × {height} pixels'],
  es: ['Cookies', 'Total', 'Webhooks', '{name}, {size} bytes', '{size} B', '{size} MB', '{size} kB', '{time} ms', '{time} s'],
  'pt-BR': ['Cookies', 'Webhooks', '{size} B', '{size} MB', '{size} kB', '{time} ms', '{time} s'],
  ja: ['{size} B', '{size} MB', '{size} kB'],
  'zh-Hans': ['{size} B', '{size} MB', '{size} kB'],
  ko: ['{size} B', '{size} MB', '{size} kB'],
  he: ['Webhooks', '{size} B', '{size} MB', '{size} kB'],
}

const englishMessages = new Map(listMessages(english))

const locales = join(import.meta.dirname, '../../../locales')
const others = readdirSync(locales)
  .filter((name) => name.endsWith('.json') && name !== 'en.json')
  .map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(join(locales, name), 'utf8')) as Messages] as const)
await loadMessages(others.map(([language]) => language))

describe.each(others)('the messages in %s', (language, messages: Messages) => {
  const all = new Map(listMessages(messages))

  test('are found, and have the name of their file', () => {
    expect(messages.language).toBe(language)
    expect(findMessages(language)).toEqual(messages)
  })

  test('are complete', () => {
    expect([...all.keys()]).toEqual([...englishMessages.keys()])
  })

  test('have the placeholders of the English ones', () => {
    const differing = [...englishMessages].flatMap(([path, message]) => {
      const expected = placeholdersOf(formsOf(message)['other'] ?? '')
      const forms = formsOf(all.get(path) ?? '')
      // The form for one or two can be a word instead of the number.
      const isSame = (form: string, text: string) =>
        placeholdersOf(text).join() === expected.filter((name) => name !== '{count}' || /many|few|other/.test(form)).join() ||
        placeholdersOf(text).join() === expected.join()
      return Object.entries(forms).every(([form, text]) => isSame(form, text)) ? [] : [path]
    })
    expect(differing).toEqual([])
  })

  test('have every plural form of the language', () => {
    const rules = new Intl.PluralRules(language)
    const needed = new Set(Array.from({ length: 200 }, (_, count) => rules.select(count + 1)))
    const missing = [...englishMessages].flatMap(([path, message]) => {
      const own = all.get(path) ?? ''
      if (typeof message === 'string') return typeof own === 'string' ? [] : [`${path}: unexpected forms`]
      return [...needed].flatMap((form) => (form in formsOf(own) ? [] : [`${path}: ${form}`]))
    })
    expect(missing).toEqual([])
  })

  test('are translated', () => {
    const same = [...englishMessages].flatMap(([path, message]) => {
      const text = formsOf(message)['other'] ?? ''
      return formsOf(all.get(path) ?? '')['other'] === text && /[a-z]/i.test(withoutPlaceholders(text)) ? [text] : []
    })
    expect([...new Set(same)].sort()).toEqual(
      [...new Set([...(sameByPurpose[language] ?? []), ...(sameInScripts[language] ?? [])])].sort(),
    )
  })
})

describe('findMessages', () => {
  test.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['zh-Hans', 'zh-Hans'],
    ['zh-TW', 'zh-Hans'],
    ['EN-gb', 'en'],
    ['pl', 'en'],
    ['dev', 'en'],
  ])('has for %s those of %s', (language, expected) => {
    expect(findMessages(language).language).toBe(expected)
  })

  test('has ten languages', () => {
    expect(others).toHaveLength(9)
  })
})
