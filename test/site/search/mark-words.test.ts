import { describe, expect, test } from 'vitest'
import { cutSnippet, splitAtMatches } from '../../../src/site/search/mark-words.ts'

/** Shows matching words in brackets. */
const mark = (text: string, ...terms: string[]) =>
  splitAtMatches(text, new Set(terms))
    .map((piece, at) => (at % 2 === 1 ? `[${piece}]` : piece))
    .join('')

test.each([
  ['Create a token', ['token'], 'Create a [token]'],
  ['Tokens expire', ['tokens', 'token'], '[Tokens] expire'],
  // Words inside of other words do not match.
  ['This is it', ['is'], 'This [is] it'],
  ['How to store a token', ['to', 'a', 'token'], 'How to store a [token]'],
  ['Send `createdAfter` or created_after', ['created'], 'Send `[created]After` or [created]_after'],
  ['The per_page parameter', ['perpage', 'page'], 'The [per_page] parameter'],
  ['Un café crème', ['cafe'], 'Un [café] crème'],
  ['認証の概要です', ['の概', '概要'], '認証[の概要]です'],
  ['', ['token'], ''],
  ['<b>token</b>', ['token'], '<b>[token]</b>'],
])('marks the matching words of %j', (text, terms, expected) => expect(mark(text, ...terms)).toBe(expected))

describe('a snippet', () => {
  const filler = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ')

  test('is the whole text, if it is short', () =>
    expect(cutSnippet('Create a token.', new Set(['token']))).toBe('Create a token.'))

  test('is the beginning of a text without a match', () => {
    const snippet = cutSnippet(filler(60), new Set(['token']))
    expect(snippet).toMatch(/^word0 word1 .* word\d+ …$/)
    expect(snippet.length).toBeLessThanOrEqual(164)
  })

  test('has words before and after the match', () => {
    const snippet = cutSnippet(`${filler(40)} rotate the token ${filler(40)}`, new Set(['token']))
    expect(snippet).toMatch(/^… word\d+ .*rotate the token word0 .* …$/)
    expect(snippet.length).toBeLessThanOrEqual(164)
  })

  test('has the most matching words', () => {
    const text = `A token. ${filler(40)} Rotate a token every week. ${filler(40)}`
    expect(cutSnippet(text, new Set(['token', 'rotate', 'week']))).toContain('Rotate a token every week')
  })

  test('has few words before the match at the end of a text, too', () => {
    const snippet = cutSnippet(`${filler(40)} the last token.`, new Set(['token']))
    expect(snippet).toMatch(/^… word\d+ .* the last token\.$/)
    expect(snippet.indexOf('token')).toBeLessThan(45)
  })

  test('cuts text without spaces, and no pair of surrogates', () => {
    const snippet = cutSnippet(`${'𠮷'.repeat(150)}認証${'𠮷'.repeat(150)}`, new Set(['認証']))
    expect(snippet).toContain('𠮷')
    expect(snippet.isWellFormed()).toBe(true)
  })
})
