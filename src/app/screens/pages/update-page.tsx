import type { ComponentChildren } from 'preact'
import { formatCount } from '../../../diagnostics/diagnostic.ts'
import type { UpdateReport } from '../../../docs/update/update-results.ts'
import { isNotRunSummary, type UpdateStatus } from '../../../status/update-record.ts'
import { ApiChangesSection } from './api-changes-section.tsx'
import { ChangedPagesSection } from './changed-pages-section.tsx'
import { DiagnosticsSection } from './diagnostics-section.tsx'
import {
  Breadcrumb,
  CodeBlock,
  CommitLink,
  DescriptionList,
  Fold,
  Heading,
  Icon,
  InlineCode,
  OptionalLink,
  Paragraph,
  PathList,
} from './elements.tsx'
import { formatDate, formatDuration, formatTime, toMark, toRefName, type UpdateMark } from './formats.ts'
import { type Frame, renderPage } from './layout.tsx'
import { type FileLinks, toFileLinks, type UpdateParts } from './update-links.ts'

interface UpdatePageOptions extends Omit<UpdateParts, 'links'> {
  /** URL of GitHub, for links to commits and files. */
  readonly githubUrl: string
  /** Lets the open page poll for changes. */
  readonly etag: string
  /** Result of `mayStillChange`. */
  readonly mayStillChange: boolean
  /** Present on the dashboard; absent behind a signed link. */
  readonly dashboard?: UpdateDashboard | undefined
}

/** Additions of the dashboard to the page of an update. */
interface UpdateDashboard {
  readonly frame: Frame
  /** Breadcrumb links that replace those to GitHub. */
  readonly crumbs: readonly ComponentChildren[]
  readonly notice: ComponentChildren
  /** Buttons and links at the end of the line of the title. */
  readonly actions: ComponentChildren
  /** Short marks next to the state. */
  readonly tags: ComponentChildren
  /** URL of the update of the commit that overtook this one, if it has one. A signed link must not lead to another update. */
  readonly newerUpdate: string | undefined
  /** Terms and values about the site of the commit. */
  readonly facts: readonly (readonly [string, ComponentChildren])[]
}

/** The page of one update: state, commit, problems with code frames, files, pages and logs. */
export function renderUpdatePage(options: UpdatePageOptions): string {
  const { stored, project, report, apiChanges, githubUrl, etag, mayStillChange, dashboard } = options
  const { update } = stored
  const repository = `${project.owner}/${project.repo}`
  const parts = { ...options, links: toFileLinks(`${githubUrl}/${repository}`, update.commit.sha) }
  const [subject = '', ...rest] = update.commit.message.trim().split('\n')
  const title = subject || `Commit ${update.commit.sha.slice(0, 7)}`
  const body = rest.join('\n').trim()
  const mark = toMark(update.status, apiChanges?.kind === 'compared' && apiChanges.counts.breaking > 0)
  const isFailure = update.status === 'failure' && report !== undefined && report.findings.length > 0
  const diagnostics = (
    <Part name="findings">
      <DiagnosticsSection {...parts} />
    </Part>
  )
  return renderPage({
    title: `${mark.label}: ${title} · ${repository} ${toRefName(stored)}`,
    ...(mayStillChange && { live: { etag } }),
    ...(dashboard && { frame: dashboard.frame }),
    children: (
      <>
        <Part name="head">
          {dashboard ? <Breadcrumb items={dashboard.crumbs} /> : <Crumbs {...parts} />}
          {dashboard?.notice}
          <div class="title">
            <h1 dir="auto">
              <InlineCode text={title} />
            </h1>
            <span class="tags">
              <StatePill mark={mark} />
              {dashboard?.tags}
            </span>
            <span class="acts">{dashboard?.actions}</span>
          </div>
          <Paragraph class="lead" text={update.summary || 'Waiting in the queue.'} />
          {body && <Paragraph class="message" text={body} />}
        </Part>
        {isFailure && diagnostics}
        <Part name="steps">
          <ProgressSteps {...parts} mark={mark} />
        </Part>
        <Part name="facts">
          <Facts {...parts} />
        </Part>
        <Part name="screenshots">
          <ScreenshotsSection {...parts} />
        </Part>
        <Part name="api-changes">
          <ApiChangesSection {...parts} />
        </Part>
        <Part name="changed-pages">
          <ChangedPagesSection {...parts} />
        </Part>
        {!isFailure && diagnostics}
        <Part name="documents">
          <DocumentsSection {...parts} />
        </Part>
        <Part name="changes">
          <div class="columns">
            <FilesSection {...parts} />
            <PagesSection {...parts} />
          </div>
        </Part>
        <Part name="logs">
          <LogsSection {...parts} />
        </Part>
      </>
    ),
  })
}

