import { expect, test } from 'vitest'
import { isUpdateId, nextUpdateId } from '../../src/status/next-update-id.ts'

const zeros = new Uint8Array(10)
const ones = new Uint8Array(10).fill(255)
const time = Date.parse('2026-11-20T07:15:03.120Z')

test('is a UUID of version 7 with the time in front', () => {
  expect(nextUpdateId(undefined, time, zeros)).toBe('01a1f7cf-0950-7000-8000-000000000000')
  expect(nextUpdateId(undefined, time, ones)).toBe('01a1f7cf-0950-7fff-bfff-ffffffffffff')
  expect(0x01a1f7cf0950).toBe(time)
})

test('is greater than the one before when the clock stands still or goes back', () => {
  const first = nextUpdateId(undefined, time, zeros)
  const second = nextUpdateId(first, time, zeros)
  const third = nextUpdateId(second, time - 5000, ones)
  expect([second, third]).toEqual(['01a1f7cf-0950-7000-8000-000000000001', '01a1f7cf-0950-7000-8000-000000000002'])
  expect(nextUpdateId(third, time + 1, zeros)).toBe('01a1f7cf-0951-7000-8000-000000000000')
})

test('carries over between its parts', () => {
  expect(nextUpdateId('01a1f7cf-0950-7000-bfff-ffffffffffff', time, zeros)).toBe('01a1f7cf-0950-7001-8000-000000000000')
  expect(nextUpdateId('01a1f7cf-0950-7fff-bfff-ffffffffffff', time, zeros)).toBe('01a1f7cf-0951-7000-8000-000000000000')
})

test('a thousand in one millisecond are in order and well-formed', () => {
  let previous: string | undefined
  for (let index = 0; index < 1000; index++) {
    const id = nextUpdateId(previous, time, new Uint8Array(10).fill((index * 37) % 256))
    expect(isUpdateId(id)).toBe(true)
    if (previous) expect(id > previous).toBe(true)
    previous = id
  }
})

test('refuses too little randomness', () => {
  expect(() => nextUpdateId(undefined, time, new Uint8Array(4))).toThrow('expected 10 random bytes')
})

test.each([
  ['x'],
  ['01a1f7cf-0950-4000-8000-000000000000'],
  ['019AA031-5610-7000-8000-000000000000'],
  ['01a1f7cf-0950-7000-8000-0000000000001'],
])('%s is no update id', (text) => expect(isUpdateId(text)).toBe(false))
