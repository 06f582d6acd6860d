import type { Files } from '../../files/files.ts'
import { baseName, joinPath, parentPath, withoutDocumentExtension } from '../../text/plain/paths.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import { type ClientRecord, emptyClient, readClientFile } from '../../traffic/client-file.ts'
import type { Config } from '../config/project-config.ts'
import { findDocsConfigAbove, hasDocsConfig } from './find-docs.ts'

/** The name of the folder with clients files, beside `docs.json`, else beside the document. */
export const defaultClients = 'clients'

/** The folder with the clients files of a document. */
export async function findClientsFolder(document: string, { traffic }: Pick<Config, 'traffic'>, files: Files): Promise<string> {
  if (traffic.clients !== undefined) return traffic.clients
  const around = parentPath(document)
  const docsConfig = (await hasDocsConfig(around, files)) ? undefined : await findDocsConfigAbove(around, files)
  return joinPath(docsConfig === undefined ? around : parentPath(docsConfig), defaultClients)
}

const maxClients = 1_000
const maxClientBytes = 16 * 1024 * 1024

/** Reads the clients files of a directory, sorted by path. A file that cannot be read is a client of which nothing is known. */
export async function readClients(folder: string, files: Files): Promise<readonly ClientRecord[]> {
  const clients = new Map<string, ClientRecord>()
  const paths = (await files.list(folder)).filter((path) => /\.ya?ml$/i.test(path))
  for (const path of paths.slice(0, maxClients)) {
    const result = await files.read(path, maxClientBytes)
    const read = result.kind === 'file' ? await readClientFile(toSourceFile(path, result.bytes)) : undefined
    const client = read?.record ?? emptyClient(withoutDocumentExtension(baseName(path)))
    if (!clients.has(client.client)) clients.set(client.client, client)
  }
  return [...clients.values()]
}
