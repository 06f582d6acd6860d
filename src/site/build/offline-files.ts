import type { SiteFile } from '../render/types.ts'

/** The base path of a site that is rendered for a disk. `toOfflineFiles` replaces it with the way from each file to the root. */
export const offlineBase = '/_offline_/'

/** Files for servers, crawlers, agents and feed readers, and pages whose scripts load others. */
const withoutUse =
  /^(?:_redirects|_headers|robots\.txt|sitemap\.xml|404\.(?:html|json)|print\.html|llms(?:-full)?(?:-\d+)?\.txt|_oauth\/.*|_assets\/playground-.*|\..*)$|\.md$|(?:^|\/)(?:rss\.xml|feed\.json)$/

/** Files that scripts load. */
const readByScripts = /^(?:_search\/.*|_assets\/messages-.*)\.json$/

/**
 * Prepares a file of a site with `offlineBase` for pages that are opened from a disk: makes its links relative, and turns files that scripts
 * load into scripts. Empty if such pages do not need it.
 */
export function toOfflineFiles({ path, content }: SiteFile): readonly SiteFile[] {
  if (withoutUse.test(path)) return []
  if (typeof content !== 'string') return [{ path, content }]
  if (readByScripts.test(path)) {
    return [{ path: `${path}.js`, content: `document.currentScript.localFile=${JSON.stringify(content)}\n` }]
  }
  return [{ path, content: content.replaceAll(offlineBase, '../'.repeat(path.split('/').length - 1) || './') }]
}
