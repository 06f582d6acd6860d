import { parse } from 'yaml'
import type { Tree } from '../../support/memory-tree.ts'

// Confirms that a green is true. It reads only documents, docs.json, pages and `status --format json`, and shares no code with the program.

interface Json {
  readonly [key: string]: unknown
}

interface Row extends Readonly<Record<'branch' | 'division' | 'document' | 'operation' | 'title' | 'state' | 'reason', string>> {
  readonly page: string | null
  readonly isOpen: boolean
}

/** What it reads of the program's output. */
interface Output {
  readonly documents: readonly { readonly path: string; readonly operationCount: number; readonly webhookCount: number }[]
  readonly table: readonly Row[]
  readonly diagnostics: readonly { readonly file: string; readonly severity: string; readonly message: string }[]
}

/** A place of the navigation that lists one operation, or all of a document. */
interface Listing extends Readonly<Record<'branch' | 'document', string>> {
  readonly operation: string | undefined
  readonly page: string | undefined
  /** Whether a division around it names the document. */
  readonly hasKey: boolean
}

type Documents = ReadonlyMap<string, ReadonlyMap<string, Json>>

const branchKeys: Json = { languages: 'language', versions: 'version', products: 'product' }
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const toObject = (value: unknown): Json => (isObject(value) ? value : {})
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])
const current = ['generated', 'moved', 'entry', 'own page']

/** Its operations and webhooks with their fields: `GET /pets`, `webhook shipped`. Nothing if it is no OpenAPI document. */
function readOperations(text: string): ReadonlyMap<string, Json> | undefined {
  const value = /["']?openapi["']?\s*:/.test(text) ? toObject(parse(text)) : {}
  if (toText(value['openapi']) === '') return undefined
  const target = (item: unknown): Json => {
    const steps = toText(toObject(item)['$ref']).split('/').slice(1)
    const read = (at: unknown, step: string) => toObject(at)[step.replaceAll('~1', '/').replaceAll('~0', '~')]
    return toObject(steps.length === 0 ? item : steps.reduce(read, value))
  }
  const methodsOf = (item: unknown) =>
    Object.entries(target(item)).filter(([key]) => /^(get|put|post|delete|patch|head|options|trace)$/.test(key))
  const paths = Object.entries(toObject(value['paths'])).flatMap(([path, item]) =>
    methodsOf(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, toObject(operation)] as const),
  )
  const webhooks = Object.entries({ ...toObject(value['x-webhooks']), ...toObject(value['webhooks']) }).flatMap(([name, item]) =>
    methodsOf(item)
      .slice(0, 1)
      .map(([, operation]) => [`webhook ${name}`, toObject(operation)] as const),
  )
  return new Map([...paths, ...webhooks])
}

function readPage(text = ''): { readonly values: Json; readonly body: string } {
  const [, yaml, body = ''] = /^---\r?\n(.*?\n)---[ \t]*\r?\n?(.*)$/s.exec(text) ?? []
  try {
    return { values: toObject(parse(yaml ?? '')), body: body.trim() }
  } catch {
    return { values: {}, body }
  }
}

/** What `[file] GET /pets` means among documents: the named one, or the only one with the operation. */
function resolve(binding: string, among: readonly string[], documents: Documents) {
  const [, file = '', method = '', name] =
    /^(.*?)\s*\b(get|put|post|delete|patch|head|options|trace|webhook)\s+(.+)$/i.exec(binding) ?? []
  const operation = `${method === 'webhook' ? method : method.toUpperCase()} ${name}`
  const isNamed = (path: string) =>
    [path, path.replace(/\.\w+$/, '')].some((one) => `/${one}`.endsWith(`/${file.replace(/^\.?\//, '')}`))
  const named = documents.has(file) ? [file] : among.filter((path) => file === '' || isNamed(path))
  const found = named.filter((path) => documents.get(path)?.has(operation))
  const document = found.length === 1 ? found[0] : named[0]
  return name === undefined || document === undefined ? undefined : { document, operation }
}

