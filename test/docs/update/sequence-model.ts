import { configFileNames, lockFileName } from '../../../src/docs/config/config-files.ts'
import type { Tree } from '../../support/memory-tree.ts'
import { fc } from '../../support/properties.ts'

/** One operation as the model has it. */
interface ModelOperation {
  path: string
  method: string
  summary: string | undefined
  description: string | undefined
  /** `x-mint.content` */
  content: string | undefined
  tag: string | undefined
  operationId: string | undefined
  hidden: boolean
  href: string | undefined
  /** Whether it has an error of its own. */
  isBroken: boolean
}

/** A document as it is edited: its operations in order, and whether it is broken. */
interface ModelDocument {
  operations: ModelOperation[]
  tags: string[]
  /** `x-tagGroups` */
  tagGroups: { readonly name: string; readonly tags: readonly string[] }[]
  isBroken: boolean
}

/** A docs directory between two updates. */
export interface Model {
  tree: Tree
  readonly documents: Map<string, ModelDocument>
  /** Pages that people wrote or edited, by path. */
  readonly handPages: Map<string, string>
  /** Pages of a merge that kept the lock file of one side. Nothing shows whether they are as they were generated. */
  readonly foreignPages: Set<string>
  /** Entries that people wrote, in no order. */
  readonly handEntries: Set<string>
  count: number
  /** Since the last update entries may change places: the order has another setting, or an operation another tag. */
  mayReorder: boolean
  /** What each update left. */
  readonly commits: Commit[]
  /** What both branches began with, and what is on the other one. */
  fork: { readonly base: Commit; other: Commit } | undefined
}

type Commit = Pick<Model, 'tree' | 'documents' | 'handPages' | 'foreignPages' | 'handEntries'>

/** Records what a model has. */
export function toCommit({ tree, documents, handPages, foreignPages, handEntries }: Commit): Commit {
  return structuredClone({ tree, documents, handPages, foreignPages, handEntries })
}

function checkOut(model: Model, commit: Commit): void {
  const { tree, documents, handPages, foreignPages, handEntries } = toCommit(commit)
  model.tree = tree
  replaceAll(model.documents, documents)
  replaceAll(model.handPages, handPages)
  for (const [own, of] of [
    [model.foreignPages, foreignPages],
    [model.handEntries, handEntries],
  ] as const) {
    own.clear()
    for (const one of of) own.add(one)
  }
  model.mayReorder = true
}

function replaceAll<Value>(map: Map<string, Value>, by: ReadonlyMap<string, Value>): void {
  map.clear()
  for (const [key, value] of by) map.set(key, value)
}

function copyEntry<Value>(map: Map<string, Value>, from: ReadonlyMap<string, Value>, key: string): void {
  const value = from.get(key)
  if (value === undefined) map.delete(key)
  else map.set(key, value)
}

/** Few names, so that they collide: in case, as slugs, with each other. */
const summaries = [undefined, 'List', 'LIST', 'List pets', 'Get a pet', 'Add a pet', 'List 1', '()', 'a: "b"', 'con'] as const
const tags = [undefined, 'Pets', 'pets', 'Stores', 'A/B', 'AB'] as const
const paths = ['/a', '/b', '/pets', '/pets/{id}', '/stores', '/v1/pets', '/v2/pets', '/v2/pets/{id}'] as const
/** The name of a webhook is its path without `/`. Documents of OpenAPI 3.0 have `x-webhooks`. */
const methods = ['get', 'put', 'post', 'delete', 'get', 'put', 'webhook', 'x-webhook'] as const
const texts = [undefined, undefined, 'All of them.', 'In two\nlines: "both" # here'] as const
const hrefs = [undefined, undefined, 'x/y', '/pets', 'api-reference/list', '../out'] as const
const directories = ['api-reference', 'ref', '', 'ref/v2', 'Ref'] as const

const pick = <Value>(values: readonly Value[], index: number): Value | undefined => values[index % Math.max(1, values.length)]

