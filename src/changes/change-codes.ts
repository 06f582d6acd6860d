import table from '../../texts/changes.json' with { type: 'json' }
import type { AllowedUrl } from '../text/plain/urls.ts'

/** The effect of a change on API clients: it breaks some of them, it may break some of them, or it breaks none. */
export type ChangeLevel = 'breaking' | 'risky' | 'compatible'

/** The levels, the most severe first. */
export const changeLevels: readonly ChangeLevel[] = ['breaking', 'risky', 'compatible']

/** The levels that a setting can give to a code. `off` leaves out the changes with the code. */
export const levelSettings: readonly (ChangeLevel | 'off')[] = [...changeLevels, 'off']

/** Orders changes by level, the most severe first. */
export function compareLevels(a: { readonly level: ChangeLevel }, b: { readonly level: ChangeLevel }): number {
  return changeLevels.indexOf(a.level) - changeLevels.indexOf(b.level)
}

/** The default levels of a code: one for all, or one for data in requests and one for data in responses. */
type Levels = ChangeLevel | { readonly request: ChangeLevel; readonly response: ChangeLevel }

interface CodeRow {
  readonly level: Levels
  /** Short title for headings and lists. */
  readonly title: string
  /** Whom it breaks, or why it breaks no client. Sentences in Markdown for `docs/change-codes.md`. */
  readonly why: string
  /** How to make the change without breaking clients, in the imperative and without a final full stop. */
  readonly instead?: string
}

/** The stable name of a kind of change. All codes are in `texts/changes.json`. */
export type ChangeCode = keyof typeof table

/**
 * All codes of changes with their default levels, in the order of the documentation.
 *
 * The data that a client sends may only widen, and the data that it receives may only narrow.
 */
export const changeCodes = table as { readonly [code in ChangeCode]: CodeRow }

/** Whether a string is the code of a change. */
export function isChangeCode(text: string): text is ChangeCode {
  return Object.hasOwn(changeCodes, text)
}

/** The default level of a code for data that clients send (`request`) or receive (`response`). */
export function defaultLevel(code: ChangeCode, direction: 'request' | 'response'): ChangeLevel {
  const { level } = changeCodes[code]
  return typeof level === 'string' ? level : level[direction]
}

/** How to make a change with a code without breaking clients, if there is a way. */
export function findCompatibleWay(code: ChangeCode): string | undefined {
  return changeCodes[code].instead
}

/** The URL of a code's documentation. */
export function changeUrl(code: ChangeCode): AllowedUrl {
  return `https://github.com/openapi-pages/openapi-pages/blob/main/docs/change-codes.md#${code}` as AllowedUrl
}
