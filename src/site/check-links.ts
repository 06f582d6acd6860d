import type { Finding } from '../diagnostic/diagnostic.ts'
import { findLinks } from '../docs/find-links.ts'
import { decodePercent } from '../text/decode-percent.ts'
import { suggest } from '../text/suggest.ts'
import { assetType } from './files/asset-types.ts'
import { findAddress } from './find-address.ts'
import { resolveLink } from './resolve-link.ts'
import type { SitePage } from './types.ts'

/** What links of pages can lead to. */
export interface LinkTargets {
  readonly hasPage: (route: string) => boolean
  /** Relative to the docs root; all files that are there. */
  readonly files: ReadonlySet<string>
  /** The page or file that a path without one may have meant. */
  readonly nearestPage: (path: string) => string | undefined
  readonly nearestFile: (path: string) => string | undefined
  /** Whether a redirect leads on from an address; without leading `/`. */
  readonly isRedirected: (path: string) => boolean
}

export interface CheckedLinks {
  /** Files that the links lead to, relative to the docs root. */
  readonly assets: readonly string[]
  readonly findings: readonly Finding[]
  /** Links to a part of a page, which only the rendered page can tell about. */
  readonly fragments: readonly FragmentLink[]
}

export interface FragmentLink {
  /** The page that it leads to. */
  readonly route: string
  /** The part as the `id` of an element would be. */
  readonly id: string
  /** What is wrong when the page has only these. */
  readonly toFinding: (ids: readonly string[]) => Finding | undefined
}

/**
 * Checks the links and images of one rendered page. Each fault is told once, at the first place of the page's files (see `RenderedPage.files`)
 * where the address is written, else where `placeElsewhere` finds it.
 */
export function checkLinks(
  page: SitePage,
  links: readonly string[],
  files: readonly { readonly file: string; readonly text: string }[],
  targets: LinkTargets,
  placeElsewhere: (href: string) => Pick<Finding, 'file' | 'pointer'> | undefined = () => undefined,
): CheckedLinks {
  const assets = new Set<string>()
  const findings: Finding[] = []
  const fragments: FragmentLink[] = []
  const tell = (href: string, code: Finding['code'], message: string, hint: string | undefined) => {
    const place = findPlace(href, files) ?? placeElsewhere(href)
    if (!place) return
    findings.push({ code, message, pointer: '', ...place, ...(hint === undefined ? {} : { hint }) })
  }
  for (const href of links) {
    const target = resolveLink(href, page, targets.hasPage)
    const id = toFragment(href)
    if (id !== undefined && (target.kind === 'page' || href.startsWith('#'))) {
      const route = target.kind === 'page' ? target.route : page.route
      const toFinding = (ids: readonly string[]): Finding | undefined => {
        const place = findPlace(href, files) ?? placeElsewhere(href)
        const near = suggest(id, ids)
        const message = `Unexpected link to \`${href}\`: the page has no part \`#${id}\``
        const hint = near === undefined ? {} : { hint: `did you mean \`#${near}\`?` }
        return place && { code: 'fragment-unresolved', message, pointer: '', ...place, ...hint }
      }
      fragments.push({ route, id, toFinding })
    }
    if (target.kind === 'elsewhere' || target.kind === 'page') continue
    const { path } = target
    if (targets.files.has(path)) {
      if (assetType(path) !== undefined) assets.add(path)
      else if (!/\.mdx?$/i.test(path)) {
        tell(
          href,
          'asset-refused',
          `Cannot publish \`${path}\`: a browser could run a file of this kind, or nobody knows it`,
          undefined,
        )
      }
      continue
    }
    if (targets.isRedirected(path) || path === '') continue
    if (target.kind === 'file') {
      const near = targets.nearestFile(path)
      tell(href, 'asset-missing', `Cannot find the file \`${href}\``, near && `did you mean \`/${near}\`?`)
    } else {
      const near = targets.nearestPage(path)
      tell(
        href,
        'link-unresolved',
        `Unexpected link to \`${href}\`: no page has this address`,
        near && `did you mean \`/${near}\`?`,
      )
    }
  }
  return { assets: [...assets], findings, fragments }
}

/** The part of a page that a link leads to; none for its beginning, and for words that a browser looks for. */
function toFragment(href: string): string | undefined {
  const [, fragment = ''] = /#([^#]*)$/.exec(href) ?? []
  if (!/[\p{L}\p{N}]/u.test(fragment) || fragment === 'top' || fragment.startsWith(':~:')) return undefined
  return decodePercent(fragment)
}

function findPlace(
  href: string,
  files: readonly { readonly file: string; readonly text: string }[],
): { file: string; offsets: { start: number; end: number } } | undefined {
  for (const { file, text } of files) {
    const link = findLinks(text).find(({ target }) => target === href)
    if (link) return { file, offsets: link.offsets }
    const start = findAddress(text, href)
    if (start !== -1) return { file, offsets: { start, end: start + href.length } }
  }
  return undefined
}
