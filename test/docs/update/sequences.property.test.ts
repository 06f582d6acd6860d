import { expect, test } from 'vitest'
import { contentHash } from '../../../src/docs/pages/lock-file.ts'
import { readPageBinding } from '../../../src/docs/pages/page-bindings.ts'
import { runStatus } from '../../../src/docs/update/docs-status.ts'
import { applyToTree, settle, toAccess, updateTree } from '../../support/memory-tree.ts'
import { fc, propertyRuns } from '../../support/properties.ts'
import { findUnsaid } from './outsider.ts'
import {
  descriptionEdits,
  docsOf,
  doStep,
  entriesOf,
  handEdits,
  historyEdits,
  lockOf,
  type Model,
  sequencesOf,
  startModel,
  toCommit,
} from './sequence-model.ts'

const branches = ['none', 'by hand', 'by hand in languages', 'languages', 'versions'] as const

/** Without the line of the binding, which an update may rewrite. */
const withoutBinding = (text: string) => text.replace(/^openapi: .*\n/m, '')

/** Updates the tree of a model, and holds all that an update may never do. */
async function updateModel(model: Model): Promise<void> {
  const before = { tree: model.tree }
  const lockBefore = lockOf(before)
  const update = await updateTree(model.tree)
  const tree = applyToTree(model.tree, update.changes)
  const after = { tree }
  const lockAfter = lockOf(after)
  const moved = new Map(
    update.pages.flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [] : [[movedFrom, path] as const])),
  )

  for (const [path, text] of [...model.handPages]) {
    const now = moved.get(path) ?? path
    // In a hand-edited page, an update rewrites one line at most, and only if the page was generated, wherever a person moved it.
    const from = update.pages.find((page) => page.path === path)?.movedFrom ?? path
    if (lockBefore.has(from)) expect(withoutBinding(tree[now] ?? 'deleted')).toBe(withoutBinding(text))
    else expect(tree[now]).toBe(text)
    model.handPages.delete(path)
    model.handPages.set(now, tree[now] ?? '')
  }
  for (const path of [...model.foreignPages]) {
    const now = moved.get(path) ?? path
    model.foreignPages.delete(path)
    if (lockAfter.get(now)?.hash !== contentHash(tree[now] ?? '')) model.foreignPages.add(now)
  }
  for (const [path, record] of lockBefore) {
    const wasDeleted = before.tree[path] === undefined
    const isSame = lockAfter.get(path)?.operation === record.operation && lockAfter.get(path)?.document === record.document
    if (wasDeleted && isSame) expect(tree[path]).toBeUndefined()
  }

  const entriesBefore = entriesOf(before).map(({ entry }) => moved.get(`${entry}.mdx`)?.replace(/\.mdx$/, '') ?? entry)
  const entriesAfter = entriesOf(after).map(({ entry }) => entry)
  for (const entry of model.handEntries) expect(entriesAfter).toContain(entry)
  const pageEntries = entriesAfter.filter((entry) => !entry.includes(' '))
  expect(new Set(pageEntries).size).toBe(pageEntries.length)
  // An entry that the update itself rewrites is not reported as one without a page.
  for (const { code, message } of update.diagnostics) {
    if (code === 'page-missing') expect(entriesAfter).toContain(/`(.*)`/.exec(message)?.[1])
  }
  if (!model.mayReorder) {
    // A path that one page leaves to another is listed where the other belongs, and so is an operation that is renamed into another group.
    const isLeft = (entry: string) => {
      const path = `${entry}.mdx`
      const isRenamed = update.pages.some((page) => page.path === path && page.renamedFrom !== undefined)
      const [was, is] = [lockBefore.get(path), lockAfter.get(path)]
      return was?.group !== is?.group || (!isRenamed && was?.operation !== is?.operation)
    }
    const inBoth = (one: readonly string[], other: readonly string[]) => {
      return one.filter((entry) => other.includes(entry) && !isLeft(entry))
    }
    expect(inBoth(entriesAfter, entriesBefore)).toEqual(inBoth(entriesBefore, entriesAfter))
  }
  // The entries of a document with errors stay unchanged.
  const isMissing = update.diagnostics.some(({ code, severity }) => code === 'file-missing' && severity === 'error')
  const hasError = (document: { readonly isBroken: boolean }) => document.isBroken
  const isBroken = isMissing || [...model.documents.values()].some((one) => hasError(one) || one.operations.some(hasError))
  for (const entry of isBroken ? [] : pageEntries) expect(tree[`${entry}.mdx`] ?? `no page for ${entry}`).not.toMatch(/^no page/)

  const keys = Object.keys(tree)
    .filter((path) => path.endsWith('.mdx'))
    .map((path) => path.normalize('NFC').toLowerCase())
  expect(new Set(keys).size).toBe(keys.length)
  const { redirects = [] } = docsOf(after) as { redirects?: { source: string; destination: string }[] }
  const sources = new Set(redirects.map(({ source }) => source))
  expect(sources.size).toBe(redirects.length)
  for (const { source, destination } of redirects) {
    expect(sources.has(destination)).toBe(false)
    const path = `${source.slice(1)}.mdx`
    if (!model.handPages.has(path)) expect(tree[path]).toBeUndefined()
  }

  const again = await updateTree(tree)
  expect(again.changes).toEqual([])
  expect(again.pages.filter(({ movedFrom, renamedFrom }) => movedFrom ?? renamedFrom)).toEqual([])
  expect(findUnsaid(tree, again, (page) => model.handPages.has(page) || model.foreignPages.has(page))).toEqual([])
  model.tree = tree
  model.mayReorder = false
  model.commits.push(toCommit(model))
}

