import { expect, test } from 'vitest'
import { runProgram } from './small-process/run-program.ts'

test('runs programs from another process, with their input and their environment', () => {
  const script = 'process.stdin.on("data", (data) => process.stdout.write(data)); process.stderr.write(process.env.A)'
  const bytes = Buffer.from([0, 255, 10])
  expect(runProgram(process.execPath, ['-e', script], { input: bytes, env: { A: 'a' } })).toEqual(bytes)
  expect(runProgram('pwd', [], { cwd: '/' }).toString()).toBe('/\n')
})

test('reports programs that fail or are missing, and goes on', () => {
  expect(() => runProgram('sh', ['-c', 'echo out; echo wrong >&2; exit 3'])).toThrow(
    expect.objectContaining({ status: 3, stdout: Buffer.from('out\n'), message: expect.stringContaining('wrong') }),
  )
  expect(() => runProgram('no-such-program', [])).toThrow('ENOENT')
  expect(runProgram('echo', ['a']).toString()).toBe('a\n')
})
