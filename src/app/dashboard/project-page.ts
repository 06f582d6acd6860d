import { type ComponentChild, h } from 'preact'
import type { Project } from '../../status/types.ts'
import type { ApiChangesStore, ChangedCommit } from '../../store/api-changes-store.ts'
import type { StoredLink } from '../../store/session-store.ts'
import { isPublicSite, type PublishedSite, type SiteBuild } from '../../store/sites/stored-sites.ts'
import type { UpdateList, UpdateSummary } from '../../store/status-store.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import { apiChangesId } from '../pages/api-changes-section.ts'
import { breadcrumb, count, formatDate, formatDuration, heading, icon, inlineCode } from '../pages/elements.ts'
import { mayDo } from '../people/people.ts'
import { toProjectName } from '../run/run-context.ts'
import { actionForm, cursorPager, formatBytes, toAgo, type UpdateItem, updateList } from './dashboard-elements.ts'
import { hostOf } from './side-bar.ts'
import { toBuildHost, toProjectPath, toRefName, toSubject, toUpdatePath, toVisitUrl, type Visit } from './visit.ts'

type CommitHistory = Awaited<ReturnType<ApiChangesStore['list']>>

interface ProjectPage {
  readonly project: Project
  readonly published: PublishedSite | undefined
  /** From the report of the latest successful update of the default branch. */
  readonly operationCount: number | undefined
  readonly summary: UpdateSummary
  readonly refs: { readonly updates: readonly StoredUpdate[]; readonly count: number }
  readonly updates: UpdateList
  /** The newest commits of the default branch with API changes. */
  readonly changes: CommitHistory | undefined
  /** Links to the changelogs of the production site. */
  readonly changelogs: ComponentChild
  /** Site builds of all updates on this page, by commit. */
  readonly builds: ReadonlyMap<string, SiteBuild>
  readonly cursor: string | undefined
  /** Share links of a private site. */
  readonly links: readonly StoredLink[]
  readonly notice: ComponentChild
}

export function projectContent(visit: Visit, page: ProjectPage): ComponentChild {
  const { project } = page
  return [
    breadcrumb([h('a', { href: '/projects' }, 'Projects')]),
    page.notice,
    h('div', { 'data-part': 'head' }, head(visit, page), facts(page)),
    h('section', { 'data-part': 'branches' }, branchesSection(visit, page)),
    h('section', { 'data-part': 'changes' }, changesSection(visit, page)),
    h('section', { 'data-part': 'updates' }, updatesSection(visit, page)),
    !project.enabled &&
      h(
        'p',
        { class: 'note is-warning' },
        'Updates are off for this project. Turn them on in its settings to process pushes again.',
      ),
  ]
}

function head(visit: Visit, { project, published, links }: ProjectPage): ComponentChild {
  const url = visit.siteUrl({ subdomain: project.subdomain })
  const { githubUrl } = visit.context.config
  return [
    h(
      'div',
      { class: 'title' },
      h('h1', null, toProjectName(project)),
      h(
        'span',
        { class: 'acts' },
        mayDo(visit.access, project, 'admin') &&
          h('a', { class: 'button quiet', href: `${toProjectPath(project)}/settings` }, 'Settings'),
        published && url && h('a', { class: 'button', href: toVisitUrl(project, url) }, icon('external'), 'Visit'),
      ),
    ),
    h(
      'p',
      { class: 'lead' },
      published
        ? [
            url
              ? [h('a', { href: toVisitUrl(project, url) }, hostOf(url)), ' shows ']
              : 'This server does not host sites. Latest: ',
            h(
              'a',
              { class: 'mono', href: `${githubUrl}/${project.owner}/${project.repo}/commit/${published.build.sha}` },
              published.build.sha.slice(0, 7),
            ),
            `, published ${toAgo(published.publishedAt, visit.now)}${publishedBy(published)}.`,
            published.build.status === 'failure' && [
              ' This commit ',
              h('a', { href: `${toProjectPath(project)}/updates/${published.build.statusId}` }, 'has errors'),
              '.',
            ],
          ]
        : project.hasDocsConfig
          ? `No site yet. Push to ${project.defaultBranch} to create one.`
          : 'Checks only: the repository has no docs.json.',
    ),
    published && url && !isPublicSite(project) && mayDo(visit.access, project, 'write') && linkForm(project, links),
  ]
}

function publishedBy({ publishedBy: actor }: PublishedSite): string {
  return actor.startsWith('github:') ? ` by ${actor.slice('github:'.length)}` : ''
}

