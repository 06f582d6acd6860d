import { type ComponentChild, h } from 'preact'
import { describeAcceptance, describeLevel } from '../../openapi/changes/accepted-changes.ts'
import { type ChangeCode, changeCodes, changeUrl } from '../../openapi/changes/change-codes.ts'
import { formatLevels, formatOperation } from '../../openapi/changes/changes-text.ts'
import { sumCounts } from '../../store/api-changes-store.ts'
import type { SiteChangelog } from '../../store/update-rows.ts'
import { listOperations, type StoredChange, type StoredChanges, type StoredDocument, toOperationName } from '../stored-changes.ts'
import { type FileLinks, sentence, toFileLinks } from './diagnostics-section.ts'
import { heading, icon, inlineCode } from './elements.ts'

/** The anchor of the section, for links in checks and comments. */
export const apiChangesId = 'api-changes'

/** Breaking and risky changes of a document that are not folded. */
const unfoldedChanges = 20
/** Operations named after a change of a component. */
const namedOperations = 5

interface ApiChangesOptions {
  /** `undefined` if nothing was compared. */
  readonly changes: StoredChanges | undefined
  readonly links: FileLinks
  /** URL of a page of the site; `undefined` if sites have no URLs. */
  readonly page: (route: string) => string | undefined
  /** The changelog pages of the site. */
  readonly changelogs: readonly SiteChangelog[]
}

/** Links to the changelog pages of a site, as one paragraph. Nothing without any. */
export function changelogLinks(changelogs: readonly SiteChangelog[], page: ApiChangesOptions['page']): ComponentChild {
  const links = changelogs.flatMap(({ route, title }) => {
    const href = page(route)
    return href === undefined ? [] : [h('a', { href }, h('bdi', null, title))]
  })
  if (links.length === 0) return undefined
  return h(
    'p',
    { class: 'empty' },
    'Changes by version: ',
    links.map((link, index) => [index > 0 && ', ', link]),
  )
}

/** The changes of the API since the base of the commit, most severe first, each with its operations and its places. */
export function apiChangesSection({ changes, links, page, changelogs }: ApiChangesOptions): ComponentChild {
  if (!changes) return undefined
  if (changes.kind === 'unavailable') {
    const reason = `The API changes could not be compared: ${changes.reason}.`
    return h('section', null, heading(apiChangesId, 'API changes'), h('p', { class: 'empty', dir: 'auto' }, inlineCode(reason)))
  }
  const { baseSha, counts, documents, documentCount } = changes
  const base = toFileLinks(links.repository, baseSha)
  const commit = h('a', { class: 'mono', href: base.commit }, baseSha.slice(0, 7))
  const levels = formatLevels(counts)
  return h(
    'section',
    null,
    heading(apiChangesId, 'API changes', levels || undefined),
    h('p', { class: 'empty' }, levels === '' ? 'No changes for API clients since ' : 'Compared with ', commit, '.'),
    changelogLinks(changelogs, page),
    documents.map((document) => documentChanges(document, { links, base, page })),
    documentCount > documents.length &&
      h('p', { class: 'empty' }, `… and ${(documentCount - documents.length).toLocaleString('en-US')} more documents.`),
  )
}

interface ChangeLinks {
  /** Files of the commit and of its base. */
  readonly links: FileLinks
  readonly base: FileLinks
  readonly page: ApiChangesOptions['page']
}

