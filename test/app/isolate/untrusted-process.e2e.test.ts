import { type ChildProcess, spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { KeptProcess, type ProcessLimits, runUntrusted } from '../../../src/app/isolate/untrusted-process.ts'
import { connectApp, validDocument } from '../support/connected-app.ts'
import type { Misbehavior } from '../support/untrusted-program.ts'

const limits: ProcessLimits = {
  memory: { megabytes: 64, setting: 'MEMORY' },
  time: { seconds: 600, leftMs: 600_000, setting: 'TIME' },
}
const program = new URL('../support/untrusted-program.ts', import.meta.url)

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'untrusted-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

async function run(
  request: Misbehavior,
  { changed = {}, signal = new AbortController().signal, folder = makeFolder(), answer, kept }: RunOptions = {},
) {
  const cpuTimes: number[] = []
  const onCpuTime = (cpuMs: number) => cpuTimes.push(cpuMs)
  const work = { what: 'the test', program, request, folder, kept, ...(answer && { answer }) }
  const end = await runUntrusted(work, { ...limits, ...changed }, { signal, onCpuTime })
  return { end, cpuTimes }
}

interface RunOptions {
  readonly changed?: Partial<ProcessLimits>
  readonly signal?: AbortSignal
  readonly folder?: string
  readonly answer?: (question: unknown, signal: AbortSignal) => Promise<unknown>
  readonly kept?: KeptProcess
}

const short = (leftMs: number) => ({ time: { seconds: 1, leftMs, setting: 'TIME' } })

describe('results', () => {
  test('returns the response of the program and its CPU time', async () => {
    const { end, cpuTimes } = await run({ act: 'answer' })
    expect(end).toEqual({ kind: 'answered', answer: new Map([['answer', expect.any(Number)]]) })
    expect(cpuTimes).toEqual([expect.any(Number)])
    expect(cpuTimes[0]).toBeGreaterThan(0)
  })

  test('answers the questions of the program, or ends it', async () => {
    const { end } = await run({ act: 'ask' }, { answer: async (question) => new Map([['answer to', question]]) })
    expect(end).toEqual({ kind: 'answered', answer: [new Map([['answer to', 'one']]), new Map([['answer to', 'two']])] })
    const refuse = async () => Promise.reject(new Error('No answer'))
    await expect(run({ act: 'ask' }, { answer: refuse })).rejects.toThrow('No answer')
    await expect(run({ act: 'ask' })).rejects.toThrow('The process of the test asked a question')
    // The answer that is being prepared stops before the folder is removed.
    let stopped = false
    const caller = new AbortController()
    const wait = async (_question: unknown, signal: AbortSignal) => {
      caller.abort(new Error('Enough'))
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await new Promise((resolve) => setTimeout(resolve, 50))
      stopped = true
    }
    await expect(run({ act: 'ask' }, { answer: wait, signal: caller.signal })).rejects.toThrow('Enough')
    expect(stopped).toBe(true)
  })

  test('rethrows the error of the program with its code', async () => {
    await expect(run({ act: 'throw' })).rejects.toMatchObject({ message: 'No space left', code: 'ENOSPC' })
  })

  test('rejects a response that is too large', async () => {
    const { end } = await run({ act: 'flood' }, { changed: { memory: { megabytes: 512, setting: 'MEMORY' } } })
    expect(end).toEqual({ kind: 'stopped', reason: 'the test produced more than 64 MB of results' })
  })
})

describe('limits', () => {
  test.each(['heap', 'off-heap'] as const)('stops a program that uses too much memory: %s', async (act) => {
    const { end, cpuTimes } = await run({ act })
    const reason = 'the test exceeded the memory limit of this server (MEMORY=64)'
    expect(end).toEqual({ kind: 'stopped', reason, setting: 'MEMORY' })
    expect(cpuTimes).toHaveLength(1)
  })

  test('stops a looping program by its CPU time', async () => {
    const { end, cpuTimes } = await run({ act: 'loop' }, { changed: short(6_000) })
    // Either limit may be exceeded first, depending on the load of the machine.
    expect(end).toMatchObject({ kind: 'stopped', setting: 'TIME' })
    expect(end).toHaveProperty(
      'reason',
      expect.stringMatching(/^the test exceeded the (CPU )?time limit of this server \(TIME=1\)$/),
    )
    expect(cpuTimes[0]).toBeGreaterThan(0)
  })

  test('stops a waiting program by elapsed time', async () => {
    const { end } = await run({ act: 'wait' }, { changed: short(1_500) })
    const reason = 'the test exceeded the time limit of this server (TIME=1)'
    expect(end).toEqual({ kind: 'stopped', reason, setting: 'TIME' })
  })

  test('survives a program that crashes', async () => {
    const { end } = await run({ act: 'abort' })
    expect(end).toEqual({ kind: 'stopped', reason: 'the test crashed (SIGABRT)' })
  })

  test('stops a program when its signal aborts', async () => {
    const abort = new AbortController()
    const folder = makeFolder()
    const running = run({ act: 'loop' }, { signal: abort.signal, folder })
    const pid = await findProcess(folder)
    abort.abort(new Error('The lease was lost'))
    await expect(running).rejects.toThrow('The lease was lost')
    expect(existsSync(`/proc/${pid}`)).toBe(false)
  })

  test('blames no program for what the system does to it, such as when other processes use the memory', async () => {
    const folder = makeFolder()
    const running = run({ act: 'wait' }, { folder })
    const pid = await findProcess(folder)
    process.kill(pid, 'SIGKILL')
    await expect(running).rejects.toThrow('ended without a result (SIGKILL)')
  })
})

describe('a kept process', () => {
  const keep = () => {
    const kept = new KeptProcess()
    onTestFinished(() => kept.end())
    return { kept, folder: makeFolder() }
  }
  const pidOf = async (options: RunOptions, act: 'answer' | 'answer-and-talk' = 'answer') => {
    const { end, cpuTimes } = await run({ act }, options)
    if (end.kind !== 'answered') throw new Error(end.reason)
    return { pid: (end.answer as Map<string, number>).get('answer') ?? 0, cpuMs: cpuTimes[0] ?? 0 } // As the program answers.
  }
  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  test('answers the next request for its own CPU time, and ends on demand', async () => {
    const own = keep()
    const first = await pidOf(own)
    const second = await pidOf(own)
    expect(second.pid).toBe(first.pid)
    expect(second.cpuMs).toBeGreaterThanOrEqual(0)
    // The first one includes the start of the process.
    expect(second.cpuMs).toBeLessThan(first.cpuMs)
    await own.kept.end()
    expect(isRunning(first.pid)).toBe(false)
    expect((await pidOf(own)).pid).not.toBe(first.pid)
  })

  test.each([
    ['throws', async (own: RunOptions) => expect(run({ act: 'throw' }, own)).rejects.toThrow('No space left')],
    ['crashes', async (own: RunOptions) => expect((await run({ act: 'abort' }, own)).end).toMatchObject({ kind: 'stopped' })],
    [
      'is too slow',
      async (own: RunOptions) =>
        expect((await run({ act: 'wait' }, { ...own, changed: short(50) })).end).toMatchObject({
          kind: 'stopped',
          setting: 'TIME',
        }),
    ],
  ])('is not used again if it %s', async (_title, misbehave) => {
    const own = keep()
    const first = await pidOf(own)
    await misbehave(own)
    expect(isRunning(first.pid)).toBe(false)
    expect((await pidOf(own)).pid).not.toBe(first.pid)
  })

  test('reports no negative CPU time if it is stopped early', async () => {
    const own = keep()
    await pidOf(own)
    const { cpuTimes } = await run({ act: 'wait' }, { ...own, changed: short(50) })
    expect(cpuTimes).toEqual([expect.any(Number)])
    expect(cpuTimes[0]).toBeGreaterThanOrEqual(0)
  })

  test('is ended if it says something without a request', async () => {
    const own = keep()
    const { pid } = await pidOf(own, 'answer-and-talk')
    await expect.poll(() => isRunning(pid)).toBe(false)
    expect((await pidOf(own)).pid).not.toBe(pid)
  })

  test('checks the documents of an update and compares them with the version before', async () => {
    const processes: ChildProcess[] = []
    const note = (message: unknown) => void processes.push((message as { process: ChildProcess }).process) // As Node documents it.
    subscribe('child_process', note)
    onTestFinished(() => void unsubscribe('child_process', note))
    const { github, idle } = await connectApp({ checkProcesses: true })
    const repository = github.createRepository('acme/api', { files: { 'openapi.yaml': validDocument } })
    await repository.push({ files: { 'openapi.yaml': `${validDocument}  /cats: {}\n` } })
    const [stored] = await idle()
    expect(stored?.update.logs).toContainEqual(expect.stringMatching(/^API changes/))
    const checks = processes.filter(({ spawnargs }) => spawnargs.some((argument) => argument.includes('check-child')))
    expect(checks).toHaveLength(1)
    expect(isRunning(checks[0]?.pid ?? 0)).toBe(false)
  })
})

describe('isolation', () => {
  test('hides the environment of the server from the program', async () => {
    process.env['GITHUB_PRIVATE_KEY'] = 'secret'
    onTestFinished(() => {
      delete process.env['GITHUB_PRIVATE_KEY']
    })
    const folder = makeFolder()
    const { end } = await run({ act: 'environment' }, { folder })
    if (end.kind !== 'answered') throw new Error(end.reason)
    const { env, cwd } = end.answer as { env: Record<string, string>; cwd: string }
    expect(cwd).toBe(folder)
    expect(env).toMatchObject({ TMPDIR: folder })
    const allowed = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'TMPDIR', 'TMP', 'TEMP', 'TZ', 'SystemRoot']
    const rest = Object.keys(env).filter((name) => !allowed.includes(name) && !/^(SSL_CERT|NODE_EXTRA_CA)/.test(name))
    expect(rest).toEqual([])
  })

  test('limits the program to its own folder', async () => {
    const folder = makeFolder()
    const outside = makeFolder()
    writeFileSync(join(outside, 'app.key'), 'secret')
    writeFileSync(join(folder, 'own'), 'b')
    await expect(run({ act: 'read', path: join(outside, 'app.key') }, { folder })).rejects.toMatchObject({
      code: 'ERR_ACCESS_DENIED',
    })
    await expect(run({ act: 'write', path: join(outside, 'new') }, { folder })).rejects.toMatchObject({
      code: 'ERR_ACCESS_DENIED',
    })
    expect(readdirSync(outside)).toEqual(['app.key'])
    expect((await run({ act: 'read', path: join(folder, 'own') }, { folder })).end).toEqual({ kind: 'answered', answer: 'b' })
    await run({ act: 'write', path: join(folder, 'new') }, { folder })
    expect(readFileSync(join(folder, 'new'), 'utf8')).toBe('a')
  })

  // Reads processes and their parents from `/proc`.
  test.runIf(process.platform === 'linux')('leaves no program behind when the server is killed', async () => {
    const folder = makeFolder()
    const server = spawn(process.execPath, [join(import.meta.dirname, '../support/run-untrusted-program.ts'), folder], {
      stdio: 'ignore',
    })
    onTestFinished(() => {
      server.kill('SIGKILL')
    })
    const pid = await findProcess(folder)
    server.kill('SIGKILL')
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false)
  })
})

/** Waits for a process that works in this folder. */
async function findProcess(folder: string): Promise<number> {
  let found: number | undefined
  await expect
    .poll(() => {
      found = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .find((pid) => isBusyIn(pid, folder))
      return found
    })
    .toBeDefined()
  return found ?? 0
}

function isBusyIn(pid: number, folder: string): boolean {
  try {
    // The fields after the program name. The twelfth is the CPU time in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--allow-fs-write=${folder}\0`) && Number(fields[11]) > 50
  } catch {
    return false
  }
}
