import type { PlaygroundMessages } from '../messages/english.ts'

let translated: PlaygroundMessages | undefined

/** Uses the texts of another language than English from now on. Called before the dialog is rendered. */
export function useTranslation(messages: PlaygroundMessages): void {
  translated = messages
}

/** The texts of an area in the language of the page. The English ones are part of the script that shows them. */
export function textsOf<Area extends Exclude<keyof PlaygroundMessages, 'language'>>(
  area: Area,
  english: PlaygroundMessages[Area],
): PlaygroundMessages[Area] {
  return translated?.[area] ?? english
}

/** The language of the texts, for `formatMessage`. */
export function textLanguage(): string {
  return translated?.language ?? 'en'
}
