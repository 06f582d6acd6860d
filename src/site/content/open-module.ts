import type { ParsedScript } from '../../script/parse/parse-script.ts'
import { declare, reactNames, reactObject } from '../../script/run/names.ts'
import {
  createModule,
  type EvaluatedModule,
  findExport,
  type ImportedModule,
  readModuleBody,
  toNamespace,
} from '../../script/run/read-modules.ts'
import { fromData, type MdxPlace, type SnippetValue, toObject, type Value } from '../../script/values/values.ts'
import { isPageFile, joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import { suggest } from '../../text/plain/suggest.ts'
import type { ParsedMdx } from './parsed-mdx.ts'
import { type PageRun, reportAt } from './piece.ts'

/** Finds the module of an import. Reports one that cannot be read. */
function openImport(from: string, place: MdxPlace, run: PageRun): ImportedModule {
  if (from === 'react' || from === 'react/jsx-runtime')
    return { read: (name) => (name === 'default' || name === '*' ? reactObject : reactNames.get(name)) }
  if (/^(?:lucide-react|@tabler\/icons-react)$/.test(from)) return { read: (name) => toIcon(name) }
  const missing: ImportedModule = { read: () => ({ kind: 'missing', from }) }
  const found = findFile(from, place, run)
  if ('reason' in found) {
    reportAt(run, place, { code: 'unread-import', message: `Cannot ${found.reason}`, hint: importHint })
    return missing
  }
  const { file } = found
  const module = openFile(file, run)
  return { module, read: (name, at) => readExport(file, module, name, { from, place: at, run }) }
}

const importHint = 'Import only `.mdx`, `.md`, `.jsx`, `.js`, `.tsx` and `.ts` files from the docs directory'

/** Icons of these packages have the names of icons of the site, in Pascal case. */
function toIcon(name: string): Value {
  const words = name.replace(/^Icon(?=[A-Z])|(?<=[a-z])Icon$/g, '')
  const icon = words.replace(/(?<=[a-z])(?=[A-Z\d])|(?<=[A-Z\d])(?=[A-Z][a-z])/g, '-').toLowerCase()
  return { kind: 'component', name: 'Icon', props: new Map([['icon', icon]]) }
}

function readExport(
  file: ParsedMdx | ParsedScript,
  module: EvaluatedModule,
  name: string,
  { from, place, run }: { readonly from: string; readonly place: MdxPlace; readonly run: PageRun },
): Value {
  if (name === '*') return toNamespace(module)
  if (file.kind === 'mdx' && name === 'default') return toSnippet(file, run)
  const read = findExport(module, name)
  if (read) return read()
  if (file.kind === 'script' && file.fault) return { kind: 'missing', from }
  const near = suggest(name, module.exports.keys())
  reportAt(run, place, {
    code: 'unread-import',
    message: name === 'default' ? `Cannot find a default export in \`${from}\`` : `Cannot find \`${name}\` in \`${from}\``,
    hint: near === undefined ? 'Export the name in the snippet' : `Did you mean \`${near}\`?`,
  })
  return { kind: 'missing', from }
}

function toSnippet(snippet: ParsedMdx, run: PageRun): SnippetValue {
  return { kind: 'snippet', show: (props) => run.showSnippet(snippet, props, run) }
}

/** Reads the names of a file for its importers, once per page. */
function openFile(file: ParsedMdx | ParsedScript, run: PageRun): EvaluatedModule {
  const known = run.modules.get(file.file)
  if (known) return known
  const module = createModule(file.file)
  // Must be known before its imports are read, because they can import it.
  run.modules.set(file.file, module)
  if (file.kind === 'mdx') readPageModule(file, new Map(), module, run)
  else readModuleBody(file.body, module, run.evaluation, { open: (from, place) => openImport(from, place, run) })
  return module
}

/** Reads the imports and exports of a page or snippet. Its own names override props. */
export function readPageModule(
  parsed: ParsedMdx,
  props: ReadonlyMap<string, Value>,
  module: EvaluatedModule,
  run: PageRun,
): void {
  const { scope } = module
  declare(scope, 'frontmatter', fromData(parsed.frontmatter))
  for (const [name, value] of props) declare(scope, name, value)
  if (props.size > 0) declare(scope, 'props', toObject(props))
  for (const node of parsed.root.children) {
    if (node.type !== 'mdxjsEsm') continue
    const program = node.data?.estree
    readModuleBody(program?.body ?? [], module, run.evaluation, { open: (from, place) => openImport(from, place, run) })
  }
}

const extensions = ['', '.jsx', '.tsx', '.js', '.ts', '.mdx', '/index.jsx', '/index.tsx', '/index.js', '/index.ts']

type Found = { readonly file: ParsedMdx | ParsedScript } | { readonly reason: string }

/** Finds the file of an import. Paths start at the docs directory or at the file that contains the import. */
function findFile(from: string, place: MdxPlace, run: PageRun): Found {
  const isPath = /^\.{0,2}\//.test(from)
  if (!isPath) return { reason: `use \`${from}\`: npm packages are not available` }
  const path = normalizePath(joinPath(from.startsWith('/') ? run.root : parentPath(place.file), from.replace(/^\/+/, '')))
  const isInside = run.root === '' ? !path.startsWith('..') : path.startsWith(`${run.root}/`)
  if (!isInside) return { reason: `use \`${from}\`: it is outside the docs directory` }
  for (const extension of /\.(?:mdx?|[jt]sx?)$/i.test(path) ? [''] : extensions.slice(1)) {
    const file = run.readSnippet(path + extension)
    if (file) return { file }
  }
  return { reason: `find \`${from}\`` }
}

/** Finds the snippet of `<Snippet file="name.mdx" />`, the syntax before imports, in `snippets/` or `_snippets/`. */
export function findLegacySnippet(file: Value, run: PageRun): SnippetValue | undefined {
  if (typeof file !== 'string' || !isPageFile(file)) return undefined
  for (const folder of ['snippets', '_snippets']) {
    const path = normalizePath(joinPath(run.root, `${folder}/${file}`))
    const prefix = run.root === '' ? `${folder}/` : `${run.root}/${folder}/`
    const snippet = path.startsWith(prefix) ? run.readSnippet(path) : undefined
    if (snippet?.kind === 'mdx') return toSnippet(snippet, run)
  }
  return undefined
}