function documentChanges(document: StoredDocument, links: ChangeLinks): ComponentChild {
  const { comparison } = document
  const name = h('h3', { class: 'others' }, h('bdi', { class: 'mono' }, document.document), describeVersions(document))
  if (!comparison) {
    const text = 'This document was not compared, because it cannot be read as OpenAPI in both versions.'
    return [name, h('p', { class: 'empty' }, text)]
  }
  const { counts, changes } = comparison
  const shown = changes.filter(({ level, accepted }) => level !== 'compatible' && !accepted).slice(0, unfoldedChanges)
  const first = new Set(shown)
  const folded = changes.filter((change) => !first.has(change))
  const unlisted = sumCounts(counts) - changes.length
  const left = {
    breaking: counts.breaking - countLevel(shown, 'breaking'),
    risky: counts.risky - countLevel(shown, 'risky'),
    compatible: counts.compatible,
    accepted: counts.accepted,
  }
  const show = (change: StoredChange) => article(change, document, links)
  return [
    name,
    describeErrors(document),
    shown.map(show),
    folded.length > 0 &&
      h(
        'details',
        { class: 'fold', 'data-fold': `changes-${document.document}` },
        h('summary', null, icon('chevron'), `${shown.length > 0 ? 'More: ' : ''}${formatLevels(left)}`),
        folded.map(show),
        unlisted > 0 &&
          h(
            'p',
            { class: 'empty' },
            `… and ${unlisted.toLocaleString('en-US')} more. List them all with `,
            h('code', null, 'openapi-pages changes'),
          ),
      ),
  ]
}

function countLevel(changes: readonly StoredChange[], wanted: StoredChange['level']): number {
  return changes.filter(({ level }) => level === wanted).length
}

function describeVersions({ kind, comparison }: StoredDocument): ComponentChild {
  if (kind !== 'compared') return h('small', null, ` ${kind}`)
  if (!comparison || comparison.base.version === comparison.revision.version) return undefined
  const { base, revision } = comparison
  return h('small', null, ' version ', h('bdi', null, `${base.version || '–'} → ${revision.version || '–'}`))
}

function describeErrors({ errors }: StoredDocument): ComponentChild {
  const sides = [...(errors.base > 0 ? ['the base'] : []), ...(errors.revision > 0 ? ['the commit'] : [])]
  if (sides.length === 0) return undefined
  return h('p', { class: 'empty' }, `The list can be incomplete, because the document has errors in ${sides.join(' and ')}.`)
}

const icons = { breaking: 'error', risky: 'warning', compatible: 'success' } as const

function article(change: StoredChange, document: StoredDocument, { links, base, page }: ChangeLinks): ComponentChild {
  const { level, message, hint, code, accepted } = change
  const mark = accepted ? 'info' : icons[level]
  return h(
    'article',
    { class: `finding is-${mark}` },
    h('h3', null, icon(mark), h('span', { class: 'hidden' }, `${level}: `), h('bdi', null, inlineCode(message))),
    h(
      'p',
      { class: 'where' },
      h('span', null, describeLevel({ level, ...(accepted && { accepted }) })),
      isKnown(code) ? h('a', { href: changeUrl(code) }, code) : h('span', null, code),
      change.base && place('base', change.base, base),
      change.revision && place('revision', change.revision, links),
    ),
    operations(change, document, page),
    accepted && h('p', { dir: 'auto' }, sentence(describeAcceptance({ accepted }) ?? '')),
    !accepted && hint !== undefined && h('p', { dir: 'auto' }, inlineCode(sentence(hint))),
  )
}

function place(side: string, { file, line, column }: NonNullable<StoredChange['base']>, links: FileLinks): ComponentChild {
  const text = `${file}:${line}:${column}`
  const href = links.file(file, line)
  return h('span', null, `${side} `, h('bdi', { class: 'mono' }, href === undefined ? text : h('a', { href }, text)))
}

/** The operations of a change, with links to their pages. */
function operations(change: StoredChange, { pages }: StoredDocument, page: ChangeLinks['page']): ComponentChild {
  const listed = listOperations(change)
  const shown = listed.slice(0, namedOperations)
  const left = (change.method === null ? change.operationCount : listed.length) - shown.length
  if (shown.length === 0) return undefined
  const names = shown.map((operation, index) => {
    const name = toOperationName(operation)
    const route = Object.hasOwn(pages, name) ? pages[name] : undefined
    const href = route === undefined ? undefined : page(route)
    const label = h('bdi', null, h('code', null, formatOperation(operation)))
    return [index > 0 && ', ', href === undefined ? label : h('a', { href }, label)]
  })
  return h('p', null, change.method === null && 'Affects ', names, left > 0 && ` and ${left.toLocaleString('en-US')} more`)
}

function isKnown(code: string): code is ChangeCode {
  return Object.hasOwn(changeCodes, code)
}
