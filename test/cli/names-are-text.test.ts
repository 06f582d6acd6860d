import { test } from 'vitest'
import { compareAtRandomPlace, compareEverywhere, compareInLockFile } from './names-are-text.ts'

// `test/nightly/names-are-text.test.ts` has the other names, and more random places.

test('a document that has __proto__ as all of its names has ordinary names', async () => {
  await compareEverywhere(['__proto__', '__protp__'], 'yaml')
})

test('a name of a member of objects is an ordinary name at a random place of an input', async () => {
  await compareAtRandomPlace(0)
})

test('a name of a member of objects is an ordinary name at a random place of the lock file', async () => {
  await compareInLockFile(0)
})
