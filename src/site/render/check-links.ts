import type { Finding } from '../../diagnostics/diagnostic.ts'
import { findLinks } from '../../docs-config/page-links.ts'
import { decodePercent } from '../../source/relative-path.ts'
import { suggest } from '../../source/suggest.ts'
import type { SettingLink } from './check-settings.ts'
import { assetType } from './files/file-types.ts'
import { findAddress, type LinkTarget, resolveLink } from './site-links.ts'
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
  /** Whether an address is among those of a document that could not be read: nobody knows which pages it would have. */
  readonly isUntold: (path: string) => boolean
  /** What a fragment may have meant that names a part of a description (`operation/getPte`). */
  readonly nearestNamed?: (fragment: string) => string | undefined
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
        const near = (href.startsWith('#') ? targets.nearestNamed?.(id) : undefined) ?? suggest(id, ids)
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
    const fault = findFault(href, target, targets)
    if (fault) tell(href, fault.code, fault.message, fault.hint)
  }
  return { assets: [...assets], findings, fragments }
}

/** Checks the addresses that docs.json names for the whole site. Which files they publish is decided elsewhere. */
export function checkSettingLinks(links: readonly SettingLink[], targets: LinkTargets): Finding[] {
  return links.flatMap(({ href, file, pointer }) => {
    const target = resolveLink(href, undefined, targets.hasPage)
    if (target.kind === 'elsewhere' || target.kind === 'page' || targets.files.has(target.path)) return []
    const fault = findFault(href, target, targets)
    return fault ? [{ ...fault, file, pointer }] : []
  })
}

/** What is wrong with an address that leads to no page and no file; nothing where a redirect leads on. */
function findFault(
  href: string,
  { kind, path }: Extract<LinkTarget, { path: string }>,
  targets: LinkTargets,
): Pick<Finding, 'code' | 'message' | 'hint'> | undefined {
  if (targets.isRedirected(path) || targets.isUntold(path) || path === '') return undefined
  const near = kind === 'file' ? targets.nearestFile(path) : targets.nearestPage(path)
  const hint = near === undefined ? {} : { hint: `did you mean \`/${near}\`?` }
  if (kind === 'file') return { code: 'asset-missing', message: `Cannot find the file \`${href}\``, ...hint }
  return { code: 'link-unresolved', message: `Unexpected link to \`${href}\`: no page has this address`, ...hint }
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
