import { describe, expect, test } from 'vitest'
import type { NumberLimit } from '../../../../src/model/schema.ts'
import { loadMessages } from '../../../../src/site/messages/load-messages.ts'
import { english, findMessages, type Messages } from '../../../../src/site/messages/messages.ts'
import { toFactWords, translateLabel, translatePlace } from '../../../../src/site/page/api/schema-words.ts'
import { toTypeWords } from '../../../../src/site/reference/type-words.ts'
import type { TypePart, UsePlace } from '../../../../src/site/reference/types.ts'

await loadMessages(['de', 'ja'])
const [german, japanese] = [findMessages('de'), findMessages('ja')]

describe('toTypeWords', () => {
  const word = (name: 'any' | 'or' | 'one of several'): TypePart => ({ kind: 'word', word: name })
  const text = (name: string): TypePart => ({ kind: 'text', text: name })
  test.each<[TypePart[], string, string, string]>([
    [[text('string')], 'string', 'string', 'string'],
    [[{ kind: 'arrayOf' }, { kind: 'plural', type: 'string' }], 'array of strings', 'Array aus string', '配列: string'],
    [
      [text('string · date-time'), word('or'), text('null')],
      'string · date-time or null',
      'string · date-time oder null',
      'string · date-time または null',
    ],
    [[{ kind: 'mapTo' }, word('any')], 'map of string to any', 'Map von string auf beliebig', 'マップ: string → 任意の型'],
    [[{ kind: 'enumOf', type: 'string' }], 'enum of strings', 'Enum aus string', '列挙型: string'],
    [[{ kind: 'listOf', count: 2, isOpen: true }], 'list of 2 and more', 'Liste aus 2 und mehr', '2 項目のリスト 以上'],
    [[word('one of several')], 'one of several', 'eines von mehreren', '複数のうちの 1 つ'],
    // Names of the document that are words, too.
    [
      [text('string · any'), text(' · '), { kind: 'schema', target: { name: 'strings' } }],
      'string · any · strings',
      'string · any · strings',
      'string · any · strings',
    ],
  ])('writes %j as %s', (parts, ...expected) => {
    const write = (messages: Messages) => parts.map((part) => toTypeWords(part, messages)).join('')
    expect([english, german, japanese].map(write)).toEqual(expected)
  })
})

const limit = (value: number, isExclusive = false) => ({ written: value, isExclusive })
const count = (unit: 'characters' | 'items' | 'matches', min?: number, max?: number) =>
  ({ kind: 'count', unit, min, max }) as const
const interval = (min?: NumberLimit, max?: NumberLimit) => ({ kind: 'interval', min, max }) as const

describe('toFactWords', () => {
  test.each([
    [count('characters', 1), 'At least 1 character', 'Mindestens 1 Zeichen', '1 文字以上'],
    [count('characters', 1, 10_000), '1–10,000 characters', '1–10.000 Zeichen', '1–10,000 文字'],
    [count('items', 3, 3), '3 items', '3 Elemente', '3 項目'],
    [count('matches', undefined, 2), 'At most 2 matches', 'Höchstens 2 Treffer', '2 件の一致以下'],
    [interval(limit(0.5), limit(12_000)), '0.5 to 12,000', '0.5 bis 12.000', '0.5～12,000'],
    [interval(limit(0, true), limit(9)), 'More than 0, at most 9', 'Mehr als 0, höchstens 9', '0 より大きい、9以下'],
    [interval(limit(20_000.0625)), 'At least 20,000.0625', 'Mindestens 20.000,0625', '20,000.0625以上'],
    [interval(limit(-1), limit(-1)), 'Exactly -1', 'Genau -1', 'ちょうど -1'],
    [{ kind: 'multipleOf', value: '0.01' }, 'A multiple of 0.01', 'Ein Vielfaches von 0.01', '0.01 の倍数'],
    [
      { kind: 'words', text: 'Most clients set this header' },
      'Most clients set this header',
      'Die meisten Clients setzen diesen Header selbst',
      'ほとんどのクライアントはこのヘッダーを自動的に設定します',
    ],
    [{ kind: 'words', text: 'Unique items' }, 'Unique items', 'Eindeutige Elemente', '項目の重複なし'],
  ] as const)('writes %j as %s', (fact, ...expected) => {
    expect([english, german, japanese].map((messages) => toFactWords(fact, messages))).toEqual(expected)
  })
})

describe('translateLabel and translatePlace', () => {
  test.each([
    [{ label: 'Default' }, 'Default', 'Standard'],
    [{ label: 'With', key: 'name' }, 'With `name`', 'Mit `name`'],
    [{ label: 'Requires', key: 'a' }, 'With a requires', 'Mit a erforderlich'],
    [{ label: 'then' }, 'then', 'dann'],
    [{ label: 'toString' }, 'toString', 'toString'],
  ])('translates the label %j', (label, inEnglish, inGerman) => {
    expect([english, german].map((messages) => translateLabel(label, messages))).toEqual([inEnglish, inGerman])
  })

  test.each<[UsePlace, string, string]>([
    [{ kind: 'word', name: 'body' }, 'body', 'Body'],
    [{ kind: 'property', name: 'a.by b' }, 'property a.by b', 'Eigenschaft a.by b'],
    [{ kind: 'response', name: '200' }, 'response 200', 'Antwort 200'],
    [{ kind: 'header', name: 'X-Id', isCallback: true }, 'callback header X-Id', 'Callback Header X-Id'],
    [{ kind: 'word', name: 'the same' }, 'the same', 'dasselbe'],
  ])('translates the place %j', (place, inEnglish, inGerman) => {
    expect([english, german].map((messages) => translatePlace(place, messages))).toEqual([inEnglish, inGerman])
  })
})
