import { checkDescription, type DescriptionCheck } from '../../../src/openapi/check-description.ts'
import { createReference, type Reference } from '../../../src/site/reference/create-reference.ts'

/** The check of a description whose entry document is the first of these files; values are written as JSON. */
export async function checkFiles(files: Readonly<Record<string, unknown>>): Promise<DescriptionCheck> {
  const [entry = ''] = Object.keys(files)
  return checkDescription(entry, async (path) => {
    const value = files[path]
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return value === undefined
      ? { kind: 'failed', code: 'file-missing', reason: 'no such file' }
      : { kind: 'loaded', bytes: new TextEncoder().encode(text) }
  })
}

/** The reference of a description; throws where nothing of it could be read. */
export async function referenceOf(files: Readonly<Record<string, unknown>>): Promise<Reference> {
  const reference = createReference(await checkFiles(files))
  if (!reference) throw new Error('The description could not be read')
  return reference
}

/** A document with these schemas, and what else is given. */
export function documentOf(schemas: object, more: object = {}, version = '3.1.0'): object {
  return { openapi: version, info: { title: 'Pets', version: '1' }, paths: {}, components: { schemas }, ...more }
}
