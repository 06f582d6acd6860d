import { configSchemaUrl } from '../../docs-config/config-files.ts'
import { editJson } from '../../docs-config/edit-json.ts'
import { isObject, type JsonObject } from '../../source/is-object.ts'
import { githubPagesWorkflow, pullRequestWorkflow, pushWorkflow } from './workflow-texts.generated.ts'

/** What GitHub Actions does after the setup. */
export type WorkflowKind = 'pages' | 'site' | 'check' | 'none'

/** The facts that the text of a workflow depends on. */
interface WorkflowPlace {
  /** The default branch. */
  readonly branch: string
  /** The docs directory, or a folder with several: relative to the repository, `''` for its root. */
  readonly folder: string
}

/** A workflow file with its purpose, which completes `so that GitHub …`. */
interface WorkflowFile {
  readonly name: string
  readonly why: string
  readonly content: string
}

/** The workflow files of each kind. All of them are examples of this project, for the branch and the folder of the repository. */
export function renderWorkflows(kind: WorkflowKind, place: WorkflowPlace): readonly WorkflowFile[] {
  const check = { name: 'api-check.yml', why: 'checks the documents of pull requests', content: pullRequestWorkflow }
  const files: { readonly [kind in WorkflowKind]: readonly WorkflowFile[] } = {
    none: [],
    check: [check],
    pages: [{ name: 'api-pages.yml', why: 'commits updated API pages on each push', content: pushWorkflow }, check],
    site: [{ name: 'github-pages.yml', why: 'publishes the site on GitHub Pages', content: githubPagesWorkflow }, check],
  }
  return files[kind].map((file) => ({ ...file, content: adapt(file.content, place) }))
}

function adapt(text: string, { branch, folder }: WorkflowPlace): string {
  const onBranch = text.replaceAll(
    'branches: [main]',
    `branches: [${/^[\w./-]+$/.test(branch) ? branch : JSON.stringify(branch)}]`,
  )
  if (folder === '') return onBranch
  const quoted = /^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder)
  return onBranch
    .replace(/ build \. /, ` build ${/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`} `)
    .replace(/^( *)(- uses: openapi-pages\/openapi-pages@\S+\n)(?:( *)with:\n)?/m, (_match, indent: string, uses: string) => {
      return `${indent}${uses}${indent}  with:\n${indent}    working-directory: ${quoted}\n`
    })
}

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
    const divisions = navigation?.[list]
    if (!Array.isArray(divisions) || divisions.length === 0) continue
    const division = { [label]: 'API Reference', openapi: path }
    return editJson(text, [{ kind: 'insert', array: `/navigation/${list}`, index: divisions.length, values: [division] }])
  }
  return undefined
}

/** A configuration file with its most important setting. */
export function renderConfig({ materialize }: { readonly materialize: boolean }): string {
  return `# yaml-language-server: $schema=${configSchemaUrl}
# All settings: https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md

# true: API pages are files in this repository. false: the site or the docs host generates them.
materialize: ${materialize}
`
}
