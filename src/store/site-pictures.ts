import type { Kysely } from 'kysely'
import type { EndedUpdate } from '../status/types.ts'
import { insertContent, toStoredFile } from './site-contents.ts'
import { selectBuilds } from './site-rows.ts'
import { type PictureTheme, pictureThemes, type SiteStore } from './site-types.ts'
import { type StoreContext, toTime } from './store-context.ts'
import type { Tables } from './tables.ts'
import { findUpdate } from './update-rows.ts'

/** Paths of a site are relative, so that no request and no file of a repository names one of these. */
const prefix = '/pictures/'

export function isPicturePath(path: string): boolean {
  return path.startsWith(prefix)
}

/** The parts of `SiteStore` about pictures: files of their build, which go with it. */
export function createSitePictures({ write, reader, now }: StoreContext) {
  return {
    async addPictures(statusId, pictures) {
      return await write(async (transaction) => {
        const build = await findBuild(transaction, statusId)
        const stored = await findUpdate(transaction, statusId)
        if (!build || stored?.update.endedAt === undefined || stored.update.screenshot !== undefined) return false
        for (const theme of pictureThemes) {
          const { content } = pictures[theme]
          await insertContent(transaction, content, toTime(now()))
          const row = { build_id: build.id, path: prefix + theme, hash: content.hash }
          await transaction.insertInto('site_files').values(row).execute()
        }
        const [light, dark] = [pictures.light.url, pictures.dark.url]
        await replaceEnded(transaction, { ...stored.update, screenshot: light, screenshotLight: light, screenshotDark: dark })
        return true
      })
    },

    async findPicture(statusId, theme: PictureTheme) {
      const build = await findBuild(reader, statusId)
      if (!build) return undefined
      const row = await reader
        .selectFrom('site_files')
        .innerJoin('site_contents', 'site_contents.hash', 'site_files.hash')
        .selectAll('site_contents')
        .select('site_files.path')
        .where('site_files.build_id', '=', build.id)
        .where('site_files.path', '=', prefix + theme)
        .executeTakeFirst()
      return row && toStoredFile(row)
    },
  } satisfies Partial<SiteStore>
}

/** A record says nothing of pictures that are gone; those of its site stay where what goes is the build of an attempt that never ended. */
export async function forgetPictures(transaction: Kysely<Tables>, statusId: string): Promise<void> {
  if (await findBuild(transaction, statusId)) return
  const update = (await findUpdate(transaction, statusId))?.update
  if (update?.endedAt === undefined || update.screenshot === undefined) return
  const { screenshot: _one, screenshotLight: _light, screenshotDark: _dark, ...rest } = update
  await replaceEnded(transaction, rest)
}

async function findBuild(database: Kysely<Tables>, statusId: string) {
  const update = await database.selectFrom('updates').select(['project_id', 'sha']).where('id', '=', statusId).executeTakeFirst()
  if (!update) return undefined
  return await selectBuilds(database)
    .where('site_builds.project_id', '=', update.project_id)
    .where('site_builds.sha', '=', update.sha)
    .where('site_builds.state', '=', 'whole')
    .where('site_builds.update_id', '=', statusId)
    .executeTakeFirst()
}

/** Its state and its place in all lists stay. */
async function replaceEnded(transaction: Kysely<Tables>, update: EndedUpdate): Promise<void> {
  await transaction
    .updateTable('updates')
    .set((expression) => ({ revision: expression('revision', '+', 1), record: JSON.stringify(update) }))
    .where('id', '=', update._id)
    .execute()
}
