import { runUntrusted } from '../../../src/app/isolate/untrusted-process.ts'

// A server that the test kills while it waits for a program: `node run-untrusted-program.ts <folder>`.

await runUntrusted(
  {
    what: 'the test',
    program: new URL('./untrusted-program.ts', import.meta.url),
    request: { act: 'loop' },
    folder: process.argv[2] ?? '',
  },
  { memory: { megabytes: 64, setting: 'MEMORY' }, time: { seconds: 600, leftMs: 600_000, setting: 'TIME' } },
  { signal: new AbortController().signal, onCpuTime: () => undefined },
)
