import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import type { WatchdogLimits, WatchdogReason } from './untrusted-child.ts'

// The thread of a child process that ends it when it exceeds a limit or when the server has died.

// Set by `serveRequests`.
const { parentPid, rssBytes, cpuMs } = workerData as WatchdogLimits
const everyMs = 50
/** A pipe that `runUntrusted` reads. */
const pipe = 4

let reportedMs = 0

function look(): void {
  // The parent of an orphan is another process, usually PID 1.
  if (process.ppid !== parentPid) end()
  const { user, system } = process.cpuUsage()
  const usedMs = (user + system) / 1000
  if (usedMs - reportedMs > 500) {
    write(String(Math.round(usedMs)))
    reportedMs = usedMs
  }
  if (process.memoryUsage.rss() > rssBytes) end('memory')
  if (usedMs > cpuMs) end('cpu')
}

function end(reason?: WatchdogReason): void {
  if (reason) write(reason)
  process.kill(process.pid, 'SIGKILL')
}

function write(line: string): void {
  try {
    writeSync(pipe, `${line}\n`)
  } catch {
    // The parent has closed the stream.
  }
}

setInterval(look, everyMs)