/** What a description does. Numbers choose, each within what there is. */
export const descriptionEdits = {
  add({ documents, count }: Model, a: number, b: number) {
    const document = pick([...documents.values()], a)
    if (!document) return
    const path = pick(paths, b) ?? '/a'
    const method = pick(methods, a >> 2) ?? 'get'
    if (document.operations.some((known) => known.path === path && known.method === method)) return
    const summary = pick(summaries, a ^ b)
    const operationId = a % 3 === 0 ? `operation${count}` : undefined
    const fields = { summary, description: pick(texts, b), content: pick(texts, b >> 1), tag: pick(tags, b >> 3), operationId }
    const made = { path, method, ...fields, hidden: false, href: undefined, isBroken: false }
    document.operations.splice(b % (document.operations.length + 1), 0, made)
  },
  remove({ documents }: Model, a: number, b: number) {
    const document = pick([...documents.values()], a)
    document?.operations.splice(b % Math.max(1, document.operations.length), 1)
  },
  rename(model: Model, a: number, b: number) {
    const { document, operation } = findOperation(model, a)
    const path = pick(paths, b) ?? '/a'
    const method = b % 5 === 0 ? (pick(methods, b >> 3) ?? 'get') : operation?.method
    if (!operation || document?.operations.some((known) => known.path === path && known.method === method)) return
    Object.assign(operation, { path, method })
  },
  retag(model: Model, a: number, b: number) {
    const { operation } = findOperation(model, a)
    if (operation) operation.tag = pick(tags, b)
    model.mayReorder = true
  },
  resummarize(model: Model, a: number, b: number) {
    const { operation } = findOperation(model, a)
    if (operation) operation.summary = pick(summaries, b)
  },
  describe(model: Model, a: number, b: number) {
    const { operation } = findOperation(model, a)
    if (operation) Object.assign(operation, { description: pick(texts, b), content: pick(texts, b >> 2) })
  },
  hide(model: Model, a: number) {
    const { operation } = findOperation(model, a)
    if (operation) operation.hidden = !operation.hidden
  },
  reorder(model: Model, a: number, b: number) {
    const { document, operation } = findOperation(model, a)
    if (!document || !operation) return
    document.operations.splice(document.operations.indexOf(operation), 1)
    document.operations.splice(b % (document.operations.length + 1), 0, operation)
  },
  declareTags({ documents }: Model, a: number, b: number) {
    const document = pick([...documents.values()], a)
    const known = ['Pets', 'Stores', 'A/B', 'AB', 'pets']
    if (document) document.tags = [...known.slice(b % known.length), ...known.slice(0, b % known.length)].slice(0, a % 5)
  },
  groupTags(model: Model, a: number, b: number) {
    const document = pick([...model.documents.values()], a)
    const choices = [
      [],
      [{ name: 'Animals', tags: ['Pets', 'pets'] }],
      [
        { name: 'All', tags: ['Stores'] },
        { name: 'A', tags: ['AB', 'A/B', 'Pets'] },
      ],
    ]
    if (document) document.tagGroups = pick(choices, b) ?? []
    model.mayReorder = true
  },
  moveTo(model: Model, a: number, b: number) {
    const { operation } = findOperation(model, a)
    if (operation) operation.href = pick(hrefs, b)
  },
  break({ documents }: Model, a: number) {
    const document = pick([...documents.values()], a)
    if (document) document.isBroken = true
  },
  breakOperation(model: Model, a: number) {
    const { operation } = findOperation(model, a)
    if (operation) operation.isBroken = true
  },
  /** An operation with another path has errors, so that nothing shows whether it is the same. */
  renameAndBreak(model: Model, a: number, b: number) {
    this.rename(model, a, b)
    this.breakOperation(model, a)
    setSetting(model, 'update', '{ onError: operation }')
  },
  repair({ documents }: Model, a: number) {
    const document = pick([...documents.values()], a)
    if (!document) return
    document.isBroken = false
    for (const operation of document.operations) operation.isBroken = false
  },
} as const

