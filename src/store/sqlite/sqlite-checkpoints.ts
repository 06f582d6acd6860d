import { Worker } from 'node:worker_threads'

interface Checkpoints {
  /** Call it after each commit. */
  readonly countCommit: () => void
  close(): Promise<void>
}

/** A process with fewer commits, such as a command, starts no thread. */
const commitsPerCheckpoint = 10

/**
 * Copies committed pages from the write-ahead log into the database in a separate thread.
 *
 * Otherwise, SQLite does this at the end of a commit, while all requests of the process wait: up to 60 ms for 500 webhooks per second. It still
 * does if the thread is too slow or fails.
 *
 * Source: https://www.sqlite.org/wal.html, "Checkpointing".
 */
export function createCheckpoints(path: string): Checkpoints {
  let worker: Worker | undefined
  let ended: Promise<unknown> | undefined
  let commits = 0
  let isRunning = false

  const start = () => {
    const started = new Worker(thread, { eval: true, workerData: path })
    started.unref()
    started.on('message', () => {
      isRunning = false
    })
    // No further checkpoint is requested then. SQLite reports the error to the commit that tries the same.
    started.on('error', () => undefined)
    ended = new Promise((resolve) => started.once('exit', resolve))
    return started
  }

  return {
    countCommit() {
      if (++commits < commitsPerCheckpoint || isRunning) return
      commits = 0
      isRunning = true
      worker ??= start()
      worker.postMessage('checkpoint')
    },
    async close() {
      // The process must not end before the promise settles.
      worker?.ref()
      worker?.postMessage('close')
      await ended
    },
  }
}

/** As text, because the bundles of the app and the command line have no separate file for it. */
const thread = `
const { parentPort, workerData } = require('node:worker_threads')
process.emitWarning = () => {} // Node 22 prints a warning when it loads its SQLite module.
const { DatabaseSync } = require('node:sqlite')
const database = new DatabaseSync(workerData)
database.exec('pragma synchronous = FULL')
parentPort.on('message', (command) => {
  if (command === 'close') {
    database.close()
    parentPort.close()
    return
  }
  database.exec('pragma wal_checkpoint(passive)')
  parentPort.postMessage('done')
})`
