import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { childPlace } from '../../../openapi/references/follow-reference.ts'
import { listStrings, type Place } from '../../../text/json/json-values.ts'
import { lazy, onceFor } from '../../../text/plain/lists.ts'
import { listWrittenUrls } from '../../../text/plain/scan-markdown.ts'
import { markdownToNodes } from '../../content/mdx-reader.ts'
import { surveyContent } from '../../page/components/check-content.ts'
import { findUrlOffset } from '../../plan/site-links.ts'
import type { SitePage } from '../../plan/types.ts'
import { schemasOf } from '../../reference/context.ts'
import type { Reference } from '../../reference/create-reference.ts'

export interface DescriptionLocations {
  /** Returns the location of a link in a description, if the link on the page comes from one. */
  readonly ofLink: (page: SitePage, href: string) => Pick<Finding, 'file' | 'pointer' | 'part'> | undefined
  /**
   * Lists the links in descriptions to pages and files of the site, each with a page that shows it. Those of schemas that several pages show only if they are the
   * same on each page.
   */
  readonly listLinks: () => readonly { readonly page: SitePage; readonly href: string }[]
  /** Moves a diagnostic for a generated page to the source of its text. Other diagnostics are returned unchanged. */
  readonly ofFinding: (finding: Finding) => Finding
}

/**
 * Locates problems of generated pages in their OpenAPI documents, because the pages themselves do not exist as files. Searches
 * only when there is a problem.
 *
 * @param pages the pages of the site. @param made texts of generated page files, by path relative to the boundary.
 */
export function createDescriptionLocations(
  pages: readonly SitePage[],
  references: ReadonlyMap<string, Reference>,
  made: { readonly root: string; readonly textOf: (file: string) => string | undefined },
): DescriptionLocations {
  const prefix = made.root === '' ? '' : `${made.root}/`
  const byFile = lazy(() => new Map(pages.flatMap((page) => (page.path === undefined ? [] : [[prefix + page.path, page]]))))
  const indexOf = onceFor(toTextIndex)
  const ofLink = (page: SitePage, href: string) => {
    const own = listPageParts(page, references)
    const near = own.flatMap((place) => findText(place, (text) => findUrlOffset(text, href) !== -1) ?? [])[0]
    if (near) return toPlaceOfPart(near, href)
    const reference = 'source' in page.subject ? references.get(page.subject.source) : undefined
    if (!reference) return undefined
    const far = indexOf(reference).find(({ text }) => findUrlOffset(text, href) !== -1)
    return far && toPlaceOfPart(far, href)
  }
  return {
    ofLink,
    listLinks() {
      const ofPages = pages.flatMap((page) =>
        listPageParts(page, references).flatMap((place) => listLinks(place).map((href) => ({ page, href }))),
      )
      const ofDocuments = [...references].flatMap(([source, { context }]) => {
        const page = pages.find(({ subject }) => 'source' in subject && subject.source === source)
        const hrefs = page ? listLinks(context.root).filter((href) => href.startsWith('/')) : []
        return hrefs.flatMap((href) => (page ? { page, href } : []))
      })
      return [...ofPages, ...ofDocuments]
    },
    ofFinding(finding) {
      const text = finding.offsets && made.textOf(finding.file)
      const page = text === undefined ? undefined : byFile().get(finding.file)
      if (!finding.offsets || text === undefined || !page) return finding
      const { offsets, ...rest } = finding
      const own = listPageParts(page, references)
      const part = text.slice(offsets.start, offsets.end).split('\n', 1)[0] ?? ''
      const found = part.trim() === '' ? [] : own.flatMap((place) => findText(place, (one) => one.includes(part)) ?? [])
      const [place] = found
      if (place) return { ...rest, ...toPlaceOfPart(place, part) }
      const { file, pointer } = own[0] ?? finding
      return { ...rest, file, pointer }
    },
  }
}

/** The links in the descriptions inside an object, as a page has them. */
function listLinks({ value }: Place): readonly string[] {
  const isOwn = (href: string) => !/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(href)
  const hasOwn = (text: string) => listWrittenUrls(text).some(({ href }) => isOwn(href))
  const texts = listStrings(value, '').filter(({ key, text }) => key === 'description' && hasOwn(text))
  return texts.flatMap(({ text }) => [...surveyContent(markdownToNodes(text)).links].filter(isOwn))
}

type TextIndex = readonly { readonly text: string; readonly file: string; readonly pointer: string }[]

/** A URL gets the characters around it, because another one can begin with it. */
function toPlaceOfPart({ text, file, pointer }: TextIndex[number], part: string): Pick<Finding, 'file' | 'pointer' | 'part'> {
  const start = findUrlOffset(text, part)
  return { file, pointer, part: start === -1 ? part : text.slice(Math.max(0, start - 1), start + part.length + 1).trim() }
}

/** Returns the parts of the description that a page shows, or the general parts if the page shows no single part. */
function listPageParts({ subject }: SitePage, references: ReadonlyMap<string, Reference>): Place[] {
  if (!('source' in subject) || ['description', 'tag', 'changelog'].includes(subject.kind)) {
    return [...references.values()].flatMap(({ context }) => ['info', 'tags'].map((key) => childPlace(context.root, key)))
  }
  const reference = references.get(subject.source)
  if (!reference) return []
  if (subject.kind === 'schema') {
    return [childPlace(schemasOf(reference.context), subject.name)]
  }
  const operation = subject.kind === 'operation' ? reference.operations.get(subject.target) : undefined
  const operations = subject.kind === 'webhook' ? (reference.webhooks.get(subject.name) ?? []) : operation ? [operation] : []
  return operations.flatMap((one) => [one.operation, one.pathItem])
}

/** Indexes every text in a description that can contain a link. */
function toTextIndex({ context }: Reference): TextIndex {
  return listTexts(context.root).filter(({ text }) => /[(="'<\]]/.test(text))
}

function findText(place: Place, fits: (text: string) => boolean): TextIndex[number] | undefined {
  return listTexts(place).find(({ text }) => fits(text))
}

function listTexts({ file, pointer: start, value }: Place): TextIndex {
  return listStrings(value, start).map(({ text, pointer }) => ({ text, file, pointer }))
}
