import { formatNumber } from '../../../diagnostics/diagnostic.ts'
import { describeLevel } from '../../../openapi/changes/accepted-changes.ts'
import { changeLevels, changeUrl } from '../../../openapi/changes/change-codes.ts'
import type { Changelog, ChangelogChange } from '../../../openapi/changes/changelog.ts'
import { formatOperation } from '../../../openapi/changes/changes-text.ts'
import { capitalize } from '../../../openapi/changes/lifecycle.ts'
import type { ChangedOperation } from '../../../openapi/changes/types.ts'
import { escapeDirection } from '../../../source/escape-text.ts'
import type { MdxHeading } from '../../content/types.ts'
import { Message } from '../changes-page.tsx'
import { toFeedPaths } from '../shell/metatags.ts'
import { createSiteMemo, toAssetHref, toHref } from '../site-context.ts'
import type { SitePlan } from '../types.ts'
import { type ApiContext, findChangelogPage } from './api-context.ts'
import {
  describeEntry,
  describeReason,
  describeRest,
  type LastChange,
  type ListedEntry,
  listEntries,
  nameDirection,
  nameLastChange,
  toOperationKey,
} from './changelog-entries.ts'

interface ChangelogProps {
  readonly changelog: Changelog
  readonly api: ApiContext
}

const groups = [...changeLevels, 'accepted'] as const

/** The group in which readers filter a change. */
function groupOf({ level, accepted }: ChangelogChange): (typeof groups)[number] {
  return accepted ? 'accepted' : level
}

/** The changes of an API by version, newest first. The filter by level needs no script. */
export function ChangelogArticle({ changelog, api }: ChangelogProps) {
  const { entries, isCut } = changelog
  const feeds = toFeedPaths(api.site, api.page)
  const used = groups.filter((group) => entries.some(({ changes }) => changes.some((change) => groupOf(change) === group)))
  return (
    <>
      {entries.length === 0 ? (
        <p class="lead">There are no versions to compare yet.</p>
      ) : (
        <p class="lead">What changed for clients of the API, newest version first.</p>
      )}
      {feeds && entries.length > 0 && (
        <p class="api-line">
          <a href={toAssetHref(api.site, feeds.rss)}>RSS feed</a>
          <a href={toAssetHref(api.site, feeds.json)}>JSON feed</a>
        </p>
      )}
      <div class="changelog">
        {used.length > 1 && (
          <fieldset class="levels">
            <legend class="vh">Changes to show</legend>
            {['all', ...used].map((level) => (
              <label>
                <input type="radio" name="level" value={level} checked={level === 'all'} /> {capitalize(level)}
              </label>
            ))}
          </fieldset>
        )}
        {listEntries(changelog).map((one) => (
          <Release one={one} api={api} />
        ))}
        {isCut && entries.length > 0 && <p class="muted">Older versions are not listed.</p>}
      </div>
    </>
  )
}

/** The versions as headings of the page. */
export function listChangelogHeadings(changelog: Changelog): MdxHeading[] {
  return listEntries(changelog).map(({ entry, id }) => ({ depth: 2, id, text: escapeDirection(entry.name) }))
}

function Release({ one: { entry, id, listed }, api }: { readonly one: ListedEntry; readonly api: ApiContext }) {
  const { name, date, sha, url, changes } = entry
  const left = changes.length - listed.length
  return (
    <section class={`part release ${[...new Set(changes.map(groupOf))].join(' ')}`}>
      <h2 id={id}>
        <a class="h" href={`#${id}`} dir="auto">
          {escapeDirection(name)}
        </a>{' '}
        <small>
          {date !== undefined && !name.startsWith(date.slice(0, 10)) && <time dateTime={date}>{date.slice(0, 10)}</time>}{' '}
          {sha !== undefined && (url === undefined ? sha.slice(0, 7) : <a href={url}>{sha.slice(0, 7)}</a>)}
        </small>
      </h2>
      <p class="muted">{describeEntry(entry)}</p>
      {listed.length > 0 && (
        <ul class="changes">
          {listed.map((change) => (
            <Change change={change} among={listed} api={api} />
          ))}
        </ul>
      )}
      {left > 0 && <p class="muted">{describeRest(left, listed.length)}</p>}
    </section>
  )
}

