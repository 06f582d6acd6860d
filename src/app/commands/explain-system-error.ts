import { getSystemErrorMessage } from 'node:util'
import { readOwn } from '../../text/json/json-values.ts'

/** The cause of a failed system call as a clause, and how to fix it. */
interface SystemErrorExplanation {
  /** `cannot open /data/link.key: permission denied` */
  readonly message: string
  readonly fix: string | undefined
}

/** Explains an error of the file system or of `listen`; `undefined` for errors that an operator cannot fix. */
export function explainSystemError(error: unknown): SystemErrorExplanation | undefined {
  if (!(error instanceof Error && 'syscall' in error)) return undefined
  const { syscall = '', path, code = '', errno } = error as NodeJS.ErrnoException // It has a system call.
  if (syscall === 'listen') return explainListenError(error)
  const fix = readOwn(fixes, code)
  if (path === undefined && fix === undefined) return undefined
  // `rmSync` sets a positive number.
  const reason = errno === undefined ? code : getSystemErrorMessage(-Math.abs(errno))
  return { message: `cannot ${readOwn(verbs, syscall) ?? syscall}${path === undefined ? '' : ` ${path}`}: ${reason}`, fix }
}

const verbs: Readonly<Record<string, string>> = {
  mkdir: 'create',
  copyfile: 'copy',
  scandir: 'read',
  lstat: 'read',
  stat: 'read',
  rm: 'remove',
}

const forUser = 'Give the user of this process access to it'
const fixes: Readonly<Record<string, string>> = {
  EACCES: forUser,
  EPERM: forUser,
  EEXIST: 'Use a directory',
  EROFS: 'Use a directory on a writable file system',
  ENOSPC: 'Free some disk space',
  EDQUOT: 'Free some disk space, or raise the quota',
}

function explainListenError(error: Error): SystemErrorExplanation {
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number } // A system error of `listen`.
  const where = `${address ?? ''}:${port ?? ''}`
  switch (code) {
    case 'EADDRINUSE':
      return {
        message: `cannot listen on ${where}: the port is in use`,
        fix: 'Stop the other program, or set PORT to another port',
      }
    case 'EACCES':
      return {
        message: `cannot listen on ${where}: permission denied`,
        fix: 'Set PORT to 1024 or higher, and use a proxy for lower ports',
      }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return {
        message: `cannot listen on ${where}: this machine has no such address`,
        fix: 'Set HOST to 127.0.0.1, or to 0.0.0.0 for all addresses',
      }
    default:
      return { message: `cannot listen on ${where}: ${error.message}`, fix: undefined }
  }
}
