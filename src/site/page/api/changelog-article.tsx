import { type ChangeCounts, type ChangedOperation, changeLevels, changeUrl, describeLevel } from '../../../changes/change.ts'
import type { Changelog, ChangelogChange } from '../../../changes/compare/changelog.ts'
import { formatOperation } from '../../../changes/show/changes-text.ts'
import type { MdxHeading } from '../../../script/values/values.ts'
import { escapeDirection } from '../../../text/plain/escape-text.ts'
import { capitalize, getOrMake, onceFor } from '../../../text/plain/lists.ts'
import { type AllowedUrl, encodeUrlPart } from '../../../text/plain/paths.ts'
import { formatMessage, formatNumber } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'
import type { SitePlan } from '../../plan/types.ts'
import { toFeedPaths } from '../shell/metatags.ts'
import { toAssetHref, toHref, withRest } from '../site-context.ts'
import { type ApiContext, findChangelogPage } from './api-context.ts'
import {
  countLevels,
  describeEntry,
  describeReason,
  describeRest,
  type LastChange,
  type ListedEntry,
  listEntries,
  listRootEntries,
  nameDirection,
  nameLastChange,
  nameLevel,
  nameVersion,
  type RootChange,
  toOperationKey,
} from './changelog-entries.ts'
import { DocumentLink, Message } from './part.tsx'

const groups = [...changeLevels, 'accepted'] as const

/** The group in which readers filter a change. */
function groupOf({ level, accepted }: ChangelogChange): (typeof groups)[number] {
  return accepted ? 'accepted' : level
}

/** The changes of an API by version, newest first. The filter by level needs no script. */
export function ChangelogArticle({ changelog, api }: { readonly changelog: Changelog; readonly api: ApiContext }) {
  const { entries, isCut } = changelog
  const feeds = toFeedPaths(api.site, api.page)
  const releases = listRootEntries(changelog)
  const counts = countGroups(releases.flatMap(({ listed }) => listed))
  const used = groups.filter((group) => counts[group] > 0)
  const { messages } = api.site
  const texts = messages.changelog
  return (
    <>
      <p class="lead">{entries.length === 0 ? texts.empty : texts.lead}</p>
      <div class="changelog">
        <div class="filter">
          {used.length > 1 && (
            <fieldset class="levels">
              <legend class="vh">{texts.filter}</legend>
              <Level name="all" count={releases.reduce((sum, { listed }) => sum + listed.length, 0)} messages={messages} />
              {used.map((group) => (
                <Level name={group} count={counts[group]} messages={messages} />
              ))}
            </fieldset>
          )}
          {feeds && entries.length > 0 && (
            <p class="api-line">
              <a href={toAssetHref(api.site.hosting, feeds.rss)}>{texts.rssFeed}</a>
              <a href={toAssetHref(api.site.hosting, feeds.json)}>{texts.jsonFeed}</a>
            </p>
          )}
        </div>
        {releases.map((one) => (
          <Release one={one} api={api} />
        ))}
        {isCut && entries.length > 0 && <p class="muted">{texts.older}</p>}
      </div>
    </>
  )
}

interface LevelProps {
  readonly name: 'all' | (typeof groups)[number]
  readonly count: number
  readonly messages: Messages
}

function Level({ name, count, messages: { changelog: texts, language } }: LevelProps) {
  return (
    <label>
      <input type="radio" name="level" value={name} checked={name === 'all'} /> {capitalize(texts[name])}{' '}
      <span class="num">{formatNumber(count, language)}</span>
    </label>
  )
}

/** The groups that contain a change. A change can be breaking in requests and compatible in responses. */
function listGroups({ parts }: RootChange): readonly (typeof groups)[number][] {
  return [...new Set(parts.map(groupOf))]
}

function countGroups(changes: readonly RootChange[]): ChangeCounts {
  const counts = { breaking: 0, risky: 0, compatible: 0, accepted: 0 }
  for (const group of changes.flatMap(listGroups)) counts[group]++
  return counts
}

/** The versions as headings of the page. */
export function listChangelogHeadings(changelog: Changelog, messages: Messages): MdxHeading[] {
  return listEntries(changelog).map(({ entry, id }) => ({ depth: 2, id, text: escapeDirection(nameVersion(entry, messages)) }))
}

function Release({ one: { entry, id, listed, left }, api }: { readonly one: ListedEntry<RootChange>; readonly api: ApiContext }) {
  const { name, date, sha, url } = entry
  const { messages } = api.site
  return (
    <section class={`part release ${[...new Set(listed.flatMap(listGroups))].join(' ')}`}>
      <h2 id={id}>
        <a class="h" href={`#${id}`} dir="auto">
          {escapeDirection(nameVersion(entry, messages))}
        </a>{' '}
        <small>
          {date !== undefined && !name.startsWith(date.slice(0, 10)) && <time dateTime={date}>{date.slice(0, 10)}</time>}{' '}
          {sha !== undefined && <DocumentLink url={url}>{sha.slice(0, 7)}</DocumentLink>}
        </small>
      </h2>
      <p class="muted">
        {left > 0 || listed.length === 0 ? describeEntry(entry, messages) : countLevels(countGroups(listed), messages)}
      </p>
      {listed.length > 0 && (
        <ul class="changes">
          {listed.map((change) => (
            <Change root={change} api={api} />
          ))}
        </ul>
      )}
      {left > 0 && <p class="muted">{describeRest(left, listed.length, messages)}</p>}
    </section>
  )
}

