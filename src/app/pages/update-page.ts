import { type ComponentChild, h } from 'preact'
import type { Project, UpdateStatus } from '../../status/types.ts'
import { saysNotRun } from '../../status/update-summary.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import type { UpdateReport } from '../stored-report.ts'
import { breadcrumb, count, formatDate, formatDuration, formatTime, heading, icon, inlineCode, stateWords } from './elements.ts'
import { type FileLinks, findingsSection, toFileLinks } from './findings-section.ts'
import { type Frame, renderPage } from './layout.ts'

interface UpdatePageOptions {
  readonly stored: StoredUpdate
  readonly project: Project
  /** Absent until the update has ended, and for one that never ran. */
  readonly report: UpdateReport | undefined
  /** Address of GitHub, for links to commits and files. */
  readonly githubUrl: string
  /** For the page to follow the record while it is open. */
  readonly etag: string
  /** Of `isMoving`. */
  readonly isMoving: boolean
  /** On the dashboard, for who signed in; absent behind a signed link. */
  readonly dashboard?: UpdateDashboard | undefined
}

/** What the dashboard adds to the page of an update. */
interface UpdateDashboard {
  readonly frame: Frame
  /** Links that lead here, in the place of those to GitHub. */
  readonly crumbs: readonly ComponentChild[]
  readonly notice: ComponentChild
  /** Buttons and links beside the state. */
  readonly actions: ComponentChild
  /** Terms and values about the site of the commit. */
  readonly facts: readonly (readonly [string, ComponentChild])[]
}

/** The page of one update: state, commit, findings with code, files, pages and logs. */
export function renderUpdatePage({ stored, project, report, githubUrl, etag, isMoving, dashboard }: UpdatePageOptions): string {
  const { update, details } = stored
  const repository = `${project.owner}/${project.repo}`
  const links = toFileLinks(`${githubUrl}/${project.owner}/${project.repo}`, update.commit.sha)
  const [subject = '', ...rest] = update.commit.message.trim().split('\n')
  const title = subject || `Commit ${update.commit.sha.slice(0, 7)}`
  const body = rest.join('\n').trim()
  return renderPage({
    title: `${stateWords[update.status]}: ${title} · ${repository}`,
    ...(isMoving && { live: { etag } }),
    ...(dashboard && { frame: dashboard.frame }),
    children: [
      part('head', [
        dashboard ? breadcrumb(dashboard.crumbs) : crumbs(project, update, links),
        dashboard?.notice,
        h(
          'div',
          { class: 'title' },
          h('h1', { dir: 'auto' }, title),
          h('span', { class: 'acts' }, dashboard?.actions, statePill(update.status)),
        ),
        h('p', { class: 'lead', dir: 'auto' }, update.summary ? inlineCode(update.summary) : 'Waiting for its turn.'),
        body && h('p', { class: 'message', dir: 'auto' }, body),
      ]),
      part('steps', [progressSteps(update, report)]),
      part('facts', [facts(stored, links, dashboard?.facts)]),
      part('pictures', [picturesSection(update)]),
      part('findings', [findingsSection(update, report, links)]),
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

/** A piece that the script replaces by itself when it changed. */
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

/** The taken pages in both themes; nothing until they are there. */
function picturesSection({ screenshotLight, screenshotDark, commit }: UpdateStatus): ComponentChild {
  const pictures = [
    { theme: 'Light', src: screenshotLight },
    { theme: 'Dark', src: screenshotDark },
  ].filter(({ src }) => src !== undefined)
  if (pictures.length === 0) return undefined
  return h(
    'section',
    null,
    heading('pictures', 'Pictures'),
    h(
      'div',
      { class: 'pictures' },
      pictures.map(({ theme, src }) =>
        h(
          'figure',
          null,
          h(
            'a',
            { href: src },
            h('img', { src, alt: `The site at ${commit.sha.slice(0, 7)}, ${theme.toLowerCase()}`, loading: 'lazy' }),
          ),
          h('figcaption', null, theme),
        ),
      ),
    ),
  )
}

/** Branch and tag by name; another ref as it is, without a link. */
function refLink(ref: string, links: FileLinks): ComponentChild {
  const name = /^refs\/(?:heads|tags)\/(.+)$/.exec(ref)?.[1]
  return name === undefined ? h('bdi', null, ref) : h('a', { href: links.ref(name) }, h('bdi', null, name))
}

function statePill(status: UpdateStatus['status']): ComponentChild {
  return h('span', { class: `state is-${status}`, role: 'status' }, icon(status), stateWords[status])
}

function facts({ update, details }: StoredUpdate, links: FileLinks, more: UpdateDashboard['facts'] = []): ComponentChild {
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
    ...(details.forkPreview === undefined ? [] : [['Preview', forkPreviewTexts[details.forkPreview]] as const]),
    ['Author', h('bdi', null, update.author)],
    ['Source', toSourceWords(update, details.trigger)],
    ['Date', h('time', { dateTime: update.createdAt }, formatDate(update.createdAt))],
    ['Record', h('span', { class: 'mono' }, update._id)],
    ...more,
  ]
  return h(
    'dl',
    { class: 'facts' },
    rows.map(([term, value]) => h('div', null, h('dt', null, term), h('dd', null, value))),
  )
}

const forkPreviewTexts = {
  waiting: 'Waits for approval by someone with write access: the commit is from a fork',
  off: 'Off for forks (`github.forkPreviews`)',
} as const

function toSourceWords({ source }: UpdateStatus, trigger: string): string {
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
      return trigger === 'rerun' ? 'Re-run' : trigger === 'catch-up' ? 'Catch-up' : 'Retry'
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
      h('span', { class: 'kind' }, errorCount > 0 ? 'not valid' : 'valid'),
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
    truncated && h('p', { class: 'empty' }, 'GitHub names at most some thousand files of a push: there are more than these.'),
    entries.length > 0 ? pathList(entries) : !truncated && h('p', { class: 'empty' }, 'The commit names no files.'),
  )
}

function pagesSection(update: UpdateStatus, report: UpdateReport | undefined): ComponentChild {
  const entries = report?.pages ?? []
  return h(
    'section',
    null,
    heading('pages', 'Pages changed', report && entries.length),
    entries.length > 0
      ? pathList(entries.map(({ kind, path, operation, detail }) => ({ kind, path, notes: [operation, detail] })))
      : h('p', { class: 'empty' }, toNoPagesWords(update, report)),
  )
}

function toNoPagesWords(update: UpdateStatus, report: UpdateReport | undefined): string {
  if (update.endedAt === undefined) return 'Shown when the update has ended.'
  if (!report) return 'This update has no report of its pages.'
  if (update.status === 'failure') return 'No page was planned: a document is not valid.'
  return report.unchangedPageCount === 0 ? 'There are no pages.' : `${count(report.unchangedPageCount, 'page')}: all up to date.`
}

function logsSection({ logs, status }: UpdateStatus): ComponentChild {
  if (logs.length === 0) return h('section', null, heading('logs', 'Logs'), h('p', { class: 'empty' }, 'No lines yet.'))
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
      h('summary', null, icon('turn'), count(logs.length, 'line')),
      h('pre', { class: 'code log', tabIndex: 0, role: 'group', 'aria-label': 'Logs' }, h('code', null, rows)),
    ),
  )
}

