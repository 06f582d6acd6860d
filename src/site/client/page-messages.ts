import type { ClientMessages } from '../messages/messages.ts'
import { pageScript } from '../messages/script-messages.ts'

let translation: Promise<ClientMessages | undefined> | undefined

/**
 * Loads the texts of scripts in the language of the page; `undefined` if it is English, whose texts are part of the scripts, or if they cannot be
 * loaded. Pages in other languages name the file in `<meta name="messages">`. Scripts that are loaded on demand get the result as an argument: a
 * module that they share with this one would be another file on every page.
 */
export function loadTranslation(): Promise<ClientMessages | undefined> {
  translation ??= fetchTranslation().catch(() => {
    // Usually a network failure. Try again for the next text.
    translation = undefined
    return undefined
  })
  return translation
}

/** The texts of the script that every page has, in the language of the page if they can be loaded. */
export async function loadPageTexts(): Promise<ClientMessages['page']> {
  return (await loadTranslation())?.page ?? pageScript
}

async function fetchTranslation(): Promise<ClientMessages | undefined> {
  const url = document.querySelector<HTMLMetaElement>('meta[name=messages]')?.content
  return url === undefined ? undefined : (await fetch(url)).json()
}
