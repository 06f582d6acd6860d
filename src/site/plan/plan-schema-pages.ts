import { toPageFolder, toPathKey, toSafeName, toSchemaPageName, toShortHash } from '../../docs/pages/generated-page.ts'
import { countBy } from '../../text/plain/lists.ts'
import { joinPath } from '../../text/plain/paths.ts'
import type { NamedSchema } from '../reference/create-reference.ts'
import type { DivisionNode, SitePage } from './types.ts'

/** The schemas of the OpenAPI documents of a site. */
export interface SchemaPagesInput {
  /** The schemas that operations and webhooks use, by source. */
  readonly schemas: ReadonlyMap<string, readonly NamedSchema[]>
  /** Whether the navigation of a site for a single document lists them: `site.schemas`. */
  readonly isListed: boolean
  /** Returns the directory for the pages of a document. */
  readonly directoryOf: (source: string) => string
}

type Draft = Omit<SitePage, 'trail'>

interface SchemaPagesTarget {
  /** The planned pages, to which those of schemas are added. */
  readonly byRoute: Map<string, Draft>
  readonly isSingleDocument: boolean
  readonly claim: (path: string) => string
  readonly toPage: (
    subject: SitePage['subject'],
    route: string,
    texts: Pick<Draft, 'title'> & Partial<Pick<Draft, 'description' | 'deprecated'>>,
  ) => Draft
}

/**
 * Plans a page for each schema that an operation or webhook uses, unless the author bound a page to it. In a site for a single document, they are a group of
 * the navigation. All others are hidden: readers reach them from the properties that have the schema.
 */
export function planSchemaPages(navigation: DivisionNode, input: SchemaPagesInput, target: SchemaPagesTarget): DivisionNode {
  const { byRoute, isSingleDocument } = target
  const bound = new Set(
    [...byRoute.values()].flatMap(({ subject }) => (subject.kind === 'schema' ? `${subject.source}\n${subject.name}` : [])),
  )
  const groups = [...input.schemas].flatMap(([source, used]) => {
    const wanted = used.filter(({ name }) => !bound.has(`${source}\n${name}`))
    const routes = wanted.length === 0 ? [] : addPages(source, wanted, input, target)
    return isSingleDocument && input.isListed && routes.length > 0 ? [toGroup(navigation, routes)] : []
  })
  return groups.length === 0 ? navigation : { ...navigation, children: [...navigation.children, ...groups] }
}

/** The label of the group of all schemas, which `update` also gives to generated groups. */
const groupLabel = 'Schemas'

function toGroup(navigation: DivisionNode, routes: readonly string[]): DivisionNode {
  return {
    ...navigation,
    kind: 'group',
    id: `${navigation.id}/schemas`,
    label: groupLabel,
    root: undefined,
    href: undefined,
    expanded: false,
    isCompact: true,
    children: routes.map((route) => ({ kind: 'page', route })),
  }
}

function addPages(
  source: string,
  schemas: readonly NamedSchema[],
  { isListed, directoryOf }: SchemaPagesInput,
  { byRoute, isSingleDocument, claim, toPage }: SchemaPagesTarget,
): string[] {
  const folder = joinPath(toPageFolder(directoryOf(source)), 'schemas')
  const hidden = !isSingleDocument || !isListed
  const overview = hidden ? [] : [claim(folder)]
  for (const route of overview)
    byRoute.set(route, { ...toPage({ kind: 'schemas', source }, route, { title: groupLabel }), sidebarTitle: 'Overview' })
  const titles = toTitles(schemas)
  const taken = new Set<string>()
  const routes = schemas.map(({ name, description, deprecated }) => {
    const slug = toSchemaPageName(name)
    const key = toPathKey(slug)
    // A number would change with the schemas before this one.
    const route = claim(joinPath(folder, taken.has(key) ? toSafeName(`${slug}-${toShortHash(name)}`) : slug))
    taken.add(key)
    const page = toPage({ kind: 'schema', source, name }, route, { title: titles.get(name) ?? name, description, deprecated })
    byRoute.set(route, hidden ? { ...page, hidden, noindex: true, frontmatter: { noindex: true } } : page)
    return route
  })
  return [...overview, ...routes]
}

/** Longer titles are sentences. */
const maxTitle = 80

/** The title of each schema: its `title` if it is short and no other schema has it, else its name. */
function toTitles(schemas: readonly NamedSchema[]): Map<string, string> {
  const counts = countBy(schemas, ({ title }) => title?.trim())
  return new Map(
    schemas.map(({ name, title = '' }) => {
      const text = title.trim()
      return [name, text !== '' && text.length <= maxTitle && !text.includes('\n') && counts.get(text) === 1 ? text : name]
    }),
  )
}
