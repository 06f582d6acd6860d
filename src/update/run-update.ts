import type { Update, UpdateEnvironment, UpdateOptions } from './types.ts'

/** Finds out everything an update would change; writes nothing. */
export async function runUpdate(options: UpdateOptions, _environment: UpdateEnvironment): Promise<Update> {
  return {
    root: options.root,
    hasDocsConfig: false,
    documents: [],
    pages: [],
    materialised: [],
    navigation: { added: 0, removed: 0 },
    diagnostics: [],
    changes: [],
  }
}
