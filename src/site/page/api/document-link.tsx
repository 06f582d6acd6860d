import type { ComponentChildren } from 'preact'
import { isAllowedUrl } from '../../../text/plain/urls.ts'

/** A link to a URL of an OpenAPI document, or only its text without a URL or with one that could run a script. */
export function DocumentLink({ url, children }: { readonly url: string | undefined; readonly children: ComponentChildren }) {
  return url !== undefined && isAllowedUrl(url, 'link') ? <a href={url}>{children}</a> : children
}
