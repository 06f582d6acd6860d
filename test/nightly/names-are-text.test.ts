import { test } from 'vitest'
import { compareAtRandomPlace, compareEverywhere, names } from '../cli/names-are-text.ts'
import { runsOr } from '../support/properties.ts'

test('names of members of objects are ordinary names in every input, for every command', async () => {
  for (let run = 0; run < runsOr(5, 2_000); run++) await compareAtRandomPlace(run)
})

test.each(names)('a document that has %s as all of its names has ordinary names', async (...words) => {
  await compareEverywhere(words)
})
