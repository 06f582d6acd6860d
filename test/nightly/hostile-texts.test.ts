import { describe, test } from 'vitest'
import { checkMarkdownOf, checkSiteOf } from '../hostile-texts.ts'
import { everyHostileText } from '../support/hostile-strings.ts'

// All texts of which test/hostile-texts.test.ts has a part, five on each site.
const size = 5
const groups = Array.from({ length: Math.ceil(everyHostileText.length / size) }, (_, index) =>
  everyHostileText.slice(index * size, (index + 1) * size),
)

describe.each(groups.map((texts, index) => ({ texts, first: index * size })))('texts from $first', ({ texts }) => {
  test('a site shows them as text in every place and every format', () => checkSiteOf(texts))

  test('the Markdown of a site shows them as text in every place', () => checkMarkdownOf(texts))
})