interface ChangeProps {
  readonly change: ChangelogChange
  /** All listed changes of the version. */
  readonly among: readonly ChangelogChange[]
  readonly api: ApiContext
}

function Change({ change, among, api }: ChangeProps) {
  const { code, message, operation, operations } = change
  const name = operation && formatOperation(operation)
  const isNamed = name !== null && message.includes(`\`${name}\``)
  return (
    <li class={`change ${groupOf(change)}`}>
      <ChangeText change={change} among={among} />
      <p class="where-changed">
        {operation && (!isNamed || findHref(operation, api) !== undefined) && <OperationLink operation={operation} api={api} />}
        {!operation && operations.length > 0 && <Affected operations={operations} api={api} />}{' '}
        <a class="code-link" href={changeUrl(code)}>
          {code}
        </a>
      </p>
    </li>
  )
}

/** The level and message of a change, and why it is accepted. */
function ChangeText({ change, among }: Omit<ChangeProps, 'api'>) {
  const reason = describeReason(change)
  return (
    <>
      <p dir="auto">
        <span class={`tag level-${groupOf(change)}`}>{describeLevel(change)}</span>{' '}
        <Message text={escapeDirection(change.message)} />
        {nameDirection(change, among)}
      </p>
      {reason !== undefined && (
        <p class="muted" dir="auto">
          {escapeDirection(reason)}
        </p>
      )}
    </>
  )
}

/** The most affected operations of a change that are named. */
const maxOperations = 5

function Affected({ operations, api }: { readonly operations: readonly ChangedOperation[]; readonly api: ApiContext }) {
  const left = operations.length - maxOperations
  return (
    <>
      {operations.slice(0, maxOperations).map((operation) => (
        <>
          <OperationLink operation={operation} api={api} />{' '}
        </>
      ))}
      {left > 0 && `and ${formatNumber(left)} more`}
    </>
  )
}

function OperationLink({ operation, api }: { readonly operation: ChangedOperation; readonly api: ApiContext }) {
  const name = <code>{escapeDirection(formatOperation(operation))}</code>
  const href = findHref(operation, api)
  return href === undefined ? name : <a href={href}>{name}</a>
}

/** The URL of an operation's page, also if its path parameters have other names today. */
function findHref({ method, path }: ChangedOperation, { site, page }: ApiContext): string | undefined {
  const source = 'source' in page.subject ? page.subject.source : ''
  const known = routesOf(site.plan)
  const routes = known.get(source) ?? indexRoutes(site.plan, source)
  known.set(source, routes)
  const route = routes.get(toOperationKey(`${method} ${path}`))
  return route === undefined ? undefined : toHref(site, route)
}

const routesOf = createSiteMemo<string, ReadonlyMap<string, string>>()

function indexRoutes({ pages }: SitePlan, source: string): ReadonlyMap<string, string> {
  const routes = new Map<string, string>()
  for (const { route, subject } of pages) {
    if ((subject.kind !== 'operation' && subject.kind !== 'webhook') || subject.source !== source) continue
    const key = subject.kind === 'operation' ? toOperationKey(subject.target) : `webhook:${subject.name}`
    if (!routes.has(key)) routes.set(key, route)
  }
  return routes
}

/** The most changes in a popover. */
const maxInPopover = 8

/** A button with the version that changed the page last. It opens a popover with the changes, which Escape closes, without a script. */
export function ChangeBadge({ last, api }: { readonly last: LastChange; readonly api: ApiContext }) {
  const { page, site } = api
  const changelog = findChangelogPage(site, page)
  if (!changelog) return null
  const id = api.claim('last-change')
  const left = last.changes.length - maxInPopover
  const title = escapeDirection(nameLastChange(last))
  return (
    <div class="last-change">
      <button type="button" class="tag" popovertarget={id}>
        {title}
      </button>
      <div id={id} popover="auto" role="dialog" aria-label={title}>
        <ul class="changes">
          {last.changes.slice(0, maxInPopover).map((change) => (
            <li class={`change ${groupOf(change)}`}>
              <ChangeText change={change} among={last.changes} />
            </li>
          ))}
        </ul>
        <p>
          <a href={`${toHref(site, changelog.route)}#${encodeURIComponent(last.id)}`}>
            {left > 0 ? `${formatNumber(left)} more, and all changes of the version` : 'All changes of the version'}
          </a>
        </p>
      </div>
    </div>
  )
}
