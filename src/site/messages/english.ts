import { pageScript } from './english-page-script.ts'
import { playground } from './english-playground.ts'
import type { PluralMessage } from './format-message.ts'

/** The texts of the interface, by area. Every other language has the same keys. */
export const english = {
  /** The language of the texts, as a BCP 47 tag. */
  language: 'en',
  /** Texts of scripts that run on pages. */
  client: { page: pageScript },
  playground,
} as const

/** The texts of the interface in one language. */
export type Messages = Translated<typeof english>

/** What the scripts of pages load for another language than English. */
export type ClientMessages = Messages['client'] & Pick<Messages, 'language'>

/** What the playground loads for another language than English. */
export type PlaygroundMessages = Messages['playground'] & Pick<Messages, 'language'>

type Translated<Text> = Text extends string
  ? string
  : Text extends { readonly other: string }
    ? PluralMessage
    : { readonly [Key in keyof Text]: Translated<Text[Key]> }
