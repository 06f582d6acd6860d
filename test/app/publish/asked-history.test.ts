import { expect, test } from 'vitest'
import { createAskedHistory } from '../../../src/app/publish/asked-history.ts'

test('asks once for the files of a version, however often it is opened', async () => {
  const asked: unknown[] = []
  const archive = { kept: ['openapi.yaml'], leftOut: [], links: {}, refused: [] }
  const ask = async (question: unknown) => {
    asked.push(question)
    return { kind: 'answered', value: { folder: '/', archive } }
  }
  const { open } = createAskedHistory(ask, { sha: 'b', commitUrl: 'https://github.test/' })
  const files = await Promise.all(['a', 'a', 'c', 'a'].map((sha) => open(sha)))
  expect(asked).toEqual(['a', 'c'].map((sha) => ({ kind: 'open', sha })))
  expect(files[3]).toBe(files[0])
})
