import { toComparable } from '../../changes/compare/compare.ts'
import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import { type Api, readInfo } from '../../model/api.ts'
import { type Answer, knownValueOf } from '../../text/errors.ts'
import { locatePointers } from '../../text/parse-source.ts'
import { listFirst } from '../../text/plain/lists.ts'
import { toRangeIn } from '../../text/plain/source-file.ts'
import { type Drift, startDrift } from '../../traffic/drift.ts'
import { createRouter } from '../../traffic/route.ts'
import type { TrafficSetting } from '../config/traffic-settings.ts'
import { type ReadRecordings, readRecordings } from '../read/read-recordings.ts'
import type { CheckedDocument, DocsAccess, TrafficCounts } from '../types.ts'

/** What recordings say about documents. */
export interface TrafficCheck {
  /** By document. */
  readonly findings: ReadonlyMap<CheckedDocument, readonly Finding[]>
  /** Recordings that were not compared. */
  readonly unread: readonly Finding[]
  readonly counts: TrafficCounts
}

/** Compares recorded traffic with the documents that describe it. A request is undocumented only if none of them has it. */
export async function checkTraffic(
  documents: readonly CheckedDocument[],
  { recordings, since, aliases, slashes }: TrafficSetting,
  { files, git, recordings: kept }: Pick<DocsAccess, 'files' | 'git' | 'recordings'>,
): Promise<TrafficCheck> {
  const described = new Map<Api, CheckedDocument>()
  for (const document of documents) {
    const api = toComparable(document.check)
    if (api) described.set(api, document)
  }
  const versionDates = new Map<Api, Awaited<ReturnType<typeof findVersionDate>>>()
  for (const [api, { check }] of described) versionDates.set(api, await findVersionDate(api, check, git))
  const dates = await git?.findDates?.(recordings)
  const route = createRouter([...described.keys()], { aliases, slashes })
  const drift = startDrift({ since, versionDateOf: (api) => knownValueOf(versionDates.get(api)) })
  const read = await readRecordings(recordings, files, (exchange) => drift.add(route(exchange)), {
    dateOf: (path) => knownValueOf(dates)?.get(path),
    kept,
  })
  const result = drift.finish()
  const { counts } = result
  const found = [...result.findings].flatMap(([api, list]) => {
    const document = described.get(api)
    return document ? [[document, list] as const] : []
  })
  return {
    findings: new Map(found),
    unread: [...listUnread(read, result), ...reportUnknownDates([dates, ...versionDates.values()], documents)],
    counts: {
      files: read.read,
      compared: counts.operation,
      undocumented: counts.undocumented,
      outside: counts.outside + counts.ignored,
      unreadable: counts.unreadable + read.incomplete,
      old: counts.old,
    },
  }
}

/** Says that Git did not tell dates, which decide whether a difference is a warning or an info. */
function reportUnknownDates(dates: readonly (Answer<unknown> | undefined)[], [first]: readonly CheckedDocument[]): Finding[] {
  const failed = dates.find((answer) => answer?.kind === 'unknown')
  if (failed?.kind !== 'unknown' || !first) return []
  const message = `Cannot compare the dates of recordings with Git: ${failed.reason}`
  return [{ code: 'traffic-unreadable', file: first.path, pointer: '', message, hint: failed.hint }]
}

async function findVersionDate(api: Api, { sources }: CheckedDocument['check'], git: DocsAccess['git']) {
  const source = sources.get(api.root.file)
  if (!source || !git?.findLineDate || readInfo(api).version === undefined) return undefined
  const place = (await locatePointers(source, ['/info/version'])).get('/info/version')
  return place && (await git.findLineDate(source.path, toRangeIn(source)(place.value).start.line))
}

function listUnread({ unread, others }: ReadRecordings, { unread: reasons, undated }: Drift): Finding[] {
  const code = 'traffic-unreadable'
  const findings: Finding[] = unread.map(({ path, problem }) => {
    return { code, file: path, pointer: '', message: `Cannot read the recording \`${path}\`: ${problem}` }
  })
  for (const [file, counts] of reasons) {
    const texts = listFirst([...counts], 3, ([reason, count]) => `${reason} (count ${count})`)
    findings.push({ code, file, pointer: '', severity: 'info', message: `Parts of this recording were not compared: ${texts}` })
  }
  const [other] = others
  if (other !== undefined) {
    const message = `${formatCount(others.length, 'file')} in the folders of recordings are no recordings, such as this one`
    findings.push({ code, file: other, pointer: '', severity: 'info', message })
  }
  if (undated) {
    const message = `Exchanges without a date were recorded (count ${undated.count}). What only they show is an info`
    const hint = 'Commit recordings to Git without a shallow clone, and they have the date of their file'
    findings.push({ code, file: undated.file, pointer: '', severity: 'info', message, hint })
  }
  return findings
}
