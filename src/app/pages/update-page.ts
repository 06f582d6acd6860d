import { type ComponentChild, h } from 'preact'
import type { Project, UpdateStatus } from '../../status/types.ts'
import { isNotRunSummary } from '../../status/update-summary.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import type { StoredChanges } from '../stored-changes.ts'
import type { UpdateReport } from '../stored-report.ts'
import { apiChangesSection } from './api-changes-section.ts'
import { type ChangedPagesLinks, changedPagesSection } from './changed-pages-section.ts'
import { diagnosticsSection, type FileLinks, toFileLinks } from './diagnostics-section.ts'
import {
  breadcrumb,
  count,
  formatDate,
  formatDuration,
  formatTime,
  heading,
  icon,
  inlineCode,
  pathList,
  stateLabels,
} from './elements.ts'
import { type Frame, renderPage } from './layout.ts'

interface UpdatePageOptions {
  readonly stored: StoredUpdate
  readonly project: Project
  /** Absent until the update has ended, and if it never ran. */
  readonly report: UpdateReport | undefined
  /** Absent if the API was not compared. */
  readonly apiChanges: StoredChanges | undefined
  /** URL of GitHub, for links to commits and files. */
  readonly githubUrl: string
  /** Lets the open page poll for changes. */
  readonly etag: string
  /** Result of `mayStillChange`. */
  readonly mayStillChange: boolean
  /** URLs of the section with changed pages. */
  readonly changedPages: ChangedPagesLinks
  /** Present on the dashboard; absent behind a signed link. */
  readonly dashboard?: UpdateDashboard | undefined
}

/** Additions of the dashboard to the page of an update. */
interface UpdateDashboard {
  readonly frame: Frame
  /** Breadcrumb links that replace those to GitHub. */
  readonly crumbs: readonly ComponentChild[]
  readonly notice: ComponentChild
  /** Buttons and links next to the state. */
  readonly actions: ComponentChild
  /** URL of the update of the commit that overtook this one, if it has one. A signed link must not lead to another update. */
  readonly newerUpdate: string | undefined
  /** Terms and values about the site of the commit. */
  readonly facts: readonly (readonly [string, ComponentChild])[]
}

/** The page of one update: state, commit, problems with code frames, files, pages and logs. */
export function renderUpdatePage(options: UpdatePageOptions): string {
  const { stored, project, report, githubUrl, etag, mayStillChange, dashboard } = options
  const { update, details } = stored
  const repository = `${project.owner}/${project.repo}`
  const links = toFileLinks(`${githubUrl}/${project.owner}/${project.repo}`, update.commit.sha)
  const [subject = '', ...rest] = update.commit.message.trim().split('\n')
  const title = subject || `Commit ${update.commit.sha.slice(0, 7)}`
  const body = rest.join('\n').trim()
  const findings = part('findings', [diagnosticsSection(update, report, links)])
  const isPreview = update.commit.ref !== `refs/heads/${project.defaultBranch}`
  const changed = part('api-changes', [
    apiChangesSection({
      changes: options.apiChanges,
      links,
      page: options.changedPages.page,
      changelogs: details.site?.changelogs ?? [],
    }),
  ])
  const changes = { stored, isPreview, isPending: mayStillChange, links: options.changedPages, fileLinks: links }
  const isFailure = update.status === 'failure' && report !== undefined && report.findings.length > 0
  return renderPage({
    title: `${stateLabels[update.status]}: ${title} · ${repository}`,
    ...(mayStillChange && { live: { etag } }),
    ...(dashboard && { frame: dashboard.frame }),
    children: [
      part('head', [
        dashboard ? breadcrumb(dashboard.crumbs) : crumbs(project, update, links),
        dashboard?.notice,
        h(
          'div',
          { class: 'title' },
          h('h1', { dir: 'auto' }, inlineCode(title)),
          h('span', { class: 'acts' }, dashboard?.actions, statePill(update.status)),
        ),
        h('p', { class: 'lead', dir: 'auto' }, update.summary ? inlineCode(update.summary) : 'Waiting in the queue.'),
        body && h('p', { class: 'message', dir: 'auto' }, inlineCode(body)),
      ]),
      ...(isFailure ? [findings] : []),
      part('steps', [progressSteps(update, report)]),
      part('facts', [facts(options, links)]),
      part('screenshots', [screenshotsSection(update)]),
      changed,
      part('changed-pages', [changedPagesSection(changes)]),
      ...(isFailure ? [] : [findings]),
      part('documents', [documentsSection(report, links)]),
      part('changes', [
        h(
          'div',
          { class: 'columns' },
          filesSection(update, details.filesTruncated === true, links),
          pagesSection(update, report),
        ),
      ]),
      part('logs', [logsSection(update)]),
    ],
  })
}