/** What people do in the docs directory. */
export const handEdits = {
  editPage(model: Model, a: number, b: number) {
    const path = pick(listOwnPages(model), a)
    if (path === undefined) return
    const text = model.tree[path] ?? ''
    const edited = b % 2 === 0 ? `${text}\nBy hand ${model.count}.\n` : text.replace('---\n', `---\nicon: hand-${model.count}\n`)
    setFile(model, path, edited)
    model.handPages.set(path, edited)
  },
  deletePage(model: Model, a: number) {
    const path = pick(listOwnPages(model), a)
    if (path === undefined) return
    setFile(model, path, undefined)
    model.handPages.delete(path)
  },
  movePage(model: Model, a: number, b: number) {
    const path = pick(listOwnPages(model), a)
    const text = path === undefined ? undefined : model.tree[path]
    if (path === undefined || text === undefined) return
    const name = `moved/page-${model.count}`
    setFile(model, path, undefined)
    setFile(model, `${name}.mdx`, text)
    if (model.handPages.delete(path)) model.handPages.set(`${name}.mdx`, text)
    if (model.foreignPages.delete(path)) model.foreignPages.add(`${name}.mdx`)
    if (b % 2 === 0) return
    const entry = JSON.stringify(path.replace(/\.mdx$/, ''))
    setFile(model, 'docs.json', model.tree['docs.json']?.replaceAll(entry, JSON.stringify(name)))
  },
  addPage(model: Model, a: number, b: number) {
    const name = `manual-${model.count}`
    const binding = b % 3 === 0 ? `openapi: one.json GET ${pick(paths, b)}\n` : ''
    const text = `---\ntitle: ${name}\n${binding}---\n`
    setFile(model, `${name}.mdx`, text)
    model.handPages.set(`${name}.mdx`, text)
    const lists = listsOf(docsOf(model))
    editDocs(model, (docs) => pick(listsOf(docs), a)?.splice(b % 3, 0, name))
    if (lists.length > 0) model.handEntries.add(name)
  },
  addPageInTheWay(model: Model, a: number, b: number) {
    const path = `api-reference/${pick(['list', 'pets/list', 'pets/get-a-pet', 'ab/List', 'pets/list-pets-1'], a)}.mdx`
    if (Object.keys(model.tree).some((known) => known.toLowerCase() === path.toLowerCase())) return
    const text = `---\ntitle: Mine ${b}\n---\n`
    setFile(model, path, text)
    model.handPages.set(path, text)
  },
  moveEntry(model: Model, a: number, b: number) {
    editDocs(model, (docs) => {
      const lists = listsOf(docs)
      const from = pick(lists, a)
      const index = b % Math.max(1, from?.length ?? 0)
      const entry = from?.[index]
      if (typeof entry !== 'string') return
      from?.splice(index, 1)
      pick(lists, a >> 3)?.splice(b >> 2, 0, entry)
    })
  },
  removeEntry(model: Model, a: number, b: number) {
    editDocs(model, (docs) => {
      const list = pick(listsOf(docs), a)
      const index = b % Math.max(1, list?.length ?? 0)
      const entry = list?.[index]
      if (typeof entry === 'string' && !model.handEntries.has(entry)) list?.splice(index, 1)
    })
  },
  relabelGroup(model: Model, a: number) {
    editDocs(model, (docs) => {
      const group = pick(
        tabsOf(docs).flatMap(({ groups }) => groups ?? []),
        a,
      )
      if (group) group.group = `Group ${model.count}`
    })
  },
  swapGroups(model: Model, a: number) {
    editDocs(model, (docs) => {
      const groups = pick(tabsOf(docs), a)?.groups
      if (groups) groups.push(...groups.splice(0, 1))
    })
  },
  relabelTab(model: Model, a: number) {
    editDocs(model, (docs) => {
      const tab = pick(listApiTabs(docs), a)
      if (tab) tab.tab = `API ${model.count}`
    })
  },
  changeDirectory(model: Model, a: number, b: number) {
    editDocs(model, (docs) => {
      const tab = pick(listApiTabs(docs), a)
      const [first = '', second = ''] = model.documents.keys()
      const sources = [first, ...(b % 2 === 0 ? [second] : [])]
      if (tab) tab.openapi = sources.map((source) => ({ source, directory: pick(directories, a) }))
    })
  },
  moveDocument(model: Model, a: number, b: number) {
    const path = pick([...model.documents.keys()], a) ?? ''
    const name = `specs/v${model.count}.json`
    const documents = [...model.documents].map(([key, document]) => [key === path ? name : key, document] as const)
    model.documents.clear()
    for (const [key, document] of documents) model.documents.set(key, document)
    setFile(model, path, undefined)
    // A person can name it in `docs.json`, too. The lock file still names the old path.
    if (b % 3 === 0) setFile(model, 'docs.json', model.tree['docs.json']?.replaceAll(JSON.stringify(path), JSON.stringify(name)))
  },
  /** Lists an operation of the document that only lists by hand have, once in a language. */
  listByHand(model: Model, a: number, b: number) {
    const [, , path] = model.documents.keys()
    const operation = pick(model.documents.get(path ?? '')?.operations ?? [], a)
    if (!operation || operation.method === 'x-webhook') return
    const target =
      operation.method === 'webhook'
        ? `webhook ${operation.path.slice(1)}`
        : `${operation.method.toUpperCase()} ${operation.path}`
    editDocs(model, (docs) => {
      const listed = pick(branchesOf(docs), a >> 3)?.tabs.filter(({ tab }) => tab === 'Listed') ?? []
      const lists = listed.flatMap(({ groups }) => (groups ?? []).map(({ pages }) => pages))
      if (lists.flat().every((entry) => typeof entry !== 'string' || !entry.endsWith(target)))
        pick(lists, a)?.splice(b % 3, 0, b % 2 === 0 ? target : `${path} ${target}`)
    })
  },
  changeUnlisted(model: Model, a: number) {
    setSetting(model, 'unlisted', pick(['add', 'report', 'ignore'], a) ?? '')
  },
  changeOrder(model: Model, a: number) {
    setSetting(model, 'order', pick(['tags', 'first-use', 'alphabetical'], a) ?? '')
    model.mayReorder = true
  },
  changeOnError(model: Model, a: number) {
    setSetting(model, 'update', `{ onError: ${pick(['operation', 'document'], a)} }`)
  },
} as const

