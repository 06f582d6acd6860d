import { groupBy } from '../../../text/plain/lists.ts'
import type { AllowedUrl } from '../../../text/plain/paths.ts'
import { formatMessage } from '../../messages/format-message.ts'
import type { PropertyView, SchemaFact, SchemaPageView, SchemaUse, UsePlace } from '../../reference/types.ts'
import { toBreakable } from '../breakable.tsx'
import { Description } from '../components/markdown-text.tsx'
import { NestSummary } from '../components/nest-summary.tsx'
import { toElementId } from '../element-ids.ts'
import { Icon } from '../icons/page-icons.tsx'
import { MethodMark } from '../shell/marks.tsx'
import { toPlainDescription } from '../shell/metatags.ts'
import { SamplesLink } from '../shell/page-frame.tsx'
import { toHref } from '../site-context.ts'
import { type ApiContext, findPageHref } from './api-context.ts'
import { Part } from './part.tsx'
import { type Around, findTitle, ItemWords, PropertyRow, SchemaContent, SchemaMarks, showType } from './schema-content.tsx'
import { Facts } from './schema-facts.tsx'
import { translatePlace } from './schema-words.ts'

interface SchemaArticleProps {
  readonly view: Pick<SchemaPageView, 'name' | 'schema' | 'usedBy' | 'examples'>
  readonly api: ApiContext
  /** The description that the page shows below its title. */
  readonly lead?: string | undefined
  /** Whether the page has samples to link to. */
  readonly hasSamples?: boolean
}

/** The reference of a schema, shown below the page title. */
export function SchemaArticle({ view: { name, schema, usedBy, examples }, api, lead, hasSamples = false }: SchemaArticleProps) {
  const groups = groupBy(schema.properties, ({ origin }) => origin?.name)
  const own = groups.get(undefined) ?? []
  // Group properties by origin only if there are several origins.
  const inherited = groups.size > 1 ? [...groups].filter(([name]) => name !== undefined) : []
  const shown = inherited.length === 0 ? schema : { ...schema, properties: own, bases: [] }
  const hasProperties = schema.properties.length > 0
  const id = api.claim(hasProperties ? 'properties' : 'values')
  // Claim this ID before the properties do, so that the section has the same ID on every page.
  const usedById = api.claim('used-by')
  const around = new Map([[name, id]])
  const { messages } = api.site
  const title = findTitle(schema, [api.page.title])
  // The written examples are next to the text.
  const isExample = (fact: SchemaFact) => fact.kind === 'value' && fact.label === 'Example'
  const facts = examples.length === 0 ? schema.facts : schema.facts.filter((fact) => !isExample(fact))
  return (
    <>
      {title !== undefined && <p class="p-desc">{title}</p>}
      {schema.description !== lead && <Description text={schema.description} api={api} class="prose" />}
      {hasSamples && <SamplesLink label={messages.reference.samples} />}
      <Part
        messages={messages}
        id={id}
        heading={hasProperties ? messages.reference.properties : messages.reference.values}
        note={
          <>
            {showType(schema.type, api)} <SchemaMarks schema={schema} messages={messages} />
          </>
        }
      >
        <Facts schema={{ ...schema, facts }} api={api} />
        <ItemWords schema={schema} api={api} />
        <div class="rows">
          <SchemaContent schema={shown} api={api} id="" start={id} depth={0} around={around} />
        </div>
      </Part>
      {inherited.map(([name = '', properties]) => (
        <Inherited name={name} properties={properties} api={api} around={around} />
      ))}
      {usedBy.length > 0 && <UsedBy uses={usedBy} id={usedById} api={api} />}
    </>
  )
}

interface InheritedProps {
  readonly name: string
  readonly properties: readonly PropertyView[]
  readonly api: ApiContext
  readonly around: Around
}

/** The properties that a schema inherits from another schema. */
function Inherited({ name, properties, api, around }: InheritedProps) {
  const id = api.claim(toElementId('from', name))
  const href = findPageHref(api, 'schema', name)
  const { messages } = api.site
  return (
    <Part
      messages={messages}
      id={id}
      heading={formatMessage(messages.reference.inheritedFrom, { name }, messages.language)}
      note={
        href === undefined ? (
          'allOf'
        ) : (
          <a href={href}>
            allOf<span class="vh"> {name}</span>
          </a>
        )
      }
    >
      <div class="rows">
        <ul class="props">
          {properties.map((property) => (
            <PropertyRow api={api} id={toElementId(property.name)} {...property} depth={1} around={around} />
          ))}
        </ul>
      </div>
    </Part>
  )
}

