import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { getOrMake, lazy } from '../../../text/plain/lists.ts'
import { decodePercent, isPageFile } from '../../../text/plain/paths.ts'
import { listWrittenUrls } from '../../../text/plain/scan-markdown.ts'
import type { OffsetRange } from '../../../text/plain/source-file.ts'
import { hasSimilarWords, suggest } from '../../../text/plain/suggest.ts'
import type { SettingLink } from '../check-settings.ts'
import { assetType } from '../file-types.ts'
import { findUrlOffset, type LinkedPages, type LinkTarget, resolveLink } from '../site-links.ts'
import type { SitePage } from '../types.ts'

/** The pages and files that links can refer to. */
export interface LinkTargets extends LinkedPages {
  /** All files of the docs directory, as relative paths. */
  readonly files: ReadonlySet<string>
  /** Suggests a page for a broken path. */
  readonly nearestPage: (path: string) => string | undefined
  /** Suggests a file for a broken path. */
  readonly nearestFile: (path: string) => string | undefined
  /** Whether a path, without a leading `/`, is redirected. */
  readonly isRedirected: (path: string) => boolean
  /** Whether a path, without a leading `/`, is a generated file of the site, such as `llms.txt`. */
  readonly isGenerated: (path: string) => boolean
  /** The page that opens for a directory without an index page; `undefined` for other paths. Links to it are reported as information. */
  readonly firstPageIn: (path: string) => string | undefined
  /** The path or directory that excludes a file of the docs directory from the site; `undefined` for other paths. */
  readonly exclusionOf: (path: string) => string | undefined
  /** Whether a path may belong to an OpenAPI document that could not be read, so that its pages are not known. */
  readonly isUnknown: (path: string) => boolean
}

export interface CheckedLinks {
  /** The linked files, relative to the docs directory. */
  readonly assets: readonly string[]
  readonly findings: readonly Finding[]
  /** Links with a fragment. They can be checked only when the target page is rendered. */
  readonly fragments: readonly FragmentLink[]
}

export interface FragmentLink {
  /** The target page. */
  readonly route: string
  /** The decoded fragment. */
  readonly id: string
  /** Returns the diagnostic if the element IDs of the target page do not include the fragment. */
  readonly toFinding: (ids: readonly string[]) => Finding | undefined
}

/**
 * Checks the links and images of a rendered page. Reports each broken URL once, at its first location in the page's files (see `RenderedPage.files`), else
 * at the location that `placeElsewhere` returns.
 */
export function checkLinks(
  page: Pick<SitePage, 'path' | 'route'>,
  links: readonly string[],
  texts: readonly { readonly file: string; readonly text: string }[],
  targets: LinkTargets,
  placeElsewhere: (href: string) => Pick<Finding, 'file' | 'pointer' | 'part'> | undefined = () => undefined,
): CheckedLinks {
  const assets = new Set<string>()
  const findings: Finding[] = []
  const fragments: FragmentLink[] = []
  // Read once, because a page can have thousands of broken links.
  const files = texts.map(({ file, text }) => ({ file, text, places: lazy(() => listPlaces(text)) }))
  // Nothing in a page shows where the URL is that an expression computes.
  const ownPlace = texts[0] && { file: texts[0].file, offsets: { start: 0, end: 0 } }
  const placeOf = (href: string) => findPlace(href, files) ?? placeElsewhere(href) ?? ownPlace
  const report = (href: string, code: Finding['code'], message: string, hint: string | undefined) => {
    const place = placeOf(href)
    if (!place) return
    findings.push({ code, message, pointer: '', ...place, hint })
  }
  for (const href of links) {
    const target = resolveLink(href, page, targets)
    const id = toFragment(target.kind === 'page' ? target.rest : href)
    if (id !== undefined && (target.kind === 'page' || href.startsWith('#'))) {
      const route = target.kind === 'page' ? target.route : page.route
      const toFinding = (ids: readonly string[]): Finding | undefined => {
        const place = placeOf(href)
        const near = nearestId(id, ids)
        const message = `Unexpected link to \`${href}\`: the page has no element with the ID \`${id}\``
        const hint = near === undefined ? {} : { hint: `Did you mean \`#${near}\`?` }
        return place && { code: 'fragment-unresolved', message, pointer: '', ...place, ...hint }
      }
      fragments.push({ route, id, toFinding })
    }
    if (target.kind === 'elsewhere' || target.kind === 'page') continue
    const { path } = target
    if (targets.files.has(path)) {
      if (assetType(path) !== undefined) assets.add(path)
      else if (!isPageFile(path)) {
        report(
          href,
          'asset-refused',
          `Cannot publish \`${path}\`: its file type is unknown or could run code in the browser`,
          undefined,
        )
      }
      continue
    }
    const broken = findBrokenLink(href, target, targets, page.route)
    if (broken) report(href, broken.code, broken.message, broken.hint)
  }
  return { assets: [...assets], findings, fragments }
}

