import { readOwn } from '../../text/json/json-values.ts'
import { formatMessage } from '../messages/format-message.ts'
import { findMessages, type Messages } from '../messages/messages.ts'
import { mapDivisions } from './divisions.ts'
import { findPageLanguage, toLanguageTag } from './page-language.ts'
import type { DivisionNode, SitePage, SiteSettings } from './types.ts'

// The plan of a site is made in English. Groups and pages that the build added then get titles in their language. Routes stay.

interface GroupInput {
  /** The language around the division. */
  readonly language: string
  /** Whether `docs.json` contains a division. Its label is not changed. */
  readonly isWritten: (division: DivisionNode) => boolean
  readonly pageByRoute: ReadonlyMap<string, Pick<SitePage, 'subject'>>
}

/** Translates the labels of the groups for schemas and for operations without a tag. */
export function translateGroups(node: DivisionNode, input: GroupInput): DivisionNode {
  const language = (node.kind === 'language' ? toLanguageTag(node.label) : undefined) ?? input.language
  const children = mapDivisions(node, (child) => translateGroups(child, { ...input, language }))
  return { ...node, children, label: translateLabel(node, findMessages(language), input) }
}

function translateLabel(node: DivisionNode, { reference: texts }: Messages, { isWritten, pageByRoute }: GroupInput): string {
  const { kind, label, children } = node
  if (kind !== 'group' || isWritten(node)) return label
  if (label === 'API Reference') return texts.apiReference
  const [first] = children
  const subject = first?.kind === 'page' ? pageByRoute.get(first.route)?.subject.kind : undefined
  return label === 'Schemas' && (subject === 'schema' || subject === 'schemas') ? texts.schemas : label
}

interface TitleInput {
  readonly settings: Pick<SiteSettings, 'language'>
  /** The titles of APIs with a changelog, by source. */
  readonly changelogs: ReadonlyMap<string, string>
}

/** Translates the titles of the pages without a file that the build added: overviews, the list of schemas, changelogs. */
export function translateTitles(page: SitePage, { settings, changelogs }: TitleInput): SitePage {
  const { subject, path, sidebarTitle } = page
  if (path !== undefined) return page
  const { page: texts, reference, changelog, language } = findMessages(findPageLanguage(page, settings))
  switch (subject.kind) {
    case 'changelog': {
      const name = changelogs.get(subject.source) ?? ''
      const title = page.title === 'Changelog' ? changelog.title : formatMessage(changelog.titleOf, { name }, language)
      return { ...page, title, sidebarTitle: title }
    }
    case 'tag':
    case 'description':
    case 'schemas': {
      const label = readOwn({ Overview: texts.overview, Introduction: texts.introduction }, sidebarTitle) ?? sidebarTitle
      return { ...page, ...(subject.kind === 'schemas' && { title: reference.schemas }), sidebarTitle: label }
    }
    default:
      return page
  }
}
