import { expect, test } from 'vitest'
import { type ChangeCode, type CompareOptions, changeCodes, changeLevels, defaultLevel } from '../../src/changes/change.ts'
import { readExample } from '../../src/cli/commands/explain-command.ts'
import { completeExample } from '../openapi/complete-example.ts'
import { checkFiles } from '../support/check-text.ts'
import { compareDocuments } from './compare-documents.ts'

/** These codes depend on a setting. */
const options: { readonly [code in ChangeCode]?: Partial<CompareOptions> } = {
  'sunset-missing': { deprecationDays: { beta: 90, stable: 180 } },
  'sunset-too-soon': { deprecationDays: { beta: 90, stable: 180 } },
}

test.each(Object.keys(changeCodes) as ChangeCode[])('%s: the example is exactly this change', async (code) => {
  const [base, revision] = [completeExample(readExample(code, '-')), completeExample(readExample(code, '+'))]
  const changes = await compareDocuments(base, revision, options[code])
  const [level] = changeLevels.filter((one) => [defaultLevel(code, 'request'), defaultLevel(code, 'response')].includes(one))
  expect(changes.map((change) => `${change.level} ${change.code}`)).toEqual([`${level} ${code}`])
  for (const text of [base, revision]) {
    const { diagnostics } = await checkFiles({ 'api/openapi': text })
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  }
})
