import { english } from './messages.ts'

// The English texts of the scripts of pages. The build puts only the part that a script needs into it: see `onlyOwnTexts` in `scripts/site-chunks.ts`.

export const { page: pageScript, search, schema, print, diagrams, oauth } = english.client