async function play(model: Model, steps: readonly { readonly name: string; readonly a: number; readonly b: number }[]) {
  for (const step of steps) {
    if (step.name === 'update') await updateModel(model)
    else doStep(model, step)
  }
}

test('no sequence of edits and updates loses hand edits, and every second update changes nothing', async () => {
  const names = [...Object.keys(descriptionEdits), ...Object.keys(handEdits), ...Object.keys(historyEdits)]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...branches), sequencesOf(names, 40), async (branch, steps) => {
      const model = startModel(branch)
      await play(model, steps)
      await updateModel(model)
    }),
    { numRuns: propertyRuns(6) },
  )
})

/** The rows of `status --table` as lines. */
async function listRows(tree: Model['tree']): Promise<string[]> {
  const { table } = await runStatus({ root: '' }, toAccess(tree))
  return table.map(({ document, operation, page, state, reason }) => `${document} ${operation} ${page} ${state} ${reason}`)
}

/** What each operation has: its page without the path, and the group that lists it. */
function describeTree(model: Pick<Model, 'tree'>): string[] {
  const labels = new Map(entriesOf(model).map(({ entry, label }) => [`${entry}.mdx`, label]))
  const lines = [...lockOf(model)].map(([path, { document, operation }]) => {
    const reading = readPageBinding(model.tree[path] ?? '')
    expect(reading.kind).toBe('bound')
    return `${document} ${operation} in ${labels.get(path)}: ${model.tree[path]}`
  })
  return lines.sort()
}

test('without hand edits, pages and groups are the same as after a fresh update', async () => {
  const names = Object.keys(descriptionEdits).filter((name) => !name.startsWith('break'))
  await fc.assert(
    fc.asyncProperty(sequencesOf(names, 40), async (steps) => {
      const model = startModel()
      await play(model, [...steps, { name: 'update', a: 0, b: 0 }])
      const fresh = startModel()
      const documents = ['one.json', 'two.json'].flatMap((path) =>
        model.tree[path] === undefined ? [] : [[path, model.tree[path]]],
      )
      const { tree } = await settle({ ...fresh.tree, ...Object.fromEntries(documents) })
      expect(describeTree(model)).toEqual(describeTree({ tree }))
    }),
    { numRuns: propertyRuns(6) },
  )
})

test('loses no group if the order changes after an entry moved into another group', async () => {
  const model = startModel()
  const steps = [
    { name: 'add', a: 0, b: 0 },
    { name: 'changeOrder', a: 140, b: 0 },
    { name: 'add', a: 0, b: 970 },
    { name: 'add', a: 7, b: 0 },
    { name: 'update', a: 0, b: 0 },
    { name: 'changeOrder', a: 0, b: 0 },
    { name: 'moveEntry', a: 439, b: 0 },
    { name: 'update', a: 0, b: 0 },
  ]
  await play(model, steps)
  expect(entriesOf(model)).toHaveLength(4)
})

