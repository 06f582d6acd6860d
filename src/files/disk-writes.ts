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
    hint: known?.hint ?? 'No files were changed',
    cause: error,
  })
}

const refusals: { readonly [code: string]: { readonly reason: string; readonly hint: string } } = {
  EACCES: { reason: 'permission denied', hint: 'Give the current user write access to the directory. No files were changed' },
  EPERM: { reason: 'not permitted', hint: 'Give the current user write access to the directory. No files were changed' },
  EROFS: { reason: 'the file system is read-only', hint: 'Make it writable, or only run checks. No files were changed' },
  ENOSPC: { reason: 'no space left on disk', hint: 'Free some disk space and run again. No files were changed' },
  EDQUOT: { reason: 'the disk quota is exceeded', hint: 'Free some disk space and run again. No files were changed' },
  EFBIG: { reason: 'the file is too large', hint: 'Raise the limit (`ulimit -f`). No files were changed' },
  EEXIST: {
    reason: 'a file exists where a directory is needed',
    hint: 'Move that file, or write to another directory. No files were changed',
  },
  ENOTDIR: {
    reason: 'a file exists where a directory is needed',
    hint: 'Move that file, or write to another directory. No files were changed',
  },
  EISDIR: {
    reason: 'a directory with this name already exists',
    hint: 'Move that directory, or write to another one. No files were changed',
  },
  ENOTEMPTY: {
    reason: 'a directory with this name already exists',
    hint: 'Move that directory, or write to another one. No files were changed',
  },
  ENAMETOOLONG: {
    reason: 'the name is too long for this file system',
    hint: 'Shorten the name, for example with `x-mint.href`. No files were changed',
  },
  EXDEV: {
    reason: 'a part of the directory is on another file system',
    hint: 'Keep the docs directory on one file system. No files were changed',
  },
}

const stoppingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs work that must not be interrupted. A stop signal that arrives meanwhile takes effect afterwards.
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
    // Node delivers a signal on the next turn of the event loop. Without that turn it would be lost with its handler.
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
