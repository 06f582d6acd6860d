import { setImmediate } from 'node:timers/promises'
import { ruleNameOf } from '../../diagnostics/diagnostic.ts'
import { runCheck } from '../../docs/check/run-check.ts'
import { filterDocuments, hasDocsConfig, listDocsDirectories, listDocuments } from '../../docs/read/find-docs.ts'
import type { CheckReport, DocsAccess } from '../../docs/types.ts'
import { type Files, overlayFiles } from '../../files/files.ts'
import { createLinkCheck } from '../../site/make/links/docs-links.ts'
import { baseName, parentPath } from '../../text/plain/paths.ts'

/** The texts of open files by path relative to the boundary. They replace the files on disk. */
export type OpenTexts = ReadonlyMap<string, string>

/** A check that a newer text has made useless. */
export class Superseded extends Error {
  override readonly name = 'Superseded'
}

/** Documents that are searched for a reference to an open file. */
const maxSearched = 50

/** The files of one boundary, as an editor sees them. Paths are relative to the boundary. */
export type EditorProject = ReturnType<typeof createEditorProject>

export function createEditorProject(openAccess: () => DocsAccess) {
  /** The documents that reference a file, by its path. */
  const owners = new Map<string, readonly string[]>()
  const recordings: NonNullable<DocsAccess['recordings']> = new Map()
  /** The last check of each docs directory and document. */
  const units = new Map<string, Unit>()
  const accessTo = (open: OpenTexts, isCurrent: () => boolean): DocsAccess => {
    const access = openAccess()
    const read: Files['read'] = async (path, limitBytes) => {
      if (!isCurrent()) throw new Superseded()
      const text = open.get(path)
      const contents = new Map(text === undefined ? [] : [[path, new TextEncoder().encode(text)]])
      return await overlayFiles(access.files, contents).read(path, limitBytes)
    }
    const stateOf: Files['stateOf'] = (path) => (open.has(path) ? undefined : access.files.stateOf?.(path))
    return { ...access, recordings, files: { ...access.files, read, stateOf } }
  }
  const findOwners = async (path: string, files: Files): Promise<readonly string[]> => {
    const known = owners.get(path)
    if (known) return known
    const name = baseName(path)
    const found: string[] = []
    for (const document of (await listDocuments('', { files })).slice(0, maxSearched)) {
      const result = await files.read(document)
      if (result.kind === 'file' && new TextDecoder().decode(result.bytes).includes(name)) found.push(document)
    }
    owners.set(path, found)
    return found
  }
  return {
    /**
     * Checks the docs directories and documents that the open files belong to, one after the other: only those for which a file has changed since
     * their last check.
     *
     * @param options.newest The open file that changed last, which is checked first.
     * @param options.show Receives the findings of all, after each of them.
     * @throws {Superseded} if `isCurrent` becomes false.
     */
    async check(
      open: OpenTexts,
      isCurrent: () => boolean,
      { newest, show = () => undefined }: { readonly newest?: string | undefined; readonly show?: (found: Checked) => void } = {},
    ): Promise<Checked> {
      const access = accessTo(open, isCurrent)
      const { files } = access
      const stampOf = (path: string) => {
        const state = files.stateOf?.(path)
        return open.get(path) ?? (state ? state.stamp : 'not a file')
      }
      const checkLinks = createLinkCheck({ isChecked: (parts) => parts.some((path) => open.has(path)) })
      const paths = [...open.keys()].sort((a, b) => Number(b === newest) - Number(a === newest))
      const entries: string[] = []
      const checkAll = async (found: readonly string[]) => {
        for (const entry of found) {
          if (entries.includes(entry)) continue
          entries.push(entry)
          // Receives what was typed meanwhile.
          await setImmediate()
          if (!isCurrent()) throw new Superseded()
          const known = units.get(entry)
          if (!known || !(await isSame(known, files, stampOf)))
            units.set(entry, await checkUnit({ entries: [entry], checkLinks }, access, stampOf))
          show(join(units))
        }
      }
      for (const path of paths) await checkAll(await findRoots(path, files))
      const roots = entries.map((entry) => units.get(entry))
      for (const path of paths) {
        if (!/\.(?:json|ya?ml)$/i.test(path) || roots.some((unit) => unit?.report.sourceOf(path))) continue
        const isDocument = units.has(path) || (await filterDocuments('', [path], files)).length > 0
        await checkAll(isDocument ? [path] : await findOwners(path, files))
      }
      for (const entry of units.keys()) if (!entries.includes(entry)) units.delete(entry)
      return join(units)
    },
  }
}

