import { collectSites } from './collect-sites.ts'
import { createSiteReads } from './read-sites.ts'
import { createSiteBuilds } from './site-builds.ts'
import { createSiteContents } from './site-contents.ts'
import { createSitePictures } from './site-pictures.ts'
import type { SiteStore } from './site-types.ts'
import type { StoreContext } from './store-context.ts'

/** Sites in tables beside the records, so that a record and its site are one transaction. */
export function createSiteStore(context: StoreContext): SiteStore {
  return {
    ...createSiteContents(context),
    ...createSiteBuilds(context),
    ...createSiteReads(context),
    ...createSitePictures(context),
    collect: () => collectSites(context),
  }
}