/** The most operations of a change that are always shown. */
const maxShown = 5
/** The most that readers can expand. */
const maxOperations = 50

function Change({ root, api }: { readonly root: RootChange; readonly api: ApiContext }) {
  const { change, parts, operations } = root
  // The message of an operation that was added or removed names it.
  const named = operations.filter(
    (operation) => !change.message.includes(`\`${formatOperation(operation)}\``) || findHref(operation, api) !== undefined,
  )
  const isMany = named.length > maxShown
  const left = named.length - maxOperations
  const links = named.slice(0, maxOperations).map((operation) => (
    <>
      <OperationLink operation={operation} api={api} />{' '}
    </>
  ))
  const { changelog: texts, language } = api.site.messages
  const codes = [...new Set(parts.map(({ code }) => code))]
  return (
    <li class={`change ${listGroups(root).join(' ')}`}>
      <ChangeText change={change} among={parts} parts={parts} messages={api.site.messages} />
      <div class="touched">
        {!isMany && links}
        <details>
          <summary>{isMany ? formatMessage(texts.operations, { count: operations.length }, language) : texts.details}</summary>
          {isMany && (
            <p class="touched">
              {links}
              {left > 0 && formatMessage(texts.andMore, { count: left }, language)}
            </p>
          )}
          <p>
            {texts.code}{' '}
            {codes.map((code) => (
              <>
                <a href={changeUrl(code)}>{code}</a>{' '}
              </>
            ))}
          </p>
        </details>
      </div>
    </li>
  )
}

interface ChangeTextProps {
  readonly change: ChangelogChange
  /** All listed changes next to it. */
  readonly among: readonly ChangelogChange[]
  /** The levels of the change, see `RootChange`. Default: only its own. */
  readonly parts?: readonly ChangelogChange[]
  readonly messages: Messages
}

/** The levels and the message of a change, and why it is accepted. */
function ChangeText({ change, among, parts = [change], messages }: ChangeTextProps) {
  const reasons = new Set(parts.flatMap((part) => describeReason(part, messages) ?? []))
  const isSame = new Set(parts.map(describeLevel)).size === 1
  return (
    <>
      <p dir="auto">
        {(isSame ? parts.slice(0, 1) : parts).map((part) => (
          <>
            <span class={`tag level-${groupOf(part)}`}>
              {nameLevel(part, messages)}
              {!isSame && nameDirection(part, parts, messages)}
            </span>{' '}
          </>
        ))}
        <Message text={escapeDirection(change.message)} />
        {parts.length === 1 && nameDirection(change, among, messages)}
      </p>
      {[...reasons].map((reason) => (
        <p class="muted" dir="auto">
          {escapeDirection(reason)}
        </p>
      ))}
    </>
  )
}

function OperationLink({ operation, api }: { readonly operation: ChangedOperation; readonly api: ApiContext }) {
  const name = <code>{escapeDirection(formatOperation(operation))}</code>
  const href = findHref(operation, api)
  return href === undefined ? name : <a href={href}>{name}</a>
}

/** The URL of an operation's page, also if its path parameters have other names today. */
function findHref({ method, path }: ChangedOperation, { site, page }: ApiContext): AllowedUrl | undefined {
  const source = 'source' in page.subject ? page.subject.source : ''
  const routes = getOrMake(routesOf(site.plan), source, () => indexRoutes(site.plan, source))
  const route = routes.get(toOperationKey(`${method} ${path}`))
  return route === undefined ? undefined : toHref(site.hosting, route)
}

const routesOf = onceFor((_: SitePlan) => new Map<string, ReadonlyMap<string, string>>())

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
  const { messages } = site
  const { changelog: texts, language } = messages
  const title = escapeDirection(nameLastChange(last, messages))
  return (
    <div class="last-change">
      <button type="button" class="tag" popovertarget={id}>
        {title}
      </button>
      <div id={id} popover="auto" role="dialog" aria-label={title}>
        <ul class="changes">
          {last.changes.slice(0, maxInPopover).map((change) => (
            <li class={`change ${groupOf(change)}`}>
              <ChangeText change={change} among={last.changes} messages={messages} />
            </li>
          ))}
        </ul>
        <p>
          <a href={withRest(toHref(site.hosting, changelog.route), `#${encodeUrlPart(last.id)}`)}>
            {left > 0 ? formatMessage(texts.moreAndAll, { count: left }, language) : texts.allOfVersion}
          </a>
        </p>
      </div>
    </div>
  )
}