function facts({ published, operationCount, summary }: ProjectPage): ComponentChild {
  const { ended, succeeded, isCut, medianMs } = summary
  const share = ended === 0 ? '' : `, ${Math.floor((succeeded / ended) * 100)}% succeeded`
  const rows: [string, string][] = [
    ...(published ? [['Pages', published.build.pageCount.toLocaleString('en-US')] satisfies [string, string]] : []),
    ...(operationCount === undefined ? [] : [['Operations', operationCount.toLocaleString('en-US')] satisfies [string, string]]),
    ['Last 30 days', `${ended.toLocaleString('en-US')}${isCut ? '+' : ''} ${ended === 1 ? 'update' : 'updates'}${share}`],
    ...(medianMs === undefined ? [] : [['Median time to result', formatDuration(medianMs)] satisfies [string, string]]),
    ...(published ? [['Size', formatBytes(published.build.sizeBytes)] satisfies [string, string]] : []),
  ]
  return h(
    'dl',
    { class: 'facts' },
    rows.map(([term, value]) => h('div', null, h('dt', null, term), h('dd', null, value))),
  )
}

function branchesSection(visit: Visit, { project, refs, builds }: ProjectPage): ComponentChild {
  const { updates, count } = refs
  const more = count - updates.length
  return [
    heading('branches', 'Branches and previews', count),
    count === 0
      ? h('p', { class: 'empty' }, 'Branches appear here after their first push.')
      : updateList(
          updates.map((stored) => branchItem(visit, project, stored, builds.get(stored.update.commit.sha))),
          visit.now,
        ),
    more > 0 &&
      h(
        'nav',
        { class: 'pager', 'aria-label': 'All branches' },
        h(
          'a',
          { class: 'button quiet', href: `${toProjectPath(project)}/branches` },
          `Show all ${count.toLocaleString('en-US')}`,
        ),
      ),
  ]
}

/** The latest update of a branch, with a link to its site. */
export function branchItem(visit: Visit, project: Project, stored: StoredUpdate, build: SiteBuild | undefined): UpdateItem {
  const { pullNumber } = stored.details
  const name = pullNumber === undefined ? toRefName(stored) : `${toRefName(stored)} ${toSubject(stored)}`
  const url =
    build &&
    visit.siteUrl(
      pullNumber === undefined || build.isPublished
        ? toBuildHost(project, build)
        : { subdomain: project.subdomain, preview: { kind: 'pull', pullNumber } },
    )
  const isOpen = stored.update.endedAt === undefined
  const link = (href: string, label: string) =>
    h('a', { class: 'button quiet', href }, label, h('span', { class: 'hidden' }, ` ${name}`))
  return {
    stored,
    title: name,
    note: isOpen
      ? [h('bdi', null, stored.update.author), ', ', h('bdi', null, inlineCode(stored.update.summary || 'waiting in the queue'))]
      : url && stored.update.status === 'success'
        ? hostOf(url)
        : h('bdi', null, inlineCode(stored.update.summary)),
    action: isOpen
      ? link(toUpdatePath(stored), 'View progress')
      : url
        ? link(toVisitUrl(project, url), 'Visit')
        : stored.update.status === 'failure'
          ? link(toUpdatePath(stored), 'View details')
          : undefined,
  }
}

function changesSection(visit: Visit, { project, changes, changelogs }: ProjectPage): ComponentChild {
  return [
    heading('changes', 'API changes'),
    changelogs,
    changedCommits(changes?.commits ?? [], project, visit.now),
    changes?.nextCursor !== undefined &&
      h(
        'nav',
        { class: 'pager', 'aria-label': 'All API changes' },
        h('a', { class: 'button quiet', href: `${toProjectPath(project)}/changes` }, 'Show all'),
      ),
  ]
}

const levelStates = { breaking: 'failure', risky: 'warning', compatible: 'success', accepted: 'info' } as const
const levels = ['breaking', 'risky', 'compatible', 'accepted'] as const

/** Commits with the number of their API changes by level. */
export function changedCommits(commits: readonly ChangedCommit[], { defaultBranch }: Project, now: Date): ComponentChild {
  if (commits.length === 0) {
    return h(
      'p',
      { class: 'empty' },
      'Commits of ',
      h('bdi', null, defaultBranch),
      ' that change the API for its clients appear here.',
    )
  }
  return updateList(
    commits.map(({ stored, counts }) => ({
      stored,
      anchor: apiChangesId,
      note: [h('span', { class: 'mono' }, stored.update.commit.sha.slice(0, 7)), ' by ', h('bdi', null, stored.update.author)],
      action: levels.flatMap((level) =>
        counts[level] === 0
          ? []
          : [h('span', { class: `tag is-${levelStates[level]}` }, `${counts[level].toLocaleString('en-US')} ${level}`)],
      ),
    })),
    now,
  )
}

function updatesSection(visit: Visit, { project, updates, builds, cursor }: ProjectPage): ComponentChild {
  return [
    heading('updates', 'Updates'),
    updates.updates.length === 0
      ? h('p', { class: 'empty' }, 'No updates yet. Push to the repository to start one.')
      : updateList(
          updates.updates.map((stored) => ({
            stored,
            action: updateAction(visit, project, stored, builds.get(stored.update.commit.sha)),
          })),
          visit.now,
        ),
    cursorPager(toProjectPath(project), { cursor, nextCursor: updates.nextCursor }),
  ]
}

