import { test } from 'vitest'
import { compareEverywhere } from './names-are-text.ts'

// `test/nightly/names-are-text.test.ts` has the other names, and random places in every input.

test('a document that has __proto__ as all of its names has ordinary names', async () => {
  await compareEverywhere(['__proto__', '__protp__'])
})
