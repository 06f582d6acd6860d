import type { IncomingMessage } from 'node:http'
import type { ShownSite } from '../../store/site-types.ts'
import type { AppContext } from '../app-context.ts'
import { noSite, type SiteAnswer } from './site-answer.ts'

/** Whether somebody may see a site. */
export type ReadAccess =
  /** As everybody may; it can be kept in caches that people share. */
  | { readonly kind: 'public' }
  /** As one of a few. */
  | { readonly kind: 'private' }
  /** Not, or not yet: this is what is said instead. */
  | { readonly kind: 'refused'; readonly answer: SiteAnswer }

/** Asked for every request to a site, before its path is looked at: it may keep paths of its own on the host. */
export type MayRead = (site: ShownSite, request: IncomingMessage) => ReadAccess | Promise<ReadAccess>

/** Sites of public repositories are for everybody, those of private ones for nobody. */
export function createMayRead(_context: Pick<AppContext, 'store'>): MayRead {
  return ({ project }) => (project.private ? { kind: 'refused', answer: noSite } : { kind: 'public' })
}