/** Buttons to publish a commit, re-run a failed update or approve a preview. Readers get none. */
export function updateAction(visit: Visit, project: Project, stored: StoredUpdate, build: SiteBuild | undefined): ComponentChild {
  if (stored.update.endedAt === undefined || !mayDo(visit.access, project, 'write')) return undefined
  const { sha, ref } = stored.update.commit
  const isSite = build?.statusId === stored.update._id && ref === `refs/heads/${project.defaultBranch}`
  const isFailure = stored.update.status === 'failure'
  return [
    stored.details.forkPreview === 'waiting' && build === undefined && approveForm(stored),
    isFailure && rerunForm(stored),
    isSite &&
      (build.isPublished
        ? h('span', { class: `tag ${isFailure ? 'is-warning' : 'is-success'}` }, 'Published')
        : publishForm(project, sha)),
  ]
}

function publishForm(project: Project, sha: string, label = 'Publish'): ComponentChild {
  return actionForm({ action: `${toProjectPath(project)}/publish`, fields: { sha }, label, of: sha.slice(0, 7) })
}

function approveForm(stored: StoredUpdate): ComponentChild {
  return actionForm({ action: `${toUpdatePath(stored)}/approve-preview`, label: 'Approve preview', of: toSubject(stored) })
}

function rerunForm(stored: StoredUpdate): ComponentChild {
  return actionForm({ action: `${toUpdatePath(stored)}/rerun`, label: 'Run again', of: toSubject(stored), iconName: 'retry' })
}

/** Lifetimes of share links, in days. */
export const linkDays = [1, 7, 30] as const

/** Creates and revokes links for people without access to the repository. */
function linkForm(project: Project, links: readonly StoredLink[]): ComponentChild {
  return h(
    'details',
    { class: 'fold', 'data-fold': 'share' },
    h('summary', null, icon('chevron'), 'Share with people who cannot read the repository'),
    h(
      'form',
      { class: 'field', method: 'post', action: `${toProjectPath(project)}/link` },
      h(
        'label',
        { for: 'days' },
        'Expires in',
        h(
          'select',
          { id: 'days', name: 'days' },
          linkDays.map((days) => h('option', { value: days, selected: days === 7 }, count(days, 'day'))),
        ),
      ),
      h('button', { class: 'button quiet', type: 'submit' }, 'Create link'),
    ),
    links.length > 0 &&
      h(
        'ul',
        { class: 'list', 'aria-label': 'Active links' },
        links.map((link) => linkItem(project, link)),
      ),
  )
}

function linkItem(project: Project, { id, host, createdBy, createdAt, expiresAt }: StoredLink): ComponentChild {
  const by = createdBy.replace(/^github:/, '')
  return h(
    'li',
    null,
    icon('external'),
    h('span', null, host, h('small', null, `Created by ${by} on ${formatDate(createdAt)}`)),
    h('time', { class: 'when numeric', dateTime: expiresAt }, `expires ${formatDate(expiresAt)}`),
    h(
      'span',
      { class: 'action' },
      actionForm({
        action: `${toProjectPath(project)}/links/${id}/revoke`,
        label: 'Revoke',
        of: `the link created by ${by} that expires ${formatDate(expiresAt)}`,
      }),
    ),
  )
}

/** Shows a new link. It is not shown again. */
export function linkContent(project: Project, { url, until }: { url: string; until: Date }): ComponentChild {
  const path = toProjectPath(project)
  return [
    breadcrumb([h('a', { href: '/projects' }, 'Projects'), h('a', { href: path }, toProjectName(project))]),
    h('h1', null, 'Share link'),
    h(
      'p',
      { class: 'lead' },
      `Anyone with this link can read the site until ${formatDate(until.toISOString())}. Copy it now, because it is not shown again. You can revoke it on the project page.`,
    ),
    h(
      'div',
      { class: 'field' },
      h('label', { for: 'link' }, 'Link', h('input', { id: 'link', value: url, readOnly: true, class: 'mono' })),
      h('a', { class: 'button quiet', href: url }, 'Open'),
    ),
  ]
}

/**
 * Confirms the last action, named by the `notice` query parameter; nothing for an unknown name.
 *
 * @param before The previously published commit, for the undo button.
 */
export function notice(project: Project, name: string | undefined, before: string | undefined): ComponentChild {
  switch (name) {
    case 'published':
      return h(
        'div',
        { class: 'note is-success', role: 'status' },
        h('span', null, 'Published. Visitors now see this commit.'),
        before !== undefined && publishForm(project, before, 'Undo'),
      )
    case 'unchanged':
      return h('div', { class: 'note is-info', role: 'status' }, 'This commit is already published.')
    case 'link-revoked':
      return h('div', { class: 'note is-success', role: 'status' }, 'Link revoked.')
    case 'saved':
      return h('div', { class: 'note is-success', role: 'status' }, 'Settings saved.')
    default:
      return undefined
  }
}
