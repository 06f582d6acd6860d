import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { Transform } from 'node:stream'
import timers from 'node:timers/promises'
import zlib from 'node:zlib'
import type { Random } from '../random.ts'
import { running, type VirtualTime } from './virtual-time.ts'

/** The clock and the random numbers of the running history. */
export interface VirtualGlobals {
  time: VirtualTime | undefined
  random: Random | undefined
}

type Callback = (error: Error | null, result?: Buffer) => void

/**
 * Replaces everything by which code of the app can wait or differ from run to run, in the whole process: the clock, timers, random numbers, and
 * work in threads, which becomes synchronous. Code outside of simulated processes has real timers.
 *
 * Call it before a module of the app is loaded. There is no way back.
 */
export function replaceGlobals(): VirtualGlobals {
  const globals: VirtualGlobals = { time: undefined, random: undefined }
  replaceClock(globals)
  replaceTimers(globals)
  replaceThreads()
  const systemRandom = Math.random
  Math.random = () => (globals.random ?? systemRandom)()
  syncBuiltinESMExports()
  return globals
}

function replaceClock(globals: VirtualGlobals): void {
  const RealDate = Date
  const realNow = performance.now.bind(performance)
  class VirtualDate extends RealDate {
    constructor(...values: readonly unknown[]) {
      // Without arguments, it is the current time.
      super(...((values.length === 0 ? [VirtualDate.now()] : values) as [number]))
    }
    static override now(): number {
      return globals.time?.nowMs ?? RealDate.now()
    }
  }
  globalThis.Date = VirtualDate as DateConstructor // `Date()` as a function is not used.
  // Caches of the store are read outside of processes. They must not depend on when a message of another process arrives.
  let outsideMs = 0
  performance.now = () => {
    if (!globals.time) return realNow()
    if (running.getStore()) return globals.time.elapsedMs
    outsideMs += 10_000
    return globals.time.elapsedMs + outsideMs
  }
}

/** What `setTimeout` returns. */
class VirtualTimeout {
  id: number
  constructor(id: number) {
    this.id = id
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
  [Symbol.toPrimitive](): number {
    return this.id
  }
}

function replaceTimers(globals: VirtualGlobals): void {
  const real = { setTimeout, clearTimeout, setInterval, clearInterval, sleep: timers.setTimeout }
  const clear = (realClear: (timer: NodeJS.Timeout | undefined) => void) => (timer: unknown) => {
    if (timer instanceof VirtualTimeout) globals.time?.remove(timer.id)
    else realClear(timer as NodeJS.Timeout | undefined) // Made by the real function.
  }
  const start = (work: (...values: unknown[]) => void, delayMs: number | undefined, values: unknown[], isRepeated: boolean) => {
    const { time } = globals
    if (!time || !running.getStore()) return undefined
    let timeout: VirtualTimeout | undefined
    const fire = () => {
      if (isRepeated && timeout) timeout.id = time.add(delayMs ?? 0, fire)
      work(...values)
    }
    timeout = new VirtualTimeout(time.add(delayMs ?? 0, fire))
    return timeout
  }
  Object.assign(globalThis, {
    setTimeout: (work: () => void, delayMs?: number, ...values: unknown[]) =>
      start(work, delayMs, values, false) ?? real.setTimeout(work, delayMs, ...(values as [])),
    setInterval: (work: () => void, delayMs?: number, ...values: unknown[]) =>
      start(work, delayMs, values, true) ?? real.setInterval(work, delayMs, ...(values as [])),
    clearTimeout: clear(real.clearTimeout),
    clearInterval: clear(real.clearInterval),
  })
  Object.assign(timers, {
    setTimeout: (delayMs?: number, value?: unknown, options: { signal?: AbortSignal } = {}) => {
      const { time } = globals
      if (!time || !running.getStore()) return real.sleep(delayMs, value, options)
      const { signal } = options
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const abort = () => {
          time.remove(id)
          reject(signal?.reason)
        }
        const id = time.add(delayMs ?? 0, () => {
          signal?.removeEventListener('abort', abort)
          resolve(value)
        })
        signal?.addEventListener('abort', abort, { once: true })
      })
    },
  })
  AbortSignal.timeout = (delayMs) => {
    const controller = new AbortController()
    setTimeout(
      () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      delayMs,
    ).unref()
    return controller.signal
  }
}

/** Threads would end their work at any time. */
function replaceThreads(): void {
  Object.assign(fsPromises, {
    mkdir: async (...parameters: Parameters<typeof fs.mkdirSync>) => fs.mkdirSync(...parameters),
    mkdtemp: async (prefix: string) => fs.mkdtempSync(prefix),
    writeFile: async (...parameters: Parameters<typeof fs.writeFileSync>) => fs.writeFileSync(...parameters),
    readFile: async (...parameters: Parameters<typeof fs.readFileSync>) => fs.readFileSync(...parameters),
    readdir: async (path: string) => fs.readdirSync(path),
    stat: async (path: string) => fs.statSync(path),
    rm: async (...parameters: Parameters<typeof fs.rmSync>) => fs.rmSync(...parameters),
  })
  const { gzipSync, brotliCompressSync, brotliDecompressSync, gunzipSync } = zlib
  const withCallback =
    <Options>(work: (bytes: Buffer, options: Options) => Buffer) =>
    (bytes: Buffer, options: Options | Callback, callback?: Callback) => {
      const end = (typeof options === 'function' ? options : callback) as Callback // One of them is given.
      end(null, work(bytes, (typeof options === 'function' ? {} : options) as Options))
    }
  Object.assign(zlib, {
    gzip: withCallback(gzipSync),
    brotliCompress: withCallback(brotliCompressSync),
    brotliDecompress: withCallback(brotliDecompressSync),
  })
  // It is not writable.
  Object.defineProperty(zlib, 'createGunzip', { value: () => createGunzip(gunzipSync), enumerable: true, configurable: true })
  // The simulated GitHub verifies no signatures.
  Object.assign(Object.getPrototypeOf(crypto.subtle), {
    importKey: async () => ({}),
    sign: async () => new ArrayBuffer(8),
  })
}

/** With the number of bytes that it has read, like that of Node. */
function createGunzip(gunzip: (bytes: Buffer) => Buffer): Transform & { bytesWritten: number } {
  const chunks: Buffer[] = []
  const decoder = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      all.bytesWritten += chunk.length
      done()
    },
    flush(done) {
      try {
        done(null, gunzip(Buffer.concat(chunks)))
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
  })
  const all = Object.assign(decoder, { bytesWritten: 0 })
  return all
}
