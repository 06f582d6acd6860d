import { changeUrl, describeAcceptance, describeLevel, isChangeCode } from '../../../changes/change.ts'
import { formatLevels, formatOperation } from '../../../changes/show/changes-text.ts'
import { type SiteChangelog, sumCounts } from '../../../store/records/stored-records.ts'
import { listOperations, type StoredChange, type StoredDocument, toOperationName } from '../../base/stored-changes.ts'
import { Place } from './diagnostics-section.tsx'
import { CommitLink, Fold, Heading, Icon, IsolatedText, OptionalLink, Paragraph } from './elements.tsx'
import { sentence } from './formats.ts'
import { apiChangesId, type FileLinks, type PageUrl, toFileLinks, type UpdateParts } from './update-links.ts'

/** Breaking and risky changes of a document that are not folded. */
const unfoldedChanges = 20
/** Operations named after a change of a component. */
const namedOperations = 5

interface ChangelogLinksProps {
  /** The changelog pages of the site. */
  readonly changelogs: readonly SiteChangelog[]
  readonly page: PageUrl
}

/** Links to the changelog pages of a site, as one paragraph. Nothing without any. */
export function ChangelogLinks({ changelogs, page }: ChangelogLinksProps) {
  const links = changelogs.flatMap(({ route, title }) => {
    const href = page(route)
    return href === undefined ? [] : [{ href, title }]
  })
  if (links.length === 0) return null
  return (
    <p class="empty">
      Changes by version:{' '}
      {links.map(({ href, title }, index) => (
        <>
          {index > 0 && ', '}
          <a href={href}>
            <bdi>{title}</bdi>
          </a>
        </>
      ))}
    </p>
  )
}

/** The changes of the API since the base of the commit, most severe first, each with its operations and its places. */
export function ApiChangesSection({ stored, apiChanges: changes, links, pageUrl: page }: UpdateParts) {
  if (!changes) return null
  if (changes.kind === 'unavailable') {
    return (
      <section>
        <Heading id={apiChangesId} label="API changes" />
        <Paragraph class="empty" text={`The API changes could not be compared: ${changes.reason}.`} />
      </section>
    )
  }
  const { baseSha, counts, documents, documentCount } = changes
  const base = toFileLinks(links.repository, baseSha)
  const levels = formatLevels(counts)
  return (
    <section>
      <Heading id={apiChangesId} label="API changes" count={levels || undefined} />
      <p class="empty">
        {levels === '' ? 'No changes for API clients since ' : 'Compared with '}
        <CommitLink href={links.commit(baseSha)} sha={baseSha} />.
      </p>
      <ChangelogLinks changelogs={stored.details.site?.changelogs ?? []} page={page} />
      {documents.map((document) => (
        <DocumentChanges document={document} links={links} base={base} page={page} />
      ))}
      {documentCount > documents.length && (
        <p class="empty">… and {(documentCount - documents.length).toLocaleString('en-US')} more documents.</p>
      )}
    </section>
  )
}

interface DocumentChangesProps {
  readonly document: StoredDocument
  /** Files of the commit and of its base. */
  readonly links: FileLinks
  readonly base: FileLinks
  readonly page: PageUrl
}

function DocumentChanges({ document, ...links }: DocumentChangesProps) {
  return (
    <>
      <h3 class="others">
        <bdi class="mono">{document.document}</bdi>
        <Versions document={document} />
      </h3>
      {document.comparison ? (
        <ComparedChanges document={document} comparison={document.comparison} {...links} />
      ) : (
        <p class="empty">This document was not compared, because it cannot be read as OpenAPI in both versions.</p>
      )}
    </>
  )
}

function ComparedChanges({
  comparison: { counts, changes },
  ...props
}: DocumentChangesProps & { readonly comparison: NonNullable<StoredDocument['comparison']> }) {
  const { document } = props
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
  return (
    <>
      <IncompleteNote document={document} />
      {shown.map((change) => (
        <ChangeArticle change={change} {...props} />
      ))}
      {folded.length > 0 && (
        <Fold name={`changes-${document.document}`} label={`${shown.length > 0 ? 'More: ' : ''}${formatLevels(left)}`}>
          {folded.map((change) => (
            <ChangeArticle change={change} {...props} />
          ))}
          {unlisted > 0 && (
            <p class="empty">
              … and {unlisted.toLocaleString('en-US')} more. List them all with <code>openapi-pages changes</code>
            </p>
          )}
        </Fold>
      )}
    </>
  )
}

function countLevel(changes: readonly StoredChange[], wanted: StoredChange['level']): number {
  return changes.filter(({ level }) => level === wanted).length
}

function Versions({ document: { kind, comparison } }: { readonly document: StoredDocument }) {
  if (kind !== 'compared') return <small> {kind}</small>
  if (!comparison || comparison.base.version === comparison.revision.version) return null
  const { base, revision } = comparison
  return (
    <small>
      {' version '}
      <bdi>
        {base.version || '–'} → {revision.version || '–'}
      </bdi>
    </small>
  )
}

function IncompleteNote({ document: { errors } }: { readonly document: StoredDocument }) {
  const sides = [...(errors.base > 0 ? ['the base'] : []), ...(errors.revision > 0 ? ['the commit'] : [])]
  if (sides.length === 0) return null
  return <p class="empty">The list can be incomplete, because the document has errors in {sides.join(' and ')}.</p>
}

const icons = { breaking: 'error', risky: 'warning', compatible: 'success' } as const

interface ChangeProps extends DocumentChangesProps {
  readonly change: StoredChange
}

function ChangeArticle(props: ChangeProps) {
  const { change, links, base } = props
  const { level, message, hint, code, accepted } = change
  const mark = accepted ? 'info' : icons[level]
  return (
    <article class={`finding is-${mark}`}>
      <h3>
        <Icon name={mark} />
        <span class="hidden">{level}: </span>
        <IsolatedText text={message} />
      </h3>
      <p class="where">
        <span>{describeLevel({ level, ...(accepted && { accepted }) })}</span>
        {isChangeCode(code) ? <a href={changeUrl(code)}>{code}</a> : <span>{code}</span>}
        {change.base && (
          <span>
            base <Place place={change.base} links={base} />
          </span>
        )}
        {change.revision && (
          <span>
            revision <Place place={change.revision} links={links} />
          </span>
        )}
      </p>
      <Operations {...props} />
      {accepted && <p dir="auto">{sentence(describeAcceptance({ accepted }) ?? '')}</p>}
      {!accepted && hint !== undefined && <Paragraph text={sentence(hint)} />}
    </article>
  )
}

/** The operations of a change, with links to their pages. */
function Operations({ change, document: { pages }, page }: ChangeProps) {
  const listed = listOperations(change)
  const shown = listed.slice(0, namedOperations)
  const left = (change.method === null ? change.operationCount : listed.length) - shown.length
  if (shown.length === 0) return null
  return (
    <p>
      {change.method === null && 'Affects '}
      {shown.map((operation, index) => {
        const name = toOperationName(operation)
        const route = Object.hasOwn(pages, name) ? pages[name] : undefined
        return (
          <>
            {index > 0 && ', '}
            <OptionalLink href={route === undefined ? undefined : page(route)}>
              <bdi>
                <code>{formatOperation(operation)}</code>
              </bdi>
            </OptionalLink>
          </>
        )
      })}
      {left > 0 && ` and ${left.toLocaleString('en-US')} more`}
    </p>
  )
}
