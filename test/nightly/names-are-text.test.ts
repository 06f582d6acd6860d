import { test } from 'vitest'
import { compareAtRandomPlace, compareEverywhere, compareInLockFile } from '../cli/names-are-text.ts'
import { names } from '../support/member-names.ts'
import { runsOr } from '../support/properties.ts'

test('names of members of objects are ordinary names in every input, for every command', async () => {
  for (let run = 0; run < runsOr(15, 2_000); run++) await compareAtRandomPlace(run)
})

test('names of members of objects are ordinary names in a lock file', async () => {
  for (let run = 0; run < runsOr(8, 500); run++) await compareInLockFile(run)
})

test.each(names)('a document that has %s as all of its names has ordinary names', async (...words) => {
  await compareEverywhere(words)
})