type Checked = Pick<CheckReport, 'diagnostics' | 'sourceOf'>

/** The check of one docs directory or document, with everything that it read. */
interface Unit {
  readonly report: Checked
  readonly stamps: ReadonlyMap<string, string | undefined>
  readonly lists: ReadonlyMap<string, string>
  /** Whether it asked Git or other servers, whose answers may change. */
  readonly isVolatile: boolean
}

/** Changes whenever a file changes; `undefined` if a change could go unnoticed. */
type StampOf = (path: string) => string | undefined

/** Questions to Git about dates, which change with a commit. That changes no open file. */
const dateQuestions: ReadonlySet<string | symbol> = new Set(['findDates', 'findLineDate'])

async function checkUnit(asked: Parameters<typeof runCheck>[0], access: DocsAccess, stampOf: StampOf): Promise<Unit> {
  const stamps = new Map<string, string | undefined>()
  const lists = new Map<string, string>()
  let isVolatile = false
  const noting: ProxyHandler<NonNullable<DocsAccess['git']>> = {
    get(...given) {
      isVolatile ||= !dateQuestions.has(given[1])
      return Reflect.get(...given)
    },
  }
  const { diagnostics, sourceOf } = await runCheck(asked, {
    ...access,
    fetchDocument(...given) {
      isVolatile = true
      return access.fetchDocument(...given)
    },
    ...(access.git && { git: new Proxy(access.git, noting) }),
    files: {
      read(path, limitBytes) {
        stamps.set(path, stampOf(path))
        return access.files.read(path, limitBytes)
      },
      async list(folder) {
        const paths = await access.files.list(folder)
        lists.set(folder, paths.join('\n'))
        return paths
      },
      stateOf: (path) => {
        stamps.set(path, stampOf(path))
        return access.files.stateOf?.(path)
      },
    },
  })
  return { report: { diagnostics, sourceOf }, stamps, lists, isVolatile }
}

/** Whether a check would read the same again. */
async function isSame({ stamps, lists, isVolatile }: Unit, files: Files, stampOf: StampOf): Promise<boolean> {
  if (isVolatile) return false
  for (const [path, stamp] of stamps) if (stamp === undefined || stampOf(path) !== stamp) return false
  for (const [folder, paths] of lists) if ((await files.list(folder)).join('\n') !== paths) return false
  return true
}

/** A file of several documents has its problems once. */
function join(units: ReadonlyMap<string, Unit>): Checked {
  const reports = [...units.values()].map(({ report }) => report)
  const byKey = new Map<string, CheckReport['diagnostics'][number]>()
  for (const diagnostic of reports.flatMap(({ diagnostics }) => diagnostics)) {
    const { file, range, message } = diagnostic
    byKey.set(JSON.stringify([file, range.start, ruleNameOf(diagnostic), message]), diagnostic)
  }
  return { diagnostics: [...byKey.values()], sourceOf: (file) => reports.map((one) => one.sourceOf(file)).find(Boolean) }
}

/** The docs directory around a file; else all of the boundary, which can name the file. */
async function findRoots(path: string, files: Files): Promise<readonly string[]> {
  for (let folder = parentPath(path); ; folder = parentPath(folder)) {
    if (await hasDocsConfig(folder, files)) return [folder]
    if (folder === '') break
  }
  const roots: string[] = []
  for (const root of await listDocsDirectories('', files)) if (await hasDocsConfig(root, files)) roots.push(root)
  return roots
}