/** What people do with commits. A merge and a squash leave the same files. */
export const historyEdits = {
  revert(model: Model, a: number) {
    const commit = pick(model.commits, a)
    if (commit) checkOut(model, commit)
  },
  fork(model: Model) {
    const base = toCommit(model)
    model.fork = { base, other: base }
  },
  switchBranch(model: Model) {
    if (!model.fork) return
    const { other } = model.fork
    model.fork.other = toCommit(model)
    checkOut(model, other)
  },
  /** A file that both sides changed is that of one side, as after `git checkout --ours` or `--theirs`. */
  merge(model: Model, a: number, b: number) {
    if (!model.fork) return
    const { base, other } = model.fork
    const ours = model.tree
    const isOurs = (path: string) => (path === 'docs.json' ? a : path === lockFileName ? b : a >> 1) % 2 === 0
    const isConflict = (path: string) => ours[path] !== base.tree[path] && other.tree[path] !== base.tree[path]
    for (const path of new Set([...Object.keys(ours), ...Object.keys(other.tree)]))
      if (isConflict(lockFileName) && path.endsWith('.mdx') && ours[path] !== other.tree[path]) model.foreignPages.add(path)
    for (const path of new Set([...Object.keys(base.tree), ...Object.keys(other.tree)])) {
      if (other.tree[path] === base.tree[path] || (isConflict(path) && isOurs(path))) continue
      setFile(model, path, other.tree[path])
      copyEntry(model.documents, other.documents, path)
      copyEntry(model.handPages, other.handPages, path)
      if (path === 'docs.json')
        for (const entry of [...model.handEntries]) if (!other.handEntries.has(entry)) model.handEntries.delete(entry)
      if (path === 'docs.json') for (const entry of other.handEntries) model.handEntries.add(entry)
    }
    model.fork = undefined
    model.mayReorder = true
  },
} as const

const edits: { readonly [name: string]: (model: Model, a: number, b: number) => void } = {
  ...descriptionEdits,
  ...handEdits,
  ...historyEdits,
}

/** One step: an edit with the numbers that choose, or `update`. */
interface Step {
  readonly name: string
  readonly a: number
  readonly b: number
}

