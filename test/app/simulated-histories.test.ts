import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { seed } from '../support/properties.ts'
import { createMutants } from '../support/simulation/mutants.ts'
import { type SabotageName, sabotageSource, sabotages } from '../support/simulation/sabotages.ts'
import { simulate } from '../support/simulation/simulate.ts'

/** `test/soak/simulation.test.ts` plays more of them at night. */
const count = 12

test('the app keeps its promises while webhooks are lost, GitHub refuses requests, and processes are killed', async () => {
  const [played] = await simulate({ databaseUrl: undefined, requests: [{ firstSeed: seed, count }] })
  expect(played?.failed.join('\n\n')).toBe('')
  expect(played?.end.histories).toBe(count)
})

test('generated mutants are different programs', () => {
  const mutants = createMutants(seed, 60)
  expect(new Set(mutants.map(({ source }) => source)).size).toBe(60)
  expect(mutants.filter(({ url, source }) => parseSync(url, source, { lang: 'ts' }).errors.length > 0)).toEqual([])
  // Without its `await`, none calls the line before it, which would end every test.
  const dropped = mutants.filter(({ name }) => name.includes('without its await'))
  const isJoined = ({ url, source }: (typeof mutants)[number]) =>
    countStatements(source) !== countStatements(readFileSync(fileURLToPath(url), 'utf8'))
  expect(dropped.filter(isJoined).map(({ name }) => name)).toEqual([])
})

function countStatements(source: string): number {
  const { program } = parseSync('mutant.ts', source, { lang: 'ts' })
  const text = JSON.stringify(program, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  return text.split('Statement"').length
}

test.each(Object.keys(sabotages) as SabotageName[])('the sabotage that %s has its place in the code', (name) => {
  expect(sabotageSource(name).source).not.toBe('')
})
