import type { Files } from '../../files/files.ts'
import { baseName, parentPath, withoutDocumentExtension } from '../../text/plain/paths.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import { type ClientRecord, emptyClient, readClientFile } from '../../traffic/client-file.ts'
import type { Config } from '../config/project-config.ts'
import { toClientsFolder } from '../config/traffic-settings.ts'
import { findDocsConfigAbove, hasDocsConfig } from './find-docs.ts'

/** The folder with the clients files of a document. */
export async function findClientsFolder(document: string, { traffic }: Pick<Config, 'traffic'>, files: Files): Promise<string> {
  const around = parentPath(document)
  const isKnown = traffic.clients !== undefined || (await hasDocsConfig(around, files))
  const docsConfig = isKnown ? undefined : await findDocsConfigAbove(around, files)
  return toClientsFolder(traffic, docsConfig === undefined ? around : parentPath(docsConfig))
}

const maxClients = 1_000
/** The largest clients file. */
export const maxClientBytes = 16 * 1024 * 1024

/** Reads the clients files of a directory, sorted by path. A file that is not read is a client of which nothing is known: none is left out. */
export async function readClients(folder: string, files: Files): Promise<readonly ClientRecord[]> {
  const clients: ClientRecord[] = []
  const paths = (await files.list(folder)).filter((path) => /\.ya?ml$/i.test(path))
  for (const [index, path] of paths.entries()) {
    const result = index < maxClients ? await files.read(path, maxClientBytes) : undefined
    const read = result?.kind === 'file' ? await readClientFile(toSourceFile(path, result.bytes)) : undefined
    clients.push(read?.record ?? emptyClient(withoutDocumentExtension(baseName(path))))
  }
  return clients
}
