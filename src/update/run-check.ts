import type { CheckReport, UpdateEnvironment } from './types.ts'

export interface CheckOptions {
  /** Documents (paths relative to the boundary, or URLs), or docs roots (folders with a `docs.json`; `''` is the boundary). */
  readonly entries: readonly string[]
}

/** Checks documents, and for a docs root every document named there and every page bound to them. */
export async function runCheck(_options: CheckOptions, _environment: UpdateEnvironment): Promise<CheckReport> {
  return { documents: [], diagnostics: [] }
}
