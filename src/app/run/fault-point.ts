/**
 * Where a test can end the process as a power cut would: `OPENAPI_PAGES_FAULT=run.finished` or, for the third time it gets there,
 * `run.finished:3`. Between any two of these points a crash is the same as at the first.
 */
export type FaultPoint =
  | 'webhook.received'
  | 'webhook.accepted'
  | 'job.claimed'
  | 'check.created'
  | 'check.remembered'
  | 'run.started'
  | 'run.archived'
  | 'run.checked'
  | 'site.built'
  | 'site.stored'
  | 'site.staged'
  | 'run.finished'
  | 'pictures.begun'
  | 'pictures.taken'
  | 'pictures.stored'
  | 'report.concluded'
  | 'report.remembered'
  | 'report.commented'
  | 'commit-status.remembered'
  | 'commit-status.set'
  | 'deployment.set'
  | 'job.completed'

// Read here and once: a crash cannot be asked for by a setting that a person could set by mistake.
const [wanted, count = '1'] = (process.env['OPENAPI_PAGES_FAULT'] ?? '').split(':')
let left = Number(count)

/** Ends the process at once, without any clean-up, where a test asked for it at this point. */
export function faultPoint(point: FaultPoint): void {
  if (point === wanted && --left === 0) process.kill(process.pid, 'SIGKILL')
}
