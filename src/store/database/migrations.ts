import type { Kysely } from 'kysely'
import { createSchema } from './create-schema.ts'
import type { Tables } from './tables.ts'

/**
 * One step of the schema.
 *
 * Programs of the version before keep running on the migrated store, and start on it after a rollback. So a step only adds: tables,
 * indexes, and columns with a default. Remove or rename something in two versions: the first one stops using it, the next one drops
 * it with a step that `breaking` marks.
 */
export interface Migration {
  (database: Kysely<Tables>): Promise<void>
  /** Set by `breaking`. */
  readonly isBreaking?: true
}

/** Marks a step after which older programs must not use the store. */
export function breaking(step: Migration): Migration {
  return Object.assign((database: Kysely<Tables>) => step(database), { isBreaking: true } as const)
}

/** All steps in order, beginning with step 1. Released steps never change; add new ones. */
export const migrations: readonly Migration[] = [createSchema]
