import type { PublishedSite } from './site-types.ts'

/** Whether what a project's address shows is for a success, or a person, to replace: itself a success, or published by hand. */
export function isHeld(published: Pick<PublishedSite, 'build' | 'publishedBy'> | undefined): boolean {
  return published !== undefined && (published.build.status === 'success' || published.publishedBy !== 'push')
}
