import { describe, expect, test } from 'vitest'
import { joinDescription, splitSummary, toPlainText, toReadableName, toWordsOfId } from '../../../src/openapi/read/titles.ts'

const long = 'words and more words and more words and more words and more words and more words'

describe('titles from summaries', () => {
  test.each<[string, string, string | undefined]>([
    // Short summaries.
    ['List pets', 'List pets', undefined],
    ['  Deletes a pet.\n', 'Deletes a pet', undefined],
    ['Add `pets`, **fast** and _free_ with [care](/care)', 'Add pets, fast and free with care', undefined],
    ['Create a_pet_now and 2*3*4', 'Create a_pet_now and 2*3*4', undefined],
    ['Loading...', 'Loading...', undefined],
    ['Get cats, dogs, etc.', 'Get cats, dogs, etc.', undefined],
    ['Get a pet', 'Get a pet', undefined],
    ['Is it <b>a</b> List<String> &amp; more?', 'Is it a List<String> & more?', undefined],
    // The first sentence.
    ['Get a pet. Not a plant.', 'Get a pet', 'Not a plant.'],
    [`Get a pet. It has ${long}.`, 'Get a pet', `It has ${long}.`],
    ['Get info.\n\n[Learn more](/docs)\n', 'Get info', '[Learn more](/docs)'],
    [`Use e.g. a cat, v1.2 or \`a. b\` here! Then ${long}`, 'Use e.g. a cat, v1.2 or a. b here!', `Then ${long}`],
    [`List **all of them.** Then ${long}`, 'List all of them', `Then ${long}`],
    [`See [the docs. All](/a.b) of it. ${long}`, 'See the docs. All of it', long],
    // Notes are not titles.
    [
      '**NOTE:** This needs an [admin key](../keys).\n\nShare models with others.\n',
      'Share models with others',
      '**NOTE:** This needs an [admin key](../keys).\n\nShare models with others.',
    ],
    [
      '**New here?** Try [it](/x).\n\n---\n\nCreates a response. Learn more.',
      'Creates a response',
      '**New here?** Try [it](/x).\n\n---\n\nCreates a response. Learn more.',
    ],
    ['**Only a note:** nothing else.\n\n> Quoted.', 'Only a note: nothing else', '> Quoted.'],
    // A sentence that is too long.
    [
      'Lists the available models, and provides basic information about each one such as the owner and availability.',
      'Lists the available models',
      'Lists the available models, and provides basic information about each one such as the owner and availability.',
    ],
    [
      `Get a report of the whole year (also known, as YR or ${long}`,
      'Get a report of the whole year',
      `Get a report of the whole year (also known, as YR or ${long}`,
    ],
    [
      `Get a report of the whole year (with ${long})`,
      'Get a report of the whole year',
      `Get a report of the whole year (with ${long})`,
    ],
    [
      'Add a repository to the list of repositories allowed to use self-hosted runners in an organization',
      'Add a repository to the list of repositories allowed to use self-hosted runners…',
      'Add a repository to the list of repositories allowed to use self-hosted runners in an organization',
    ],
    [
      'Creates an edited or extended image given one or more source images and a prompt for it.',
      'Creates an edited or extended image given one or more source images…',
      'Creates an edited or extended image given one or more source images and a prompt for it.',
    ],
    ['a'.repeat(100), `${'a'.repeat(79)}…`, 'a'.repeat(100)],
  ])('%j', (summary, title, rest) => {
    expect(splitSummary(summary)).toEqual({ title, rest })
    expect(title.length).toBeLessThanOrEqual(80)
  })

  test('reads a very long summary in little time', () => {
    for (const text of ['[', '**', '`', '. ', '(', '_a ', '<b ', '![](']) {
      const { title } = splitSummary(text.repeat(200_000))
      expect(title.length).toBeLessThanOrEqual(80)
    }
  })
})

test.each<[string | undefined, string | undefined, string | undefined]>([
  [undefined, 'All of them.', 'All of them.'],
  ['List pets', undefined, undefined],
  [`Get it. ${long}.`, undefined, `${long}.`],
  [`Get it. ${long}.`, 'More.', `${long}.\n\nMore.`],
  // The description repeats the summary.
  [`Get it. ${long}.`, `Get it.\n${long}. More.`, `Get it.\n${long}. More.`],
  [`Get it. ${long}.`, ' ', `${long}.`],
])('the description has the rest of the summary %j before %j', (summary, description, expected) => {
  expect(joinDescription(summary, description)).toBe(expected)
})

test.each([
  ['list_auto_moderation_rules', 'List auto moderation rules'],
  ['pets.list', 'Pets list'],
  ['GetUserByID', 'Get user by ID'],
  ['createSSHKeys2', 'Create SSH keys2'],
  ['get-oauth-token', 'Get OAuth token'],
  ['HTTPServerGet', 'HTTP server get'],
  ['getCoreV1APIResources', 'Get core v1 API resources'],
  ['42', undefined],
])('the operationId %s in words', (operationId, expected) => expect(toWordsOfId(operationId)).toBe(expected))

test.each([
  ['code-scanning', 'Code scanning'],
  ['oauth', 'OAuth'],
  ['oauth2', 'OAuth2'],
  ['skus', 'SKUs'],
  ['Pet Store', 'Pet Store'],
  ['myTag', 'MyTag'],
])('the name %s as a label', (name, expected) => expect(toReadableName(name)).toBe(expected))

test.each([
  ['![logo](a.png "t") <https://a.test>', 'logo https://a.test'],
  ['[a][b] \\*c\\* ~~d~~', 'a *c* d'],
  ['# Heading\n> quote', 'Heading quote'],
  ['[a](b_(c))', 'a'],
])('%j in plain text', (markdown, expected) => expect(toPlainText(markdown)).toBe(expected))