/** How long it waited and ran is known once there is a report with the time of the run. */
function progressSteps(update: UpdateStatus, report: UpdateReport | undefined): ComponentChild {
  const { createdAt, endedAt, status } = update
  const ranMs = report?.durationMs
  const waitedMs = endedAt === undefined || ranMs === undefined ? undefined : Date.parse(endedAt) - Date.parse(createdAt) - ranMs
  const ended = endedAt !== undefined
  const neverRan = ended && saysNotRun(update.summary)
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

interface PathEntry {
  readonly kind: 'added' | 'modified' | 'removed' | 'kept'
  readonly path: string
  readonly href?: string | undefined
  readonly notes?: readonly (string | undefined)[]
}

const shownEntries = 200

/** Paths with what happened to each; beyond 200 the rest is counted. */
function pathList(entries: readonly PathEntry[]): ComponentChild {
  const rest = entries.length - shownEntries
  return h(
    'ul',
    { class: 'paths' },
    entries.slice(0, shownEntries).map(({ kind, path, href, notes = [] }) => {
      const detail = notes.filter(Boolean).join(' · ')
      return h(
        'li',
        { class: `is-${kind}` },
        h('span', { class: 'kind' }, kind),
        h(
          'span',
          null,
          h('bdi', { class: 'mono' }, href ? h('a', { href }, path) : path),
          detail && h('small', null, h('bdi', null, detail)),
        ),
      )
    }),
    rest > 0 && h('li', null, `… and ${rest.toLocaleString('en-US')} more`),
  )
}
