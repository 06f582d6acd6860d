import type { SitePage } from '../types.ts'

/** Where the description of a page's operation alone stands, relative to the output folder. */
export function toSlicePath({ route }: Pick<SitePage, 'route'>): string {
  return `${route === '' ? 'index' : route}.openapi.json`
}
