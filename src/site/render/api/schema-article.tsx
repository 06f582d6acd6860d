import { formatCount } from '../../../diagnostics/diagnostic.ts'
import { groupBy } from '../../../source/group-by.ts'
import type { PropertyView, SchemaPageView, SchemaUse } from '../../reference/types.ts'
import { toElementId } from '../element-ids.ts'
import { Icon } from '../icons/page-icons.tsx'
import { MethodMark } from '../shell/marks.tsx'
import type { ApiContext } from './api-context.ts'
import { Part } from './part.tsx'
import { Facts, PropertyRow, SchemaContent, TypeText } from './schema-content.tsx'

/** The reference of a named schema, shown below the page title. */
export function SchemaArticle({ view, api }: { readonly view: SchemaPageView; readonly api: ApiContext }) {
  const { schema, usedBy } = view
  const groups = groupBy(schema.properties, ({ origin }) => origin?.name)
  const own = groups.get(undefined) ?? []
  // Group properties by origin only if there are several origins.
  const inherited = groups.size > 1 ? [...groups].filter(([name]) => name !== undefined) : []
  const shown = inherited.length === 0 ? schema : { ...schema, properties: own }
  const id = api.claim(schema.properties.length > 0 ? 'properties' : 'values')
  // Claim this ID before the properties do, so that the section has the same ID on every page.
  const usedById = api.claim('used-by')
  return (
    <>
      <Part
        id={id}
        heading={schema.properties.length > 0 ? 'Properties' : 'Values'}
        note={<TypeText type={schema.type} api={api} />}
      >
        <Facts schema={schema} api={api} />
        <SchemaContent schema={shown} api={api} id="" depth={0} />
      </Part>
      {inherited.map(([name = '', properties]) => (
        <Inherited name={name} properties={properties} api={api} />
      ))}
      {usedBy.length > 0 && <UsedBy uses={usedBy} id={usedById} api={api} />}
    </>
  )
}

interface InheritedProps {
  readonly name: string
  readonly properties: readonly PropertyView[]
  readonly api: ApiContext
}

/** The properties that a schema inherits from another schema. */
function Inherited({ name, properties, api }: InheritedProps) {
  const id = api.claim(toElementId('from', name))
  const href = api.schemaHref({ name })
  return (
    <Part id={id} heading={`From ${name}`} note={href === undefined ? 'allOf' : <a href={href}>allOf {name}</a>}>
      <ul class="props">
        {properties.map((property) => (
          <PropertyRow api={api} id={toElementId(property.name)} {...property} depth={1} />
        ))}
      </ul>
    </Part>
  )
}

/** The most users that are listed without expanding. Error schemas can have hundreds. */
const listedUsers = 20

interface User {
  readonly use: SchemaUse
  readonly places: readonly string[]
}

function UsedBy({ uses, id, api }: { readonly uses: readonly SchemaUse[]; readonly id: string; readonly api: ApiContext }) {
  const users = groupUses(uses)
  const more = users.slice(listedUsers)
  return (
    <Part id={id} heading="Used by" note={formatCount(users.length, 'place')}>
      <Users users={users.slice(0, listedUsers)} api={api} />
      {more.length > 0 && (
        <details class="nest">
          <summary>
            <Icon name="chev" class="turn" /> <span class="more">Show {more.length.toLocaleString('en')} more</span>
            <span class="less">Show fewer</span>
          </summary>
          <Users users={more} api={api} />
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
            <span>{title}</span> <small>{places.join(', ')}</small>
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
): { href: string | undefined; title: string } {
  const route = api.routeOf(kind, target)
  const name = kind === 'operation' ? target.slice(target.indexOf(' ') + 1) : target
  if (route === undefined) return { href: undefined, title: name }
  return { href: api.hrefOf(route), title: kind === 'schema' ? name : (api.site.pageByRoute.get(route)?.title ?? name) }
}

/** Groups uses by user, with all places where the user refers to the schema. */
function groupUses(uses: readonly SchemaUse[]): User[] {
  const users = new Map<string, { use: SchemaUse; places: string[] }>()
  for (const use of uses) {
    const key = `${use.kind} ${use.target}`
    const known = users.get(key)
    if (known) known.places.push(use.place)
    else users.set(key, { use, places: [use.place] })
  }
  return [...users.values()]
}