/** A part that the live script replaces when it changes. */
function part(name: string, children: ComponentChild[]): ComponentChild {
  return h('div', { 'data-part': name }, children)
}

function crumbs(project: Project, update: UpdateStatus, links: FileLinks): ComponentChild {
  const { owner, repo, root } = project
  const items: ComponentChild[] = [
    h('a', { href: links.repository }, `${owner}/${repo}`),
    ...(root ? [`${root}/`] : []),
    refLink(update.commit.ref, links),
  ]
  return breadcrumb(items)
}

/** The site in both themes; nothing until screenshots exist. */
function screenshotsSection({ screenshotLight, screenshotDark, commit }: UpdateStatus): ComponentChild {
  const screenshots = [
    { theme: 'Light', src: screenshotLight },
    { theme: 'Dark', src: screenshotDark },
  ].filter(({ src }) => src !== undefined)
  if (screenshots.length === 0) return undefined
  return h(
    'section',
    null,
    heading('screenshots', 'Screenshots'),
    h(
      'div',
      { class: 'pictures' },
      screenshots.map(({ theme, src }) =>
        h(
          'figure',
          null,
          h(
            'a',
            { href: src },
            h('img', { src, alt: `Site at ${commit.sha.slice(0, 7)}, ${theme.toLowerCase()} theme`, loading: 'lazy' }),
          ),
          h('figcaption', null, theme),
        ),
      ),
    ),
  )
}

/** Links a branch or tag by its name; shows any other ref as plain text. */
function refLink(ref: string, links: FileLinks): ComponentChild {
  const name = /^refs\/(?:heads|tags)\/(.+)$/.exec(ref)?.[1]
  return name === undefined ? h('bdi', null, ref) : h('a', { href: links.ref(name) }, h('bdi', null, name))
}

function statePill(status: UpdateStatus['status']): ComponentChild {
  return h('span', { class: `state is-${status}`, role: 'status' }, icon(status), stateLabels[status])
}

function facts({ stored, dashboard }: UpdatePageOptions, links: FileLinks): ComponentChild {
  const { update, details } = stored
  const { sha, ref } = update.commit
  const rows: (readonly [string, ComponentChild])[] = [
    ['Commit', h('a', { class: 'mono', href: links.commit }, sha.slice(0, 7))],
    [ref.startsWith('refs/tags/') ? 'Tag' : 'Branch', [icon('branch'), ' ', refLink(ref, links)]],
    ...(details.pullNumber === undefined
      ? []
      : [
          ['Pull request', h('a', { href: links.pull(details.pullNumber) }, `#${details.pullNumber}`)] satisfies [
            string,
            ComponentChild,
          ],
        ]),
    ...(details.overtakenBy === undefined
      ? []
      : [
          [
            'Not published',
            [
              'The branch is at ',
              h(
                'a',
                { class: 'mono', href: dashboard?.newerUpdate ?? links.commitOf(details.overtakenBy) },
                details.overtakenBy.slice(0, 7),
              ),
            ],
          ] satisfies [string, ComponentChild],
        ]),
    ...(details.forkPreview === undefined ? [] : [['Preview', forkPreviewLabels[details.forkPreview]] as const]),
    ['Author', h('bdi', null, update.author)],
    ['Source', toSourceLabel(update, details.trigger)],
    ['Date', h('time', { dateTime: update.createdAt }, formatDate(update.createdAt))],
    ['Record', h('span', { class: 'mono' }, update._id)],
    ...(dashboard?.facts ?? []),
  ]
  return h(
    'dl',
    { class: 'facts' },
    rows.map(([term, value]) => h('div', null, h('dt', null, term), h('dd', null, value))),
  )
}

const forkPreviewLabels = {
  waiting: 'The commit is from a fork. Someone with write access must approve the preview',
  off: ['Off for forks (', h('code', null, 'github.forkPreviews'), ')'],
} as const

function toSourceLabel({ source }: UpdateStatus, trigger: string): string {
  switch (source) {
    case 'github-app-installation':
      return 'Webhook'
    case 'github':
      return 'GitHub Action'
    case 'api':
      return 'API'
    case 'dashboard':
      return 'Dashboard'
    case 'internal':
      return trigger === 'rerun' ? 'Re-run' : trigger === 'catch-up' ? 'Comparison with GitHub' : 'Retry'
  }
}

