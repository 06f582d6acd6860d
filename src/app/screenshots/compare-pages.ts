import type { EndedUpdate, Project, UpdateCommit } from '../../status/types.ts'
import type { NewSiteContent, ScreenshotName } from '../../store/sites/stored-sites.ts'
import {
  type ChangedPage,
  type ComparedPage,
  type ComparisonImage,
  comparisonImages,
  type SiteChanges,
  type SiteComparison,
  type UpdateDetails,
} from '../../store/update-rows.ts'
import type { RunContext } from '../run/run-context.ts'
import { toCommitSite, toPageUrl } from '../run/site/built-site.ts'
import { toPlainContent } from '../sites/site-content.ts'
import type { PageComparison } from './screenshot-taker.ts'
import { createAnswerFromBuild } from './screenshots.ts'

/** All pages of an update together take at most this many times the limit for one page. */
const timeFactor = 3

/** The first `limit` changed pages that exist before and after, in the order in which the check names them. */
export function choosePages({ changedPages, beforeSha }: SiteChanges, limit: number): readonly ChangedPage[] {
  return beforeSha === undefined ? [] : changedPages.filter(({ kind }) => kind === 'modified').slice(0, limit)
}

/**
 * The details of a record whose site gets screenshots before and after; empty for others.
 *
 * Every branch qualifies: a pull request is usually opened after the push that creates the record.
 */
export function planComparison(
  { pictures, config }: Pick<RunContext, 'pictures' | 'config'>,
  {
    site,
    commit,
    project,
    trigger,
  }: {
    readonly site: SiteChanges
    readonly commit: UpdateCommit
    readonly project: Project
    readonly trigger: UpdateDetails['trigger']
  },
): Pick<UpdateDetails, 'comparison'> {
  const isPreview = commit.ref !== `refs/heads/${project.defaultBranch}` && trigger !== 'merge_group'
  const isWanted = pictures.isOn && isPreview && choosePages(site, config.pictureChangedPages).length > 0
  return isWanted ? { comparison: { state: 'awaited', pages: [] } } : {}
}

/**
 * Takes screenshots of the changed pages of a preview before and after, and adds them to the details of its record. Runs once.
 * Errors are only logged, and pages without screenshots are left out.
 *
 * @throws {StoreError}
 */
export async function addComparison(
  context: RunContext,
  { update, project }: { readonly update: EndedUpdate; readonly project: Project },
  signal: AbortSignal,
): Promise<void> {
  const { store, config, log, metrics } = context
  const statusId = update._id
  const details = (await store.statuses.find(statusId))?.details
  const siteUrl = details && toCommitSite(context, { update, details, project })
  if (details?.comparison?.state !== 'awaited' || !details.site || siteUrl === undefined) return
  const after = await store.sites.find(project.id, update.commit.sha)
  const before = await store.sites.find(project.id, details.site.beforeSha ?? '')
  if (after?.statusId !== statusId) return
  await store.statuses.addDetails(statusId, { comparison: { state: 'begun', pages: [] } })
  const chosen = before ? choosePages(details.site, config.pictureChangedPages) : []
  const { origin } = new URL(siteUrl)
  const over = AbortSignal.any([signal, AbortSignal.timeout(timeFactor * config.pictureTimeoutSeconds * 1000)])
  const pages: ComparedPage[] = []
  const files: { readonly name: ScreenshotName; readonly hash: string }[] = []
  let isLogged = false
  for (const { route, title = `/${route}` } of chosen) {
    if (over.aborted || !before) break
    const order = {
      url: toPageUrl(siteUrl, route),
      before: createAnswerFromBuild(store.sites, before.id, origin),
      after: createAnswerFromBuild(store.sites, after.id, origin),
    }
    let compared: PageComparison
    const startedAt = performance.now()
    const observe = (outcome: string) => metrics.pictureSeconds.observe({ outcome }, (performance.now() - startedAt) / 1000)
    try {
      compared = await context.pictures.compare(order, over)
      observe('success')
    } catch (error) {
      observe('failure')
      // The next pages of a browser that does not start fail for the same reason.
      if (!signal.aborted && !isLogged) log.warn({ err: error, statusId, route }, 'Cannot compare screenshots of a page')
      isLogged = true
      continue
    }
    const contents = toContents(compared)
    await store.sites.addContents(Object.values(contents))
    files.push(...comparisonImages.map((image) => ({ name: `${image}${pages.length}` as const, hash: contents[image].hash })))
    pages.push({ route, title, changedShare: compared.changedShare, sizes: toSizes(compared) })
  }
  if (signal.aborted) {
    // The next attempt to report this record starts again.
    await store.statuses.addDetails(statusId, { comparison: { state: 'awaited', pages: [] } })
    signal.throwIfAborted()
  }
  const comparison: SiteComparison = { state: pages.length > 0 ? 'taken' : 'failed', pages }
  await store.sites.addComparison(statusId, comparison, files)
}

function toContents({ images }: PageComparison): Readonly<Record<ComparisonImage, NewSiteContent>> {
  const { before, after, difference } = images
  return { before: toPlainContent(before), after: toPlainContent(after), difference: toPlainContent(difference) }
}

function toSizes({ images }: PageComparison): ComparedPage['sizes'] {
  // The header of a PNG file has the width and height at a fixed position.
  const sizeOf = (bytes: Buffer) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) })
  return { before: sizeOf(images.before), after: sizeOf(images.after), difference: sizeOf(images.difference) }
}
