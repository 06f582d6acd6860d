import type { CheckEnd, CheckedRepository, CheckRequest } from './check-types.ts'
import { runInWorker, type WorkerLimits } from './run-in-worker.ts'

/** Checks the files of an archive in a thread of its own. @throws {Error} @see runInWorker */
export async function checkInWorker(request: CheckRequest, limits: WorkerLimits, signal: AbortSignal): Promise<CheckEnd> {
  const end = await runInWorker<CheckedRepository>({ what: 'the check', url: workerUrl, request }, limits, signal)
  return end.kind === 'answered' ? { kind: 'done', checked: end.answer } : end
}

/** Beside this file, as TypeScript in a clone and as JavaScript in the package. */
const workerUrl = new URL(import.meta.url.endsWith('.ts') ? './check-worker.ts' : './check-worker.js', import.meta.url)