function documentsSection(report: UpdateReport | undefined, links: FileLinks): ComponentChild {
  if (!report || report.documents.length === 0) return undefined
  const items = report.documents.map((document) => {
    const { errorCount, warningCount } = document
    const state = errorCount > 0 ? 'failure' : 'success'
    const found = [errorCount > 0 && count(errorCount, 'error'), warningCount > 0 && count(warningCount, 'warning')].filter(
      Boolean,
    )
    return h(
      'li',
      { class: `is-${state}` },
      h('span', { class: 'kind' }, errorCount > 0 ? 'invalid' : 'valid'),
      h(
        'span',
        null,
        h('span', { class: 'mono' }, pathLink(document.path, links)),
        h(
          'small',
          null,
          [
            document.version === undefined ? 'Not OpenAPI' : `OpenAPI ${document.version}`,
            count(document.operationCount, 'operation'),
            ...found,
          ].join(', '),
        ),
      ),
    )
  })
  return h('section', null, heading('documents', 'Documents', items.length), h('ul', { class: 'paths' }, items))
}

function pathLink(path: string, links: FileLinks): ComponentChild {
  const href = links.file(path)
  return h('bdi', null, href === undefined ? path : h('a', { href }, path))
}

function filesSection({ commit }: UpdateStatus, truncated: boolean, links: FileLinks): ComponentChild {
  const { added, modified, removed } = commit.filesChanged
  const entries = [
    ...added.map((path) => ({ kind: 'added' as const, path, href: links.file(path) })),
    ...modified.map((path) => ({ kind: 'modified' as const, path, href: links.file(path) })),
    ...removed.map((path) => ({ kind: 'removed' as const, path })),
  ]
  return h(
    'section',
    null,
    heading('files', 'Files changed', entries.length),
    truncated && h('p', { class: 'empty' }, 'GitHub truncated this list. The push changed more files.'),
    entries.length > 0 ? pathList(entries) : !truncated && h('p', { class: 'empty' }, 'No changed files reported.'),
  )
}

function pagesSection(update: UpdateStatus, report: UpdateReport | undefined): ComponentChild {
  const entries = report?.pages ?? []
  const changed = entries.filter(({ kind }) => kind !== 'kept')
  return h(
    'section',
    null,
    heading('pages', 'Pages changed', report && changed.length),
    entries.length > 0
      ? pathList(entries.map(({ kind, path, operation, detail }) => ({ kind, path, notes: [operation, detail] })))
      : h('p', { class: 'empty' }, describeNoPages(update, report)),
  )
}

function describeNoPages(update: UpdateStatus, report: UpdateReport | undefined): string {
  if (update.endedAt === undefined) return 'Available when the update ends.'
  if (!report) return 'This update has no report.'
  if (update.status === 'failure') return 'No pages were planned, because a document is invalid.'
  return report.unchangedPageCount === 0 ? 'No pages.' : `${count(report.unchangedPageCount, 'page')}, all up to date.`
}

function logsSection({ logs, status }: UpdateStatus): ComponentChild {
  if (logs.length === 0) return h('section', null, heading('logs', 'Logs'), h('p', { class: 'empty' }, 'No log lines yet.'))
  const rows = logs.map((line, index) =>
    h(
      'span',
      { class: 'row' },
      h('span', { class: 'number', 'aria-hidden': 'true' }, String(index + 1)),
      h('bdi', null, line),
      '\n',
    ),
  )
  return h(
    'section',
    null,
    heading('logs', 'Logs'),
    h(
      'details',
      { class: 'fold', 'data-fold': 'logs', open: status !== 'success' },
      h('summary', null, icon('chevron'), count(logs.length, 'line')),
      h('pre', { class: 'code log', tabIndex: 0, role: 'group', 'aria-label': 'Logs' }, h('code', null, rows)),
    ),
  )
}

/** Waiting and running times are known only from a report with the duration of the run. */
function progressSteps(update: UpdateStatus, report: UpdateReport | undefined): ComponentChild {
  const { createdAt, endedAt, status } = update
  const ranMs = report?.durationMs
  const waitedMs = endedAt === undefined || ranMs === undefined ? undefined : Date.parse(endedAt) - Date.parse(createdAt) - ranMs
  const ended = endedAt !== undefined
  const neverRan = ended && isNotRunSummary(update.summary)
  const reached = status === 'queued' ? 'queued' : status === 'in_progress' ? 'in_progress' : 'ended'
  const done = (label: string, time: string | undefined, detail: string | undefined): ComponentChild =>
    h('li', { class: 'is-success' }, icon('success'), h('b', null, label), timeOf(time), detail && `${time ? ', ' : ''}${detail}`)
  const todo = (label: string): ComponentChild => h('li', { class: 'is-todo' }, icon('queued'), h('b', null, label))
  const current = (state: UpdateStatus['status'], time?: string): ComponentChild =>
    h('li', { class: `is-${state}`, 'aria-current': 'step' }, icon(state), h('b', null, stateLabels[state]), timeOf(time))
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