/** Sequences of edits with an update every few steps. */
export function sequencesOf(names: readonly string[], length: number): fc.Arbitrary<Step[]> {
  const step = fc.record({
    // Documents are nothing without operations.
    name: fc.constantFrom(...names, 'add', 'add', 'update', 'update', 'update', 'update'),
    a: fc.nat(1_000),
    b: fc.nat(1_000),
  })
  return fc.array(step, { minLength: 1, maxLength: length, size: 'max' })
}

/** Applies an edit and writes the documents again. */
export function doStep(model: Model, { name, a, b }: Step): void {
  model.count++
  edits[name]?.(model, a, b)
  for (const [path, document] of model.documents) setFile(model, path, toText(document))
}

/** How the navigation lists the documents: once or in two languages or versions, and with another one whose operations are listed by hand. */
type Branches = 'none' | 'by hand' | 'by hand in languages' | 'languages' | 'versions'

/** A docs directory before its first update. */
export function startModel(branches: Branches = 'none'): Model {
  const isByHand = branches.startsWith('by hand')
  const byHand = ['By hand', 'More'].map((group) => ({
    group,
    openapi: 'three.json',
    pages: [group === 'More' ? 'POST /pets' : 'GET /a'],
  }))
  const listed = isByHand ? [{ tab: 'Listed', groups: byHand }] : []
  const tabs = [{ tab: 'Guides', pages: ['index'] }, { tab: 'API', openapi: ['one.json', 'two.json'] }, ...listed]
  const [list, label] = branches === 'versions' ? ['versions', 'version'] : ['languages', 'language']
  const isWhole = branches === 'none' || branches === 'by hand'
  const navigation = isWhole
    ? { tabs }
    : {
        [list]: [
          { [label]: 'en', tabs },
          { [label]: 'de', tabs: tabs.slice(1) },
        ],
      }
  const empty = { tags: [], tagGroups: [], isBroken: false }
  const documents = new Map<string, ModelDocument>(['one.json', 'two.json'].map((path) => [path, { operations: [], ...empty }]))
  const fields = { description: undefined, content: undefined, tag: undefined, operationId: undefined }
  const operations = ['get /a', 'post /pets', 'get /b'].map((target) => {
    const [method = '', path = ''] = target.split(' ')
    return { path, method, summary: target, ...fields, hidden: false, href: undefined, isBroken: false }
  })
  if (isByHand) documents.set('three.json', { operations, ...empty })
  const model: Model = {
    tree: { 'docs.json': `${JSON.stringify({ navigation }, undefined, 2)}\n`, 'index.mdx': '# Hello\n' },
    documents,
    handPages: new Map([['index.mdx', '# Hello\n']]),
    foreignPages: new Set(),
    handEntries: new Set(['index']),
    count: 0,
    mayReorder: false,
    commits: [],
    fork: undefined,
  }
  return model
}

function toText({ operations, tags: declared, tagGroups, isBroken }: ModelDocument): string {
  const items: { [list: string]: { [path: string]: { [method: string]: unknown } } } = { paths: {} }
  for (const one of operations) {
    const { path, method, summary, description, content, tag, operationId, hidden, href, isBroken: hasError } = one
    const [list, key] = method.endsWith('webhook') ? [`${method}s`, 'post'] : ['paths', method]
    const name = list === 'paths' ? path : path.slice(1)
    const isWithId = list === 'paths' && path.includes('{id}')
    const parameters = isWithId ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] : []
    const operation = {
      ...{ summary, description, operationId, parameters },
      ...(tag === undefined ? {} : { tags: [tag] }),
      ...(hidden ? { 'x-hidden': true } : {}),
      ...(href === undefined && content === undefined ? {} : { 'x-mint': { href, content } }),
      responses: isBroken || hasError ? 'none' : { 200: { description: 'Fine' } },
    }
    items[list] = { ...items[list], [name]: { ...items[list]?.[name], [key]: operation } }
  }
  const info = isBroken ? { title: 'T' } : { title: 'T', version: '1' }
  return JSON.stringify({
    openapi: '3.1.0',
    info,
    tags: declared.map((name) => ({ name })),
    'x-tagGroups': tagGroups,
    ...items,
  })
}

