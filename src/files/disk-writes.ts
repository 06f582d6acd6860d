import { FilesError } from '../errors.ts'

/** Explains an error of the file system. `path` is the file as the user knows it, with `/`. */
export function toFilesError(error: unknown, action: string, path: string): FilesError {
  if (error instanceof FilesError) return error
  const code =
    typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const known = code === undefined ? undefined : refusals[code]
  const reason = known ? `${known.reason} (${code})` : error instanceof Error ? error.message : String(error)
  return new FilesError(`Cannot ${action} \`${path}\`: ${reason}`, {
    path,
    code,
    hint: known?.hint ?? 'nothing was changed',
    cause: error,
  })
}

const refusals: { readonly [code: string]: { readonly reason: string; readonly hint: string } } = {
  EACCES: { reason: 'permission denied', hint: 'give the user that runs this write access to the folder; nothing was changed' },
  EPERM: { reason: 'not permitted', hint: 'give the user that runs this write access to the folder; nothing was changed' },
  EROFS: { reason: 'the file system is read-only', hint: 'make it writable, or only check; nothing was changed' },
  ENOSPC: { reason: 'no space left on the disk', hint: 'free some space and run again; nothing was changed' },
  EDQUOT: { reason: 'the disk quota is used up', hint: 'free some space and run again; nothing was changed' },
  EFBIG: { reason: 'over the size that a file may have', hint: 'raise the limit (`ulimit -f`); nothing was changed' },
  EEXIST: {
    reason: 'a file stands where a folder is needed',
    hint: 'move that file, or write to another folder; nothing was changed',
  },
  ENOTDIR: {
    reason: 'a file stands where a folder is needed',
    hint: 'move that file, or write to another folder; nothing was changed',
  },
  EISDIR: {
    reason: 'a folder stands where the file should go',
    hint: 'move that folder, or write to another one; nothing was changed',
  },
  ENOTEMPTY: {
    reason: 'a folder stands where the file should go',
    hint: 'move that folder, or write to another one; nothing was changed',
  },
  ENAMETOOLONG: {
    reason: 'the name is too long for this disk',
    hint: 'shorten the name, for example with `x-mint.href`; nothing was changed',
  },
  EXDEV: {
    reason: 'a part of the folder is on another disk',
    hint: 'keep the docs root on one file system; nothing was changed',
  },
}

const stoppingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs work that must not be interrupted. A stop signal that arrives meanwhile takes effect right after.
 *
 * The work is synchronous, so no signal handler runs before it has ended.
 */
export async function deferSignals(work: () => void): Promise<void> {
  let received: NodeJS.Signals | undefined
  const remember = (signal: NodeJS.Signals) => {
    received ??= signal
  }
  for (const signal of stoppingSignals) process.on(signal, remember)
  try {
    work()
  } finally {
    // Node delivers a signal on the next turn of the event loop; without that turn it would be lost with its handler.
    await new Promise((resolve) => setImmediate(resolve))
    for (const signal of stoppingSignals) process.off(signal, remember)
    if (received) process.kill(process.pid, received)
  }
}

/** Waits for a stop signal. A second signal ends the process at once. */
export function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of stoppingSignals) process.off(signal, stop)
      resolve()
    }
    for (const signal of stoppingSignals) process.on(signal, stop)
  })
}