/** With more schemas, the list has only names. */
const maxDescribed = 300

/** The schemas of an API, each with the start of its description. */
export function SchemasArticle({ api }: { readonly api: ApiContext }) {
  const listed = api.reference.usedSchemas.flatMap((schema) => {
    const href = findPageHref(api, 'schema', schema.name)
    return href === undefined ? [] : [{ ...schema, href }]
  })
  const isLong = listed.length > maxDescribed
  return (
    <ul class="all-pages">
      {listed.map(({ name, description = '', href }) => (
        <li>
          <a href={href}>{name}</a>
          {!isLong && description !== '' && <small dir="auto"> {toShortText(description)}</small>}
        </li>
      ))}
    </ul>
  )
}

/** The most characters of a description in a list. */
const maxText = 100

function toShortText(text: string): string {
  const line = toPlainDescription({ description: text.slice(0, 4 * maxText) }) ?? ''
  return line.length <= maxText ? line : `${line.slice(0, maxText).replace(/\s+\S*$/, '')}…`
}

/** The most users that are listed without expanding. Error schemas can have hundreds. */
const listedUsers = 20

/** The most users that are listed at all. A chain of thousands of schemas would repeat itself on each of their pages. */
const maxUsers = 500

interface User {
  readonly use: SchemaUse
  readonly places: readonly UsePlace[]
}

function UsedBy({ uses, id, api }: { readonly uses: readonly SchemaUse[]; readonly id: string; readonly api: ApiContext }) {
  const users = groupUses(uses)
  const more = users.slice(listedUsers, maxUsers)
  const { messages } = api.site
  const { reference: texts, language } = messages
  return (
    <Part
      messages={messages}
      id={id}
      heading={texts.usedBy}
      note={formatMessage(texts.places, { count: users.length }, language)}
    >
      <Users users={users.slice(0, listedUsers)} api={api} />
      {more.length > 0 && (
        <details class="nest">
          <NestSummary
            label={formatMessage(texts.morePlaces, { count: more.length }, language)}
            hidden={texts.hiddenPlaces}
            messages={messages}
          />
          <Users users={more} api={api} />
          {users.length > maxUsers && <p>{formatMessage(texts.more, { count: users.length - maxUsers }, language)}</p>}
        </details>
      )}
    </Part>
  )
}

function Users({ users, api }: { readonly users: readonly User[]; readonly api: ApiContext }) {
  return (
    <div class="usedby">
      {users.map(({ use: { kind, target }, places }) => {
        const { href, title } = findUser({ kind, target }, api)
        const inside = (
          <>
            {kind === 'schema' ? (
              <Icon name="cube" />
            ) : (
              <MethodMark method={kind === 'webhook' ? 'HOOK' : target.slice(0, target.indexOf(' '))} />
            )}{' '}
            <span>{toBreakable(title)}</span>{' '}
            <small>{places.map((place) => translatePlace(place, api.site.messages)).join(', ')}</small>
          </>
        )
        return href === undefined ? <p>{inside}</p> : <a href={href}>{inside}</a>
      })}
    </div>
  )
}

/** The page URL and title of a user. Users without a page have only a name. */
function findUser(
  { kind, target }: Pick<SchemaUse, 'kind' | 'target'>,
  api: ApiContext,
): { href: AllowedUrl | undefined; title: string } {
  const route = api.routes.routeOf(kind, target)
  const name = kind === 'operation' ? target.slice(target.indexOf(' ') + 1) : target
  if (route === undefined) return { href: undefined, title: name }
  return {
    href: toHref(api.site.hosting, route),
    title: kind === 'schema' ? name : (api.site.plan.pageByRoute.get(route)?.title ?? name),
  }
}

/** Groups uses by user, with all places where the user refers to the schema. */
function groupUses(uses: readonly SchemaUse[]): User[] {
  const groups = groupBy(uses, ({ kind, target }) => `${kind} ${target}`)
  return [...groups.values()].flatMap(([use, ...more]) =>
    use ? [{ use, places: [use, ...more].map(({ place }) => place) }] : [],
  )
}
