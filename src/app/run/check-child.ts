import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createArchiveFiles } from '../../github/archive-files.ts'
import { checkRepository } from './check-repository.ts'
import type { CheckRequest } from './check-types.ts'
import { createFetchPublicDocument } from './fetch-public-document.ts'
import { serveOneRequest } from './untrusted-child.ts'

// The process that reads untrusted documents. It has no secrets: no keys, no store, no connection to GitHub.

serveOneRequest(async ({ folder, archive, limitBytes, root, withChanges, github }: CheckRequest) => {
  const files = createArchiveFiles(archive, (path) => readFile(join(folder, path)), { limitBytes })
  return await checkRepository({ root, withChanges, github }, { files, fetchDocument: createFetchPublicDocument() })
})
