import { Icon } from '../icons/icon.tsx'
import { type SiteContext, toAssetHref } from '../site-context.ts'

interface ApiMenuProps {
  readonly site: SiteContext
  /** The file of this operation alone; absent where it would be very large. */
  readonly slicePath: string | undefined
  /** The entry document; absent where it stands at another address. */
  readonly documentPath: string | undefined
}

/** Lines of the page menu: what a page shows, for machines. */
export function ApiMenu({ site, slicePath, documentPath }: ApiMenuProps) {
  return (
    <>
      {slicePath !== undefined && (
        <a href={toAssetHref(site, slicePath)}>
          <Icon name="cube" />
          <span>
            OpenAPI of this operation<small>Self-contained JSON</small>
          </span>
        </a>
      )}
      {documentPath !== undefined && (
        <a href={toAssetHref(site, documentPath)} download>
          <Icon name="load" />
          <span>
            Whole OpenAPI document<small>As it is in the repository</small>
          </span>
        </a>
      )}
    </>
  )
}