function findOperation({ documents }: Model, a: number) {
  const document = pick([...documents.values()], a)
  return { document, operation: pick(document?.operations ?? [], a >> 1) }
}

interface Group {
  group: string
  pages: (string | Group)[]
}

interface Tab {
  tab: string
  openapi?: unknown
  pages?: string[]
  groups?: Group[]
}

interface Branch {
  readonly tabs: Tab[]
}

interface Docs {
  readonly navigation: Partial<Branch> & { readonly languages?: readonly Branch[]; readonly versions?: readonly Branch[] }
}

function branchesOf({ navigation }: Docs): Branch[] {
  const { tabs = [], languages = [], versions = [] } = navigation
  return [{ tabs }, ...languages, ...versions].filter((branch) => branch.tabs.length > 0)
}

function tabsOf(docs: Docs): Tab[] {
  return branchesOf(docs).flatMap(({ tabs }) => tabs)
}

/** The tabs with documents, whatever they are called now. */
function listApiTabs(docs: Docs): Tab[] {
  return tabsOf(docs).filter(({ pages, tab }) => !pages && tab !== 'Listed')
}

/** The `docs.json` of a tree; the model and the update write nothing else into it. */
export function docsOf({ tree }: Pick<Model, 'tree'>): Docs {
  return JSON.parse(tree['docs.json'] ?? '') as Docs
}

function listsOf(docs: Docs): (string | Group)[][] {
  return tabsOf(docs).flatMap(({ pages, groups }) => [...(pages ? [pages] : []), ...(groups ?? []).map((group) => group.pages)])
}

function editDocs(model: Model, edit: (docs: Docs) => unknown): void {
  const docs = docsOf(model)
  edit(docs)
  // A group that lists nothing would list all operations of its document.
  for (const tab of tabsOf(docs)) if (tab.tab === 'Listed') tab.groups = tab.groups?.filter(({ pages }) => pages.length > 0) ?? []
  setFile(model, 'docs.json', `${JSON.stringify(docs, undefined, 2)}\n`)
}

/** Every entry of `docs.json`, in order, with the label of its group. */
export function entriesOf(model: Pick<Model, 'tree'>): { readonly entry: string; readonly label: string }[] {
  return entriesIn(docsOf(model))
}

function entriesIn(docs: Docs): { readonly entry: string; readonly label: string }[] {
  return tabsOf(docs).flatMap(({ tab, pages, groups }) => [
    ...(pages ?? []).map((entry) => ({ entry, label: tab })),
    ...(groups ?? []).flatMap((group) => entriesOfGroup(group, [])),
  ])
}

function entriesOfGroup({ group, pages }: Group, parents: readonly string[]): { entry: string; label: string }[] {
  const path = [...parents, group]
  return pages.flatMap((entry) =>
    typeof entry === 'string' ? [{ entry, label: path.join(' / ') }] : entriesOfGroup(entry, path),
  )
}

interface Locked {
  readonly operation: string
  readonly document: string
  readonly group?: string
  readonly hash?: string
}

/** What the lock file of a tree says of each page. */
export function lockOf({ tree }: Pick<Model, 'tree'>): Map<string, Locked> {
  const { pages } = JSON.parse(tree[lockFileName] ?? '{"pages":{}}') as { pages: { [path: string]: Locked } }
  return new Map(Object.entries(pages))
}

function listOwnPages(model: Model): string[] {
  return [...lockOf(model).keys()].filter((path) => model.tree[path] !== undefined)
}

/** Writes a setting, on a line of its own, and keeps the others. */
function setSetting(model: Model, key: string, value: string): void {
  const name = configFileNames[0]
  const others = (model.tree[name] ?? '').split('\n').filter((line) => line !== '' && !line.startsWith(`${key}:`))
  setFile(model, name, [...others, `${key}: ${value}`, ''].join('\n'))
}

function setFile(model: Model, path: string, text: string | undefined): void {
  const { [path]: _, ...others } = model.tree
  model.tree = text === undefined ? others : { ...others, [path]: text }
}
