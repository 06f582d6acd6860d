import { describe, expect, test } from 'vitest'
import type { NumberLimit } from '../../../../src/openapi/schema/json-schema.ts'
import { english, findMessages, loadMessages } from '../../../../src/site/messages/messages.ts'
import { toFactWords, translateLabel, translatePlace, translateType } from '../../../../src/site/page/api/schema-words.ts'

await loadMessages(['de', 'ja'])
const [german, japanese] = [findMessages('de'), findMessages('ja')]

describe('translateType', () => {
  test.each([
    ['string', 'string', 'string'],
    ['array of strings', 'Array aus string', '配列: string'],
    ['array of ', 'Array aus ', '配列: '],
    ['string · date-time or null', 'string · date-time oder null', 'string · date-time または null'],
    ['string, integer or null', 'string, integer oder null', 'string, integer または null'],
    ['map of string to any', 'Map von string auf beliebig', 'マップ: string → 任意の型'],
    ['enum of strings', 'Enum aus string', '列挙型: string'],
    ['list of 2 and more', 'Liste aus 2 und mehr', '2 項目のリスト 以上'],
    ['one of several', 'eines von mehreren', '複数のうちの 1 つ'],
    // The format is a name of the document.
    ['string · any', 'string · any', 'string · any'],
  ])('translates %s', (text, inGerman, inJapanese) => {
    expect([english, german, japanese].map((messages) => translateType(text, messages))).toEqual([text, inGerman, inJapanese])
  })
})

const limit = (value: number, isExclusive = false) => ({ value, written: value, isExclusive })
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
    ['Default', 'Standard'],
    ['With `name`', 'Mit `name`'],
    ['With kind requires', 'Mit kind erforderlich'],
    ['then', 'dann'],
    ['toString', 'toString'],
  ])('translates the label %s', (label, expected) => {
    expect(translateLabel(label, german)).toBe(expected)
    expect(translateLabel(label, english)).toBe(label)
  })

  test.each([
    ['body', 'Body'],
    ['property a.by b', 'Eigenschaft a.by b'],
    ['response 200', 'Antwort 200'],
    ['callback header X-Id', 'Callback Header X-Id'],
    ['the same', 'dasselbe'],
  ])('translates the place %s', (place, expected) => {
    expect(translatePlace(place, german)).toBe(expected)
    expect(translatePlace(place, english)).toBe(place)
  })
})