test('does not confuse groups of the same name from two documents', async () => {
  const model = startModel()
  const steps = [
    { name: 'add', a: 291, b: 0 },
    { name: 'add', a: 651, b: 242 },
    { name: 'update', a: 0, b: 0 },
    { name: 'hide', a: 559, b: 0 },
    { name: 'add', a: 72, b: 0 },
    { name: 'add', a: 0, b: 104 },
    { name: 'update', a: 0, b: 0 },
  ]
  await play(model, steps)
  expect(entriesOf(model)).toContainEqual({ entry: 'api-reference/pets/get-a-pet', label: 'Pets' })
})

test('reports the operations of a division that was not found', async () => {
  const model = startModel()
  const steps = [
    { name: 'add', a: 0, b: 0 },
    { name: 'update', a: 0, b: 0 },
    { name: 'add', a: 180, b: 0 },
    { name: 'relabelTab', a: 0, b: 0 },
    { name: 'removeEntry', a: 3, b: 0 },
    { name: 'addPage', a: 0, b: 0 },
    { name: 'update', a: 0, b: 0 },
  ]
  await play(model, steps)
  expect(await listRows(model.tree)).toContain('one.json PUT /a null unlisted its division was not found')
})

test('keeps the pages of the other documents of a division if a person renames one that has no pages yet', async () => {
  const model = startModel()
  const steps = [
    { name: 'add', a: 0, b: 0 },
    { name: 'update', a: 0, b: 0 },
    { name: 'moveDocument', a: 135, b: 0 },
    { name: 'add', a: 0, b: 25 },
    { name: 'update', a: 0, b: 0 },
  ]
  await play(model, steps)
  expect(lockOf(model).size).toBe(2)
})

test.each([
  [
    'a page that cannot be read as the page of its operation',
    'none',
    'one.json GET /pets/{id} api-reference/pets/get-a-pet.mdx error its frontmatter has errors',
    [
      ['add', 0, 0],
      ['add', 0, 354],
      ['update', 0, 0],
      ['deletePage', 0, 0],
      ['editPage', 0, 357],
      ['editPage', 0, 201],
      ['rename', 0, 3],
    ],
  ],
  [
    'an edited page of an operation that is gone from a document with errors',
    'none',
    'one.json GET /b api-reference/list.mdx error its document has errors',
    [
      ['add', 0, 1],
      ['update', 0, 0],
      ['break', 0, 0],
      ['editPage', 0, 0],
      ['rename', 0, 0],
    ],
  ],
  [
    'an operation whose language has its own documents beside those of all',
    'languages',
    'two.json GET /a list.mdx generated up to date',
    [
      ['changeDirectory', 27, 0],
      ['add', 1, 0],
      ['changeDirectory', 2, 1],
    ],
  ],
  [
    'an operation that only one language lists by hand',
    'by hand in languages',
    'three.json GET /b de/api-reference/get-b.mdx generated up to date',
    [
      ['changeUnlisted', 0, 0],
      ['listByHand', 2, 0],
    ],
  ],
  [
    'the page that a person moved in one version and deleted in the other',
    'versions',
    'one.json GET /a moved/page-2.mdx generated up to date',
    [
      ['add', 0, 0],
      ['update', 0, 0],
      ['movePage', 1, 0],
      ['deletePage', 0, 0],
    ],
  ],
  [
    'an operation whose entry a person moved to another version',
    'versions',
    'one.json GET /a api-reference/get-a.mdx unlisted `docs.json` has no entry for `api-reference/get-a.mdx`',
    [
      ['add', 0, 0],
      ['update', 0, 0],
      ['moveEntry', 94, 0],
    ],
  ],
] as const)('reports %s', async (_, branch, line, steps) => {
  const model = startModel(branch)
  await play(
    model,
    [...steps, ['update', 0, 0] as const].map(([name, a, b]) => ({ name, a, b })),
  )
  expect(await listRows(model.tree)).toContain(line)
})

test('follows a document that moved although another one of the division has errors', async () => {
  const model = startModel()
  const steps = [
    { name: 'add', a: 885, b: 0 },
    { name: 'update', a: 0, b: 0 },
    { name: 'break', a: 0, b: 0 },
    { name: 'moveDocument', a: 105, b: 766 },
    { name: 'update', a: 0, b: 0 },
  ]
  await play(model, steps)
})
