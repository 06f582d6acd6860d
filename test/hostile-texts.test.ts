import { test } from 'vitest'
import { checkReport, checkSiteOf, reports } from './hostile-texts.ts'
import { everyHostileText } from './support/hostile-strings.ts'

test.each(reports)('%s has the same shape for every text, and contains it', (_name, read) => checkReport(read))

// A part of the texts, because each has several pages with all components and every field of an operation.
test('a site shows texts as text in every place and every format', async () => {
  await checkSiteOf(everyHostileText.filter((_, index) => index % 25 === 0))
})