/** Checks the site-wide URLs of `docs.json`. */
export function checkSettingLinks(links: readonly SettingLink[], targets: LinkTargets): Finding[] {
  return links.flatMap(({ href, file, pointer }) => {
    const target = resolveLink(href, undefined, targets)
    if (target.kind === 'elsewhere' || target.kind === 'page' || targets.files.has(target.path)) return []
    const broken = findBrokenLink(href, target, targets)
    return broken ? [{ ...broken, file, pointer }] : []
  })
}

const imageExtensions = ['png', 'svg', 'jpg', 'jpeg', 'webp', 'gif', 'avif']

/** Describes a broken link; `undefined` if the path is redirected or generated. */
function findBrokenLink(
  href: string,
  { kind, path }: Extract<LinkTarget, { path: string }>,
  targets: LinkTargets,
  ownRoute?: string,
): Pick<Finding, 'code' | 'message' | 'hint'> | undefined {
  if (path === '' || targets.isRedirected(path) || targets.isGenerated(path) || targets.isUnknown(path)) return undefined
  const first = targets.firstPageIn(path)
  if (first !== undefined) {
    return {
      code: 'link-to-directory',
      message: `Unexpected link to the directory \`${href}\`: it has no index page, so the link opens its first page`,
      hint: `Change the link to \`/${first}\``,
    }
  }
  const exclusion = targets.exclusionOf(path)
  if (exclusion !== undefined) {
    return {
      code: kind === 'file' ? 'asset-missing' : 'link-unresolved',
      message: `Cannot find the ${kind === 'file' ? 'file' : 'page'} \`${href}\`: hosts do not publish \`${exclusion}\``,
      hint: `Move the file, or add \`!${exclusion}\` to \`.mintignore\``,
    }
  }
  const image = imageExtensions.map((extension) => `${path}.${extension}`).find((file) => targets.files.has(file))
  if (image !== undefined) {
    return { code: 'asset-missing', message: `Cannot find the file \`${href}\``, hint: `Did you mean \`/${image}\`?` }
  }
  const near = kind === 'file' ? targets.nearestFile(path) : targets.nearestPage(path)
  const hint = near === undefined || near === ownRoute ? {} : { hint: `Did you mean \`/${near}\`?` }
  if (kind === 'file') return { code: 'asset-missing', message: `Cannot find the file \`${href}\``, ...hint }
  return { code: 'link-unresolved', message: `Unexpected link to \`${href}\`: the site has no page with this path`, ...hint }
}

/** Finds the ID that a wrong one is a misspelling of. */
function nearestId(id: string, ids: readonly string[]): string | undefined {
  const near = suggest(id, ids)
  // Hosts write the number of a section differently, as `2-1` or `21`.
  const withoutNumber = (one: string) => one.replace(/^#?[\d-]+/, '')
  return near !== undefined && hasSimilarWords(withoutNumber(id), withoutNumber(near), '-') ? near : undefined
}

/** The decoded fragment of a link; `undefined` for `#top` and text fragments. */
function toFragment(href: string): string | undefined {
  const [, fragment = ''] = /#(.*)$/s.exec(href) ?? []
  if (!/[\p{L}\p{N}]/u.test(fragment) || fragment === 'top' || fragment.startsWith(':~:')) return undefined
  // Mintlify keeps the `#` of a heading such as `#include` in its ID.
  return decodePercent(fragment.replace(/^%23/, ''))
}

/** The first place of each URL, as written and without the escapes and character references of Markdown. */
function listPlaces(text: string): ReadonlyMap<string, OffsetRange> {
  const places = new Map<string, OffsetRange>()
  for (const { href, start } of listWrittenUrls(text)) {
    const plain = href.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&')
    for (const url of [href, plain]) getOrMake(places, url, () => ({ start, end: start + href.length }))
  }
  return places
}

function findPlace(
  href: string,
  files: readonly { readonly file: string; readonly text: string; readonly places: () => ReadonlyMap<string, OffsetRange> }[],
): { file: string; offsets: OffsetRange } | undefined {
  for (const { file, text, places } of files) {
    const offsets = places().get(href)
    if (offsets) return { file, offsets }
    const start = findUrlOffset(text, href)
    if (start !== -1) return { file, offsets: { start, end: start + href.length } }
  }
  return undefined
}
