import { expect, test } from 'vitest'
import { filterDocument } from '../../../src/openapi/public/filter-description.ts'
import { type FilterRules, noGroups } from '../../../src/openapi/public/restriction-marks.ts'
import { checkValue } from '../../support/check-text.ts'
import { makeMarkedDocument, type Part } from '../../support/marked-document.ts'

test.each<[string, Part, FilterRules]>([
  ['x-mint.groups', { 'x-mint': { groups: ['admin'] } }, { restricted: noGroups }],
  ['x-internal', { 'x-internal': true }, { internal: true }],
])('nothing of random parts with %s is left, and everything else is', async (_name, mark, rules) => {
  for (let seed = 1; seed <= 60; seed++) {
    const { document, open } = makeMarkedDocument(seed, mark)
    const { value, leftovers } = filterDocument(document, rules)
    const text = JSON.stringify(value)
    expect(text.match(/.{0,60}hush\w*/)?.[0], `seed ${seed}`).toBeUndefined()
    expect(
      open.filter((name) => !text.includes(name)),
      `seed ${seed}`,
    ).toEqual([])
    expect(leftovers).toEqual([])
    const errors = (await checkValue(value)).findings.filter(({ code }) => /reference|link-target|schema|security/.test(code))
    expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([])
    // Nothing is left to remove, and a document without such parts stays the same value.
    expect(filterDocument(value, rules).value).toBe(value)
  }
})
