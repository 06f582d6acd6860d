import { describe, expect, test } from 'vitest'
import { findRenames, minRenameSimilarity, rateSimilarity, toShape } from '../../../src/docs/pages/match-locked-pages.ts'

/** `target | summary | group | parameters` */
function shape(line: string) {
  const [target = '', summary = '', group = '', parameters = ''] = line.split('|').map((part) => part.trim())
  return toShape(target, {
    summary: summary || undefined,
    group: group || undefined,
    parameters: parameters.split(' ').filter(Boolean),
  })
}

function rename(gone: readonly string[], fresh: readonly string[]): string[] {
  const side = (lines: readonly string[]) => lines.map((line) => ({ value: line.split(' |')[0], shape: shape(line) }))
  return findRenames(side(gone), side(fresh)).map(([from, to]) => `${from} → ${to}`)
}

describe('detects as a rename', () => {
  test.each([
    ['another path', 'GET /pets | List pets | Pets', 'GET /animals | List pets | Pets'],
    ['another prefix', 'GET /v1/pets/{id} | Get a pet | Pets', 'GET /v2/pets/{petId} | Get a pet | Pets'],
    ['a plural, without words', 'GET /pet', 'GET /pets'],
    ['another summary', 'GET /v1/pets | List pets | Pets', 'GET /v2/pets | List all pets | Pets'],
    ['another method, and the same summary', 'PUT /pets/{id} | Update a pet | Pets', 'PATCH /pets/{id} | Update a pet | Pets'],
    ['another group', 'GET /v1/pets | List pets | Pets', 'GET /v2/pets | List pets | Animals'],
    ['a webhook', 'webhook petAdded | A pet came | Pets', 'webhook pet.added | A pet came | Pets'],
  ])('%s', (_, from, to) => {
    expect(rateSimilarity(shape(from), shape(to))).toBeGreaterThanOrEqual(minRenameSimilarity)
    expect(rateSimilarity(shape(from), shape(to))).toBe(rateSimilarity(shape(to), shape(from)))
    expect(rename([from], [to])).toHaveLength(1)
  })
})

describe('does not detect as a rename', () => {
  test.each([
    ['of two things', 'GET /pets/{id} | Get a pet | API', 'GET /stores/{id} | Get a store | API'],
    ['of one and of many', 'GET /pets | List pets | Pets', 'GET /pets/{id} | Get a pet | Pets'],
    ['of one and of many, without words', 'GET /pets', 'GET /pets/{id}'],
    ['that read and write', 'GET /pets | List pets | Pets', 'POST /pets | Add a pet | Pets'],
    ['that read and delete, without words', 'GET /pets | | Pets', 'DELETE /pets | | Pets'],
    ['of which one is a webhook', 'POST /petAdded | A pet came | Pets', 'webhook petAdded | A pet came | Pets'],
    ['with one group and nothing else', 'GET /a | Alpha | API', 'GET /z | Omega | API'],
  ])('%s', (_, from, to) => {
    expect(rateSimilarity(shape(from), shape(to))).toBeLessThan(minRenameSimilarity)
    expect(rename([from], [to])).toEqual([])
  })
})

test('pairs the most similar first, and each side once', () => {
  expect(
    rename(
      ['GET /v1/pets | List | Pets', 'GET /v1/pets/old | List | Pets'],
      ['GET /v2/pets/old | List | Pets', 'GET /v2/pets | List | Pets', 'GET /v2/pets/older | List | Pets'],
    ).sort(),
  ).toEqual(['GET /v1/pets → GET /v2/pets', 'GET /v1/pets/old → GET /v2/pets/old'])
})

test('pairs nothing if two candidates are equally similar', () => {
  expect(rename(['GET /x | List | A'], ['GET /b | List | A', 'GET /c | List | A'])).toEqual([])
  expect(rename(['GET /b | List | A', 'GET /c | List | A'], ['GET /x | List | A'])).toEqual([])
})

test('takes less than quadratic time', () => {
  const compared = (count: number) => {
    let reads = 0
    const side = (version: string) =>
      Array.from({ length: count }, (_, index) => {
        const made = shape(`GET /${version}/things-${index}/{id} | Get thing ${index} | Things | limit`)
        const get = () => {
          reads++
          return made.pathPairs
        }
        const counted = Object.defineProperty({ ...made }, 'pathPairs', { get })
        return { value: index, shape: counted }
      })
    const renames = findRenames(side('v1'), side('v2'))
    expect(renames.every(([from, to]) => from === to)).toBe(true)
    return { renames: renames.length, reads }
  }
  const few = compared(100)
  const many = compared(1_000)
  expect(few.renames).toBe(100)
  expect(many.renames).toBe(1_000)
  expect(many.reads).toBeLessThan(few.reads * 15)
})
