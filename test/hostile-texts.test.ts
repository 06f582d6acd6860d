import { test } from 'vitest'
import { checkMarkdownOf, checkReport, checkSiteOf, reports } from './hostile-texts.ts'
import { everyHostileText } from './support/hostile-strings.ts'

test.each(reports)('%s has the same shape for every text, and contains it', (_name, read) => checkReport(read))

// A part of the texts, because each has several pages with all components and every field of an operation. test/nightly/hostile-texts.test.ts has all.
const some = everyHostileText.filter((_, index) => index % 25 === 0)

test('a site shows texts as text in every place and every format', () => checkSiteOf(some))

test('the Markdown of a site shows texts as text in every place', () =>
  checkMarkdownOf(['<img src=x onerror=alert(1)>', '[x](javascript:alert(1))', 'a\n\n# heading', 'a ` b', '- &lt;b&gt;']))
