import { onceFor } from '../../../text/plain/lists.ts'
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

/** The files that scripts load on pages in a language; `undefined` for English, which is part of the scripts. */
export const toMessageFiles = onceFor(({ language, client, playground }: Messages): MessageFiles | undefined => {
  if (language === 'en') return undefined
  return {
    client: toFile('messages', { language, ...client } satisfies ClientMessages),
    playground: toFile('playground', { language, ...playground } satisfies PlaygroundMessages),
  }
})

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
