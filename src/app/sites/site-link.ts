/** The parameter of an address that lets in whoever has it. */
export const linkParameter = 'openapi-pages-link'

/** The address of a site that lets in whoever has it. */
export function toSiteLink(site: string, secret: string): string {
  const url = new URL(site)
  url.searchParams.set(linkParameter, secret)
  return url.href
}
