import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { createArchiveFiles } from '../../github/archive-files.ts'
import { checkRepository } from './check-repository.ts'
import type { CheckRequest } from './check-types.ts'
import { createFetchPublicDocument } from './fetch-public-document.ts'

// The thread in which documents of strangers are read. It has nothing that is secret: no keys, no store, no connection to GitHub.

// Handed over by `check-in-worker.ts`, which has this type.
const { folder, archive, limitBytes, root, withChanges } = workerData as CheckRequest
const files = createArchiveFiles(archive, (path) => readFile(join(folder, path)), { limitBytes })
const checked = await checkRepository({ root, withChanges }, { files, fetchDocument: createFetchPublicDocument() })
parentPort?.postMessage(checked)
