import { type ClientMessages, findMessages, type Messages, type PlaygroundMessages } from '../../messages/messages.ts'
import { findPageLanguage } from '../../plan/page-language.ts'
import type { SiteFile, SitePlan } from '../../plan/types.ts'
import { hashForName } from '../site-context.ts'

/** The files with the texts of scripts in one language. */
interface MessageFiles {
  /** The texts of page scripts. */
  readonly client: SiteFile
  readonly playground: SiteFile
}

const known = new Map<Messages, MessageFiles>()

/** The files that scripts load on pages in a language; `undefined` for English, which is part of the scripts. */
export function toMessageFiles(messages: Messages): MessageFiles | undefined {
  const { language, client, playground } = messages
  if (language === 'en') return undefined
  const before = known.get(messages)
  if (before) return before
  const files = {
    client: toFile('messages', { language, ...client } satisfies ClientMessages),
    playground: toFile('playground', { language, ...playground } satisfies PlaygroundMessages),
  }
  known.set(messages, files)
  return files
}

function toFile(name: string, texts: ClientMessages | PlaygroundMessages): SiteFile {
  const content = JSON.stringify(texts)
  return { path: `_assets/${name}-${texts.language}-${hashForName(content)}.json`, content }
}

/** The files of all languages that the pages of a site have. */
export function listMessageFiles(plan: SitePlan): SiteFile[] {
  const all = new Set(
    [plan.settings.language, ...plan.pages.map((page) => findPageLanguage(page, plan.settings))].map(findMessages),
  )
  return [...all].flatMap((messages) => Object.values(toMessageFiles(messages) ?? {}))
}
