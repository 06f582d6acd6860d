import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import type { ExitCode } from './cli-context.ts'
import { isUnreadable } from './is-unreadable.ts'

/** 2 where something that was asked for could not be read; 1 where there is an error, or something is left to do (`isOpen`); else 0. */
export function toExitCode(diagnostics: readonly Diagnostic[], { isOpen = false } = {}): ExitCode {
  if (diagnostics.some(isUnreadable)) return 2
  return isOpen || diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0
}
