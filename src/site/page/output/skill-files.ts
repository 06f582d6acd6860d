import { hash } from 'node:crypto'
import { Fragment, h } from 'preact'
import { parsePageFrontmatter } from '../../../docs/pages/page-bindings.ts'
import { readText } from '../../../text/json/json-values.ts'
import { withoutControls } from '../../../text/plain/escape-text.ts'
import { english } from '../../messages/messages.ts'
import type { SiteFile, SitePage } from '../../plan/types.ts'
import { maxAgentName, renderInstructions, toAgentName } from '../agent-note.ts'
import { toApiContext } from '../api/api-context.ts'
import { ServersPart } from '../api/description-article.tsx'
import { SecurityPart } from '../api/security-part.tsx'
import { elementsToMarkdown } from '../markdown/elements-to-markdown.ts'
import type { ListedDocument } from '../markdown/llms-files.ts'
import { withoutRefusedLinks } from '../markdown/refused-links.ts'
import { codeSpan, escapeMarkdown } from '../markdown/write-markdown.ts'
import { isListed } from '../page-listing.ts'
import { type SiteContext, type SiteSource, toAssetHref, toFileUrl, toMarkdownPath } from '../site-context.ts'

/** The most operations of an API that a skill lists. */
const maxOperations = 100

/** The longest description of a skill, in characters. Source: agentskills.io, "Specification". */
const maxDescription = 1_024

interface Skill {
  /** Unique in the site, as in its URL. */
  readonly name: string
  readonly description: string
  readonly text: string
}

/**
 * The skill of a site, which tells agents what they can do with it: `skill.md`, and the lists of skills that agents look for. Skills of the repository
 * replace the generated one.
 *
 * Source: agentskills.io, "Specification" and "Discovery" 0.2.0.
 */
export function renderSkillFiles(source: SiteSource, documents: readonly ListedDocument[]): SiteFile[] {
  const { context, skills = [] } = source
  const written = skills.length > 0 ? skills : [renderSkill(source, documents)]
  const taken = new Set<string>()
  const all = written.map((text): Skill => {
    const { name, description } = readSkill(text, context)
    for (let number = 1; ; number++) {
      const unique = number === 1 ? name : `${name.slice(0, maxAgentName - 4)}-${number}`
      if (taken.has(unique)) continue
      taken.add(unique)
      return { name: unique, description, text }
    }
  })
  const folders = ['.well-known/agent-skills', '.well-known/skills'] as const
  const toPath = (folder: string, { name }: Skill) => `${folder}/${name}/SKILL.md`
  const [first] = all
  const index = {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: all.map((skill) => ({
      name: skill.name,
      type: 'skill-md',
      description: skill.description,
      url: toAssetHref(context.hosting, toPath(folders[0], skill)),
      digest: `sha256:${hash('sha256', skill.text)}`,
    })),
  }
  // The format of the first tools.
  const list = { skills: all.map(({ name, description }) => ({ name, description, files: ['SKILL.md'] })) }
  return [
    ...(first ? [{ path: 'skill.md', content: first.text }] : []),
    { path: `${folders[0]}/index.json`, content: `${JSON.stringify(index, undefined, 2)}\n` },
    { path: `${folders[1]}/index.json`, content: `${JSON.stringify(list, undefined, 2)}\n` },
    ...folders.flatMap((folder) => all.map((skill) => ({ path: toPath(folder, skill), content: skill.text }))),
  ]
}

/** Reads the name and description of a skill. Missing ones are those of the site. */
function readSkill(text: string, { plan: { settings } }: SiteContext): Pick<Skill, 'name' | 'description'> {
  const values = parsePageFrontmatter(text)?.values
  return {
    name: toAgentName(readText(values, 'name') ?? settings.name),
    description: toOneLine(readText(values, 'description') ?? settings.description ?? settings.name),
  }
}

function toOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= maxDescription ? line : `${line.slice(0, maxDescription - 1)}…`
}

/** Describes a site: where its pages are, its APIs with their operations, and the instructions of the authors. */
function renderSkill(source: SiteSource, documents: readonly ListedDocument[]): string {
  const { context } = source
  const { name, description } = context.plan.settings
  const about = description === undefined ? '' : `${description.replace(/\s+/g, ' ').replace(/(?<![.!?])$/, '.')} `
  const subject = documents.length === 0 ? 'work with' : 'call the API of, write code for, or work with'
  const use = toOneLine(`${about}Use when asked to ${subject} ${name}.`)
  const { mcpUrl } = context.hosting
  const url = (path: string) => toFileUrl(context.hosting, path)
  const start = [
    `- All pages: ${url('llms.txt')}`,
    `- The text of all pages: ${url('llms-full.txt')}`,
    '- One page as Markdown: its URL without the final slash, with `.md`',
    ...(mcpUrl === undefined ? [] : [`- MCP server, to search pages and to read operations: ${mcpUrl}`]),
  ]
  const apis = documents.flatMap((document) => renderApi(document, source))
  const instructions = renderInstructions(context.plan.settings)
  const blocks = [
    `---\nname: ${toAgentName(name)}\ndescription: ${JSON.stringify(use)}\n---`,
    `# ${escapeMarkdown(name)}`,
    ...(instructions === '' ? [] : [instructions.trimEnd()]),
    '## Read the documentation',
    start.join('\n'),
    ...apis,
  ]
  return withoutControls(withoutRefusedLinks(`${blocks.join('\n\n')}\n`))
}

function renderApi({ title, path, source: name }: ListedDocument, { context, references }: SiteSource): string[] {
  const reference = references.get(name)
  if (!reference) return []
  const { settings, pages } = context.plan
  const operations = pages.filter(
    (page) => page.subject.kind === 'operation' && page.subject.source === name && isListed(page, settings),
  )
  const lines = operations.slice(0, maxOperations).map((operation) => toLine(operation, context))
  const more = operations.length - lines.length
  return [
    `## ${escapeMarkdown(title)}`,
    `OpenAPI document: ${toFileUrl(context.hosting, path)}`,
    ...describeAccess(name, { context, references }),
    ...(lines.length === 0 ? [] : ['### Operations', lines.join('\n')]),
    ...(more > 0 ? [`${more} more operations are in the OpenAPI document.`] : []),
  ]
}

/** The servers and the authorization of an API. */
function describeAccess(source: string, { context, references }: Pick<SiteSource, 'context' | 'references'>): string[] {
  const reference = references.get(source)
  const pages = context.plan.pages.filter(({ subject }) => 'source' in subject && subject.source === source)
  const page = pages.find(({ subject }) => subject.kind === 'description') ?? pages[0]
  if (!reference || !page) return []
  const { servers, security } = reference.apiView()
  const api = toApiContext({ site: { ...context, messages: english }, page, reference, source, headingIds: [] })
  const elements = h(Fragment, {}, [
    servers.length > 0 && h(ServersPart, { servers, api }),
    h(SecurityPart, { operation: { security }, api }),
  ])
  const text = elementsToMarkdown(elements, () => undefined, 3)
  return text === '' ? [] : [text]
}

function toLine(page: SitePage, context: SiteContext): string {
  const target = page.subject.kind === 'operation' ? page.subject.target : ''
  return `- ${codeSpan(target)}: [${escapeMarkdown(page.title)}](${toFileUrl(context.hosting, toMarkdownPath(page))})`
}
