import { configSchemaUrl } from '../../docs/config/config-files.ts'
import { editJson } from '../../docs/navigation/edit-json.ts'
import { isObject, type JsonObject, readOwn } from '../../text/json/json-values.ts'

/** An OpenAPI document with its title, if it has one. */
export interface TitledDocument {
  /** Relative to the docs directory. */
  readonly path: string
  readonly title: string | undefined
}

/** A `docs.json` with one tab for each document, in the form that Mintlify accepts too. */
export function renderDocsConfig(documents: readonly TitledDocument[]): string {
  const [only, ...others] = documents
  const docsConfig = {
    theme: 'mint',
    name: (others.length === 0 ? only?.title : undefined) ?? 'API documentation',
    colors: { primary: '#0F766E' },
    navigation: { tabs: toTabs(documents) },
  }
  return `${JSON.stringify(docsConfig, undefined, 2)}\n`
}

function toTabs(documents: readonly TitledDocument[]): object[] {
  const [only, ...others] = documents
  if (only && others.length === 0) return [{ tab: 'API Reference', openapi: only.path }]
  const labels = new Set<string>()
  const directories = new Set<string>()
  return documents.map(({ path, title }) => {
    const name = path.replace(/\.\w+$/, '')
    const tab = takeFree(title ?? name, labels)
    const directory = takeFree(
      `api-reference/${name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '')}`,
      directories,
    )
    return { tab, openapi: { source: path, directory } }
  })
}

function takeFree(wanted: string, taken: Set<string>): string {
  let free = wanted
  for (let number = 2; taken.has(free); number++) free = `${wanted} ${number}`
  taken.add(free)
  return free
}

/** The lists of `navigation` that can get another division, with the key of its label. */
const navigationLists = { tabs: 'tab', dropdowns: 'dropdown', anchors: 'anchor', groups: 'group' } as const

/**
 * Adds a division with the document to a `docs.json` that names no OpenAPI document. Returns `undefined` if its navigation has no list
 * for it, or is in other files.
 */
export function addDivision(text: string, { path }: TitledDocument): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const navigation: JsonObject | undefined = isObject(value) && isObject(value['navigation']) ? value['navigation'] : undefined
  for (const [list, label] of Object.entries(navigationLists)) {
    const divisions = readOwn(navigation, list)
    if (!Array.isArray(divisions) || divisions.length === 0) continue
    const division = { [label]: 'API Reference', openapi: path }
    return editJson(text, [{ kind: 'insert', array: `/navigation/${list}`, index: divisions.length, values: [division] }])
  }
  return undefined
}

interface ConfigFacts {
  readonly materialize: boolean
  /** The file with known problems, relative to the configuration file. */
  readonly baseline: string | undefined
}

/** A configuration file with its most important settings. */
export function renderConfig({ materialize, baseline }: ConfigFacts): string {
  const known = baseline === undefined ? '' : `\n# Known problems, which are not reported again.\nbaseline: ${baseline}\n`
  return `# yaml-language-server: $schema=${configSchemaUrl}
# All settings: https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md

# true: API pages are files in this repository. false: the site or the docs host generates them.
materialize: ${materialize}
${known}`
}
