import { type ComponentChild, h } from 'preact'
import type { UpdateStatus } from '../../status/types.ts'
import type { UpdateReport } from '../update-report.ts'
import { icon } from './icons.ts'
import { formatDuration, formatTime, stateWords } from './words.ts'

/** How long it waited and ran is known once there is a report with the time of the run. */
export function progressSteps(update: UpdateStatus, report: UpdateReport | undefined): ComponentChild {
  const { createdAt, endedAt, status } = update
  const ranMs = report?.durationMs
  const waitedMs = endedAt === undefined || ranMs === undefined ? undefined : Date.parse(endedAt) - Date.parse(createdAt) - ranMs
  const ended = endedAt !== undefined
  const neverRan = ended && update.summary.startsWith('Not run')
  const reached = status === 'queued' ? 'queued' : status === 'in_progress' ? 'in_progress' : 'ended'
  const done = (label: string, time: string | undefined, detail: string | undefined): ComponentChild =>
    h('li', { class: 'is-success' }, icon('success'), h('b', null, label), timeOf(time), detail && `${time ? ', ' : ''}${detail}`)
  const todo = (label: string): ComponentChild => h('li', { class: 'is-todo' }, icon('queued'), h('b', null, label))
  const current = (state: UpdateStatus['status'], time?: string): ComponentChild =>
    h('li', { class: `is-${state}`, 'aria-current': 'step' }, icon(state), h('b', null, stateWords[state]), timeOf(time))
  const waited = waitedMs !== undefined && waitedMs >= 0 ? `waited ${formatDuration(waitedMs)}` : undefined
  const startedAt = waitedMs !== undefined && waitedMs >= 0 ? new Date(Date.parse(createdAt) + waitedMs).toISOString() : undefined
  return h(
    'ol',
    { class: 'steps', 'aria-label': 'Progress' },
    reached === 'queued' ? current('queued', createdAt) : done('Queued', createdAt, waited),
    reached === 'queued' || neverRan
      ? todo(neverRan ? 'Not run' : 'In progress')
      : reached === 'in_progress'
        ? current('in_progress')
        : done('In progress', startedAt, ranMs === undefined ? undefined : `ran ${formatDuration(ranMs)}`),
    ended ? current(status, endedAt) : todo('Result'),
  )
}

function timeOf(time: string | undefined): ComponentChild {
  return time === undefined ? undefined : h('time', { class: 'numeric', dateTime: time }, formatTime(time))
}
