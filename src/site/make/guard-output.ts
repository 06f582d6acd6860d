import { createSecretSearch } from '../../openapi/public/filter-description.ts'
import { ConfigError } from '../../text/errors.ts'
import type { SiteFile } from '../plan/types.ts'
import type { ReadSite } from './read-site.ts'
import { type EarlierBuild, type EmitFile, hashOf } from './render-memory.ts'

/**
 * Searches what a build publishes for names and values of restricted parts that public pages and documents do not have. No page of a build with other
 * restrictions is reused. `emit` throws a `ConfigError` if a file has one.
 */
export async function guardOutput({ documents, source, files }: ReadSite, emit: EmitFile, earlier: EarlierBuild) {
  const secrets = documents.flatMap(({ check }) => check.restrictedNames ?? [])
  if (!source || secrets.length === 0) return { emit, earlier }
  const texts = source.documentFiles.map(({ content }) => Buffer.from(content).toString())
  const start = source.root === '' ? 0 : source.root.length + 1
  for (const path of await files.list(source.root)) {
    // What an author wrote for every reader.
    if (!/\.(?:mdx?|[jt]sx?)$|^(?:docs|mint)\.json$/i.test(path.slice(start))) continue
    const result = await files.read(path)
    if (result.kind === 'file') texts.push(Buffer.from(result.bytes).toString())
  }
  const find = createSecretSearch(secrets, texts)
  const stopAtSecret: EmitFile = (file) => {
    const secret = find(toText(file))
    if (secret === undefined) return emit(file)
    throw new ConfigError(`cannot publish ${file.path}: it has \`${secret}\`, the name or a value of a restricted part`, {
      hint: 'Remove it from what the file is made of, or set `site: { restricted: publish }`',
    })
  }
  const stamp = earlier.stamp && hashOf([earlier.stamp, secrets])
  return { emit: stopAtSecret, earlier: { ...earlier, stamp } }
}

/** Images and other binary files have no text. */
function toText({ path, content }: SiteFile): string {
  if (typeof content === 'string') return content
  return /\.(?:json|ya?ml|html?|md|txt|csv|xml)$/i.test(path) ? Buffer.from(content).toString() : ''
}