/** A part that the live script replaces when it changes. */
function Part({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return <div data-part={name}>{children}</div>
}

function Crumbs({ project: { owner, repo, root }, stored: { update }, links }: UpdateParts) {
  const repository = (
    <a href={links.repository}>
      {owner}/{repo}
    </a>
  )
  return <Breadcrumb items={[repository, ...(root ? [`${root}/`] : []), <RefLink name={update.commit.ref} links={links} />]} />
}

/** The site in both themes; nothing until screenshots exist. */
function ScreenshotsSection({ stored: { update } }: UpdateParts) {
  const { screenshotLight, screenshotDark, commit } = update
  const screenshots = [
    ...(screenshotLight === undefined ? [] : [{ theme: 'Light', src: screenshotLight }]),
    ...(screenshotDark === undefined ? [] : [{ theme: 'Dark', src: screenshotDark }]),
  ]
  if (screenshots.length === 0) return null
  return (
    <section>
      <Heading id="screenshots" label="Screenshots" />
      <div class="pictures">
        {screenshots.map(({ theme, src }) => (
          <figure>
            <a href={src}>
              <img src={src} alt={`Site at ${commit.sha.slice(0, 7)}, ${theme.toLowerCase()} theme`} loading="lazy" />
            </a>
            <figcaption>{theme}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}

/** Links a branch or tag by its name; shows any other ref as plain text. */
function RefLink({ name: ref, links }: { readonly name: string; readonly links: FileLinks }) {
  const name = /^refs\/(?:heads|tags)\/(.+)$/.exec(ref)?.[1]
  if (name === undefined) return <bdi>{ref}</bdi>
  return (
    <a href={links.ref(name)}>
      <bdi>{name}</bdi>
    </a>
  )
}

function StatePill({ mark: { name, label } }: { readonly mark: UpdateMark }) {
  return (
    <span class={`tag is-${name}`} role="status">
      <Icon name={name} />
      {label}
    </span>
  )
}

type FactsProps = UpdateParts & Pick<UpdatePageOptions, 'dashboard'>

function Facts({ stored: { update, details }, dashboard, links }: FactsProps) {
  const { sha, ref } = update.commit
  const { pullNumber, overtakenBy, forkPreview } = details
  const branch = (
    <>
      <Icon name="branch" /> <RefLink name={ref} links={links} />
    </>
  )
  const rows: (readonly [string, ComponentChildren])[] = [
    ['Commit', <CommitLink href={links.commit(sha)} sha={sha} />],
    [ref.startsWith('refs/tags/') ? 'Tag' : 'Branch', branch],
  ]
  if (pullNumber !== undefined) rows.push(['Pull request', <a href={links.pull(pullNumber)}>#{pullNumber}</a>])
  if (overtakenBy !== undefined) {
    const newer = (
      <>
        The branch is at <CommitLink href={dashboard?.newerUpdate ?? links.commit(overtakenBy)} sha={overtakenBy} />
      </>
    )
    rows.push(['Not published', newer])
  }
  if (forkPreview !== undefined) rows.push(['Preview', forkPreviewLabels[forkPreview]])
  rows.push(
    ['Author', <bdi>{update.author}</bdi>],
    ['Source', toSourceLabel(update, details.trigger)],
    ['Date', <time dateTime={update.createdAt}>{formatDate(update.createdAt)}</time>],
    ['Record', <span class="mono">{update._id}</span>],
    ...(dashboard?.facts ?? []),
  )
  return <DescriptionList class="facts" rows={rows} />
}

const forkPreviewLabels = {
  waiting: 'The commit is from a fork. Someone with write access must approve the preview',
  off: (
    <>
      Off for forks (<code>github.forkPreviews</code>)
    </>
  ),
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

function DocumentsSection({ report, links }: UpdateParts) {
  if (!report || report.documents.length === 0) return null
  return (
    <section>
      <Heading id="documents" label="Documents" count={report.documents.length} />
      <ul class="paths">
        {report.documents.map((document) => (
          <DocumentItem document={document} links={links} />
        ))}
      </ul>
    </section>
  )
}

function DocumentItem({ document, links }: { readonly document: UpdateReport['documents'][number]; readonly links: FileLinks }) {
  const { path, version, operationCount, errorCount, warningCount } = document
  const facts = [
    version === undefined ? 'Not OpenAPI' : `OpenAPI ${version}`,
    formatCount(operationCount, 'operation'),
    ...(errorCount > 0 ? [formatCount(errorCount, 'error')] : []),
    ...(warningCount > 0 ? [formatCount(warningCount, 'warning')] : []),
  ]
  return (
    <li class={errorCount > 0 ? 'is-failure' : 'is-success'}>
      <span class="kind">{errorCount > 0 ? 'invalid' : 'valid'}</span>
      <span>
        <span class="mono">
          <bdi>
            <OptionalLink href={links.file(path)}>{path}</OptionalLink>
          </bdi>
        </span>
        <small>{facts.join(', ')}</small>
      </span>
    </li>
  )
}

function FilesSection({ stored: { update, details }, links }: UpdateParts) {
  const { added, modified, removed } = update.commit.filesChanged
  const isTruncated = details.filesTruncated === true
  const entries = [
    ...added.map((path) => ({ kind: 'added' as const, path, href: links.file(path) })),
    ...modified.map((path) => ({ kind: 'modified' as const, path, href: links.file(path) })),
    ...removed.map((path) => ({ kind: 'removed' as const, path })),
  ]
  return (
    <section>
      <Heading id="files" label="Files changed" count={entries.length} />
      {isTruncated && <p class="empty">This list may be incomplete.</p>}
      {entries.length > 0 ? <PathList entries={entries} /> : !isTruncated && <p class="empty">No changed files reported.</p>}
    </section>
  )
}

function PagesSection({ stored: { update }, project, report }: UpdateParts) {
  const entries = report?.pages ?? []
  const changed = entries.filter(({ kind }) => kind !== 'kept')
  return (
    <section>
      <Heading id="pages" label="Pages changed" count={report && changed.length} />
      {entries.length > 0 ? (
        <PathList entries={entries.map(({ kind, path, operation, detail }) => ({ kind, path, notes: [operation, detail] }))} />
      ) : (
        <p class="empty">{describeNoPages(update, project, report)}</p>
      )}
    </section>
  )
}

function describeNoPages(update: UpdateStatus, { audiences }: UpdateParts['project'], report: UpdateReport | undefined): string {
  if (update.endedAt === undefined) return 'Available when the update ends.'
  if (!report) return audiences ? 'Only the dashboard shows reports of sites with audiences.' : 'This update has no report.'
  if (update.status === 'failure') return 'No pages were planned, because a document is invalid.'
  return report.unchangedPageCount === 0
    ? 'The repository has no generated pages.'
    : `${formatCount(report.unchangedPageCount, 'page')}, all up to date.`
}

function LogsSection({ stored }: UpdateParts) {
  const { logs, status } = stored.update
  return (
    <section>
      <Heading id="logs" label="Logs" />
      {logs.length === 0 ? (
        <p class="empty">No log lines yet.</p>
      ) : (
        <Fold name="logs" label={formatCount(logs.length, 'line')} isOpen={status !== 'success'}>
          <CodeBlock class="code log" label="Logs">
            {logs.map((line, index) => (
              <span class="row">
                <span class="number" aria-hidden="true">
                  {index + 1}
                </span>
                <bdi>{line}</bdi>
                {'\n'}
              </span>
            ))}
          </CodeBlock>
        </Fold>
      )}
    </section>
  )
}

/** Waiting and running times are known only from a report with the duration of the run. */
function ProgressSteps({ stored, report, mark }: UpdateParts & { readonly mark: UpdateMark }) {
  const { createdAt, endedAt, status, summary } = stored.update
  const ranMs = report?.durationMs
  const waitedMs = endedAt === undefined || ranMs === undefined ? -1 : Date.parse(endedAt) - Date.parse(createdAt) - ranMs
  const wait =
    waitedMs >= 0
      ? { text: `waited ${formatDuration(waitedMs)}`, endedAt: new Date(Date.parse(createdAt) + waitedMs).toISOString() }
      : undefined
  const neverRan = endedAt !== undefined && isNotRunSummary(summary)
  return (
    <ol class="steps" aria-label="Progress">
      {status === 'queued' ? (
        <Step mark={mark} isCurrent time={createdAt} />
      ) : (
        <Step mark={finished('Queued')} time={createdAt} detail={wait?.text} />
      )}
      {status === 'queued' || neverRan ? (
        <Step mark={future(neverRan ? 'Not run' : 'In progress')} />
      ) : status === 'in_progress' ? (
        <Step mark={mark} isCurrent />
      ) : (
        <Step
          mark={finished('In progress')}
          time={wait?.endedAt}
          detail={ranMs === undefined ? undefined : `ran ${formatDuration(ranMs)}`}
        />
      )}
      {endedAt === undefined ? <Step mark={future('Result')} /> : <Step mark={mark} isCurrent time={endedAt} />}
    </ol>
  )
}

const finished = (label: string) => ({ name: 'success', label }) as const
const future = (label: string) => ({ name: 'todo', label }) as const

interface StepProps {
  readonly mark: { readonly name: UpdateMark['name'] | 'todo'; readonly label: string }
  readonly isCurrent?: boolean
  readonly time?: string | undefined
  readonly detail?: string | undefined
}

function Step({ mark: { name, label }, isCurrent = false, time, detail }: StepProps) {
  return (
    <li class={`is-${name}`} aria-current={isCurrent ? 'step' : undefined}>
      <Icon name={name === 'todo' ? 'queued' : name} />
      <b>{label}</b>
      {time !== undefined && (
        <time class="numeric" dateTime={time}>
          {formatTime(time)}
        </time>
      )}
      {time !== undefined && detail !== undefined && ', '}
      {detail}
    </li>
  )
}
