import { expect, test } from 'vitest'
import { createTimeLimit } from '../../../src/docs/read/time-limit.ts'
import { runExample } from '../../../src/rules/run/rule-examples.ts'
import { reportValue, toRule } from '../run-rules.ts'

const limit = createTimeLimit(600_000)
const title = toRule('title', { given: '$.info', field: 'title' })

test('applies a rule to a document', async () => {
  expect(await runExample(title, { openapi: '3.1.1', info: {} }, limit)).toEqual({
    kind: 'run',
    problems: [{ message: 'info.title is missing', pointer: '/info' }],
    selectsValue: true,
  })
  const valid = { openapi: '3.1.1', info: { title: 'Pets' } }
  expect(await runExample(title, valid, limit)).toEqual({ kind: 'run', problems: [], selectsValue: true })
})

test('says whether a rule selects a value', async () => {
  expect(await runExample(title, { openapi: '3.1.1' }, limit)).toEqual({ kind: 'run', problems: [], selectsValue: false })
})

test('says why a rule fails', async () => {
  const failing = toRule('failing', {
    given: '$.info',
    run: () => {
      throw new Error('no')
    },
  })
  expect(await runExample(failing, { openapi: '3.1.1', info: {} }, limit)).toEqual({
    kind: 'failed',
    reason: 'Rule `failing` failed in `example.json`: no',
  })
})

test('rejects an example that shared values make too large', async () => {
  let large: unknown = 'text'
  for (let level = 0; level < 40; level++) large = [large, large]
  expect(await runExample(toRule('any', { given: '$', run: reportValue }), { openapi: '3.1.1', large }, limit)).toEqual({
    kind: 'failed',
    reason: 'the example is too large',
  })
})
