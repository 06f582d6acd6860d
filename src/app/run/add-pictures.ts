import type { EndedUpdate, Project } from '../../status/types.ts'
import type { PictureTheme, SitePicture } from '../../store/stored-sites.ts'
import type { UpdateDetails } from '../../store/update-rows.ts'
import { createAnswerFromBuild } from '../pictures/answer-from-build.ts'
import { toPictureLink } from '../pictures/picture-link.ts'
import { toPlainContent } from '../sites/to-content.ts'
import { toCommitSite, toPageUrl } from './built-site.ts'
import type { RunContext } from './run-context.ts'

/**
 * Takes the pictures of the site that was built for a record, once, and sets them on it. Whatever goes wrong costs the pictures and nothing else.
 *
 * @returns The record as it is then.
 * @throws {StoreError}
 */
export async function addPictures(
  context: RunContext,
  { update, details, project }: { readonly update: EndedUpdate; readonly details: UpdateDetails; readonly project: Project },
  signal: AbortSignal,
): Promise<EndedUpdate> {
  const { store, log, linkKey, metrics } = context
  const site = toCommitSite(context, { update, details, project })
  if (details.pictures !== 'awaited' || !details.site || site === undefined) return update
  const statusId = update._id
  const build = await store.sites.find(project.id, update.commit.sha)
  if (build?.statusId !== statusId) return update
  await store.statuses.addDetails(statusId, { pictures: 'begun' })
  const startedAt = performance.now()
  const observe = (outcome: string) => metrics.pictureSeconds.observe({ outcome }, (performance.now() - startedAt) / 1000)
  const order = {
    url: toPageUrl(site, details.site.mainRoute),
    answer: createAnswerFromBuild(store.sites, build.id, new URL(site).origin),
  }
  let taken: Readonly<Record<PictureTheme, Buffer>>
  try {
    taken = await context.pictures.take(order, signal)
  } catch (error) {
    observe('failure')
    await store.statuses.addDetails(statusId, { pictures: 'failed' })
    signal.throwIfAborted()
    log.warn({ err: error, statusId, projectId: project.id }, 'No pictures of a site')
    return update
  }
  const toPicture = (theme: PictureTheme): SitePicture => ({
    content: toPlainContent(taken[theme]),
    url: toPictureLink(linkKey, context.baseUrl(), statusId, theme),
  })
  await store.sites.addPictures(statusId, { light: toPicture('light'), dark: toPicture('dark') })
  await store.statuses.addDetails(statusId, { pictures: 'taken' })
  observe('success')
  const now = (await store.statuses.find(statusId))?.update
  return now?.endedAt === undefined ? update : now
}
