import { stringOf } from '../../text/json/json-values.ts'
import { baseName, joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import { expectedStoredPath, isStoredPath, repositoryPattern, storedPathPattern } from './config-files.ts'
import { flag, type Kind, listOfMappings, type MappingPlace, oneOf, type Settings, single } from './config-setting.ts'

/** A document or a clients file of another repository, and the file that a copy of it is stored in. */
export interface SourceSetting {
  readonly kind: 'document' | 'clients'
  /** `owner/name`. */
  readonly repository: string
  /** A branch, a tag or a commit. Undefined: the default branch. */
  readonly ref: string | undefined
  /** Relative to that repository. */
  readonly path: string
  /** Relative to the boundary. */
  readonly to: string
  /** Whether the copy keeps the name of the client. Otherwise, the client has the name of the file `to`. */
  readonly isPublic: boolean
}

const refPattern = '^(?!.*\\.\\.)[^\\s~^:?*\\[\\\\./-][^\\s~^:?*\\[\\\\]*$'
const pathPattern = '^(?![A-Za-z]:)(?:\\./)?(?!\\.\\.(?:/|$))[^/\\\\]+(?:/(?!\\.\\.(?:/|$))[^/\\\\]+)*$'

function textLike(pattern: string, expected: string): Kind<string | undefined> {
  const regExp = new RegExp(pattern)
  const toValue = (written: unknown) => (typeof written === 'string' && regExp.test(written) ? written : undefined)
  return { expected, code: 'wrong-value', schema: { type: 'string', pattern }, toValue }
}

const fields: Settings = {
  repository: single(textLike(repositoryPattern, 'a repository such as `acme/api`'), {
    description: 'The repository of the document, as `owner/name`.',
    byDefault: undefined,
  }),
  kind: single(oneOf(['document', 'clients']), {
    description: 'What is copied: a `document`, or the file of a recorded client with `clients`. Default: a document.',
    byDefault: 'document',
  }),
  ref: single(textLike(refPattern, 'the name of a branch or tag, or a commit'), {
    description: 'The branch, tag or commit to read. Default: the default branch.',
    byDefault: undefined,
  }),
  path: single(textLike(pathPattern, 'a path relative to its repository'), {
    description: 'The document or clients file, relative to its repository.',
    byDefault: undefined,
  }),
  to: single(textLike(storedPathPattern, expectedStoredPath), {
    description:
      'The file to store it in, relative to the docs directory; for a client, to the folder of clients files. Default: its name.',
    byDefault: undefined,
  }),
  public: single(flag, {
    description:
      'Whether the copy keeps the name of the client. Default: the client has the name of the file `to`, because everyone who reads this repository sees it.',
    byDefault: false,
  }),
}

const storedName = { pattern: storedPathPattern.replace('^', '(?:^|/)(?=[^/]+$)') }

/** `sources`: documents and clients files of other repositories. */
export const sources = listOfMappings<SourceSetting, readonly SourceSetting[]>(fields, {
  description: 'Documents and clients files of other repositories that `update --sources` and the Action copy',
  see: 'Documents of other repositories',
  example: '- repository: acme/api\n  ref: main\n  path: openapi.yaml\n  to: openapi/pets.yaml',
  byDefault: [],
  required: ['repository', 'path'],
  entry: 'repository: acme/api, path: openapi.yaml',
  expected: 'a list',
  items: {
    // Without `to`, the name of the document or public client is the path.
    anyOf: [
      { required: ['to'] },
      { properties: { path: storedName, kind: { const: 'document' } } },
      { required: ['public'], properties: { path: storedName, public: { const: true } } },
    ],
  },
  otherwise: undefined,
  toValue: (values, place, before) => {
    const source = readSource(values, place)
    if (!source || !before.some(({ to, kind }) => to === source.to && kind === source.kind)) return source
    const message = `Unexpected second document for \`${source.to}\` in \`sources\``
    place.report({ code: 'wrong-value', message, pointer: place.pointer, hint: 'Set `to` to another file' })
    return undefined
  },
})

function readSource(
  values: ReadonlyMap<string, unknown>,
  { file, pointer, report, isFaulty }: MappingPlace,
): SourceSetting | undefined {
  const [repository, ref, path, given] = ['repository', 'ref', 'path', 'to'].map((key) => stringOf(values.get(key)))
  if (isFaulty || repository === undefined || path === undefined) return undefined
  const kind = values.get('kind') === 'clients' ? 'clients' : 'document'
  const isPublic = values.get('public') === true
  if (kind === 'clients' && !isPublic && given === undefined) {
    const hint = 'Add `to`, which names the client in this repository, or `public: true` to keep its name'
    report({ code: 'missing-field', message: `Missing \`to\` for \`${path}\``, pointer, hint })
    return undefined
  }
  const to = given ?? baseName(path)
  if (!isStoredPath(to)) {
    report({ code: 'wrong-value', message: `Missing \`to\` for \`${path}\`, expected ${expectedStoredPath}`, pointer })
    return undefined
  }
  return { kind, isPublic, repository, ref, path: normalizePath(path), to: joinPath(parentPath(file), to) }
}