function listListings(files: Tree, documents: Documents): Listing[] {
  const all = [...documents.keys()]
  const walk = (value: Json, branch: string, sources: readonly string[]): Listing[] => {
    const own = toList(value['openapi']).map((one) => (toText(one) || toText(toObject(one)['source'])).replace(/^\.?\//, ''))
    const among = own.length > 0 ? own : sources
    const lists = Object.entries(value).filter(([key, list]) => key !== 'openapi' && Array.isArray(list))
    if (lists.length === 0)
      return own.map((document) => ({ branch, document, operation: undefined, page: undefined, hasKey: true }))
    return lists.flatMap(([key, list]) =>
      toList(list).flatMap((one): Listing[] => {
        const label = toText(toObject(one)[toText(branchKeys[key])])
        if (isObject(one)) return walk(one, [branch, label].filter(Boolean).join(' / '), among)
        if (key !== 'pages' || typeof one !== 'string') return []
        const page = [`${one}.mdx`, `${one}.md`].map((path) => path.replace(/^\//, '')).find((path) => path in files)
        const binding = page === undefined ? one : toText(readPage(files[page]).values['openapi'])
        const found = resolve(binding, page === undefined && among.length > 0 ? among : all, documents)
        return found ? [{ branch, ...found, page, hasKey: among.includes(found.document) }] : []
      }),
    )
  }
  return walk(toObject(toObject(JSON.parse(files['docs.json'] ?? '{}'))['navigation']), '', [])
}

/** How a generated page differs from its operation. */
function findStale(text: string | undefined, operation: Json): string[] {
  const { values, body } = readPage(text)
  const mint = toObject(operation['x-mint'])
  const wanted: Json = {
    title: toText(operation['summary']).trim() || values['title'],
    description: toText(operation['description']).trimEnd() || undefined,
    deprecated: operation['deprecated'] || undefined,
    ...toObject(mint['metadata']),
  }
  const stale = Object.keys(wanted).filter((key) => wanted[key] !== values[key])
  return body === toText(mint['content']).trim() ? stale : [...stale, 'content']
}

/**
 * Lists what is wrong and what no line of the output says of just this operation or page.
 *
 * @param isByHand Whether people wrote or edited a page, so that it may say something else than its operation.
 */
export function findUnsaid(
  files: Tree,
  { documents: counts, table, diagnostics }: Output,
  isByHand: (page: string) => boolean,
): string[] {
  const read = Object.entries(files).flatMap(([path, text]) => {
    const operations = /\.(json|ya?ml)$/.test(path) ? readOperations(text) : undefined
    return operations ? [[path, operations] as const] : []
  })
  const documents: Documents = new Map(read)
  const listings = listListings(files, documents)
  const faults: string[] = []
  const hold = (isTrue: unknown, fault: string) => isTrue || faults.push(fault)
  const hasErrors = (document: string) =>
    diagnostics.some(
      ({ file, severity, message }) => (file === document || message.includes(`\`${document}\``)) && severity === 'error',
    )
  const openPages = new Set(
    table.flatMap((row) => ((current.includes(row.state) && !row.isOpen) || row.reason === '' ? [] : row.page)),
  )
  const isSaidOf = (page: string) =>
    diagnostics.some(({ file, message }) => file === page || message.includes(`\`${page.replace(/\.mdx?$/, '')}\``))

  for (const { path, operationCount, webhookCount } of counts) {
    const count = documents.get(path)?.size
    hold(
      count === undefined || count === operationCount + webhookCount,
      `${path} has ${count} operations, not ${operationCount} and ${webhookCount}`,
    )
  }
  for (const branch of new Set([...listings, ...table.filter(({ division }) => division !== '')].map((one) => one.branch))) {
    const here = listings.filter((one) => one.branch === branch)
    const rowsHere = table.filter((row) => row.branch === branch || row.branch === '')
    for (const document of new Set([...here, ...table.filter((row) => row.branch === branch)].map((one) => one.document)))
      for (const [operation, fields] of documents.get(document) ?? []) {
        const name = `${branch} ${document} ${operation}`
        const listed = here.filter((one) => one.document === document && (one.operation ?? operation) === operation)
        const rows = rowsHere.filter((row) => row.document === document && row.operation === operation)
        const isLeftOut = fields['x-hidden'] === true || fields['x-excluded'] === true
        const isNamed = here.some((one) => one.document === document && (one.hasKey || one.page !== undefined))
        // A document that only entries name shows nothing else.
        if (listed.length === 0 && !isNamed && rows.length === 0) continue
        const said = rows.filter(({ state, reason }) => !current.includes(state) && reason !== '')
        const isShown = rows.some(
          ({ state, page }) =>
            current.includes(state) && listed.some((one) => (one.page ?? null) === page || one.operation === undefined),
        )
        if (listed.length === 0) hold(isLeftOut || (rows.length === said.length && said.length > 0), `${name} is not listed`)
        else {
          const isUnclear =
            hasErrors(document) ||
            diagnostics.some(({ message }) => message.startsWith('Cannot') && message.includes(`\`${operation}\``))
          const isSaid = said.some(({ page, state }) => page !== null || state !== 'unlisted') || (rows.length === 0 && isUnclear)
          hold(isShown || isSaid, `${name} is listed, and no row shows it`)
        }
        // Only people write entries such as `GET /pets`. Where they list operations, no page is beside them.
        const isEntry = (one: Listing) => one.page === undefined && one.operation !== undefined
        const made = listed.filter(
          (one) => !isEntry(one) && !(one.page && (isByHand(one.page) || isSaidOf(one.page) || openPages.has(one.page))),
        )
        const isBeside = made.some((one) => one.page !== undefined && one.hasKey) && listed.some(isEntry)
        hold(made.length <= (isBeside ? 0 : 1), `${name} is listed ${listed.length} times`)
      }
  }
  for (const { document, operation, state, reason, page } of table) {
    const isThere = operation.startsWith('schema ') || documents.get(document)?.has(operation)
    hold(
      isThere || !current.includes(state) || (page !== null && isSaidOf(page)),
      `${state}: ${document} ${operation} is not there`,
    )
    hold(!/has errors/.test(reason) || /frontmatter/.test(reason) || hasErrors(document), `${document} has no errors`)
    hold(!/hand-edited/.test(reason) || page === null || isByHand(page), `${page} was not edited`)
  }
  for (const page of Object.keys(files).filter((path) => /\.mdx?$/.test(path))) {
    const bound = resolve(toText(readPage(files[page]).values['openapi']), [...documents.keys()], documents)
    if (!bound) continue
    const rows = table.filter((row) => row.page === page)
    const fields = documents.get(bound.document)?.get(bound.operation)
    const isOf = rows.some((row) => row.document === bound.document && row.operation === bound.operation)
    const why = isByHand(page)
      ? /removed|renamed|replaced|no longer|not found|document has errors|no document/
      : /removed|renamed|replaced|no longer|not found|document has errors/
    const gone = rows.some(({ state, reason }) => !current.includes(state) && why.test(reason))
    const stale = fields && !isByHand(page) ? findStale(files[page], fields) : []
    const isSkipped = rows.some(({ state }) => !current.includes(state) && state !== 'unlisted' && state !== 'hidden')
    if (fields) hold(isOf || gone || isSaidOf(page), `${page} shows ${bound.operation}, and no row says so`)
    else hold(gone || (isByHand(page) && isSaidOf(page)), `${page} shows ${bound.operation}, which is gone`)
    hold(stale.length === 0 || isSkipped, `${page} has another ${stale.join(' and ')} than ${bound.operation}`)
    const isTaken = rows.some(({ state, document }) => state === 'own page' || (state === 'error' && !hasErrors(document)))
    hold(!fields || isByHand(page) || !isTaken, `${page} is no page of a person`)
  }
  return [...new Set(faults)]
}
