import { isObject, pointerChild, readOwn } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { baseName, joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import { expectedStoredPath, isStoredPath, repositoryPattern, storedPathPattern } from './config-files.ts'
import { type Place, type Setting, unknownKey } from './config-setting.ts'

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

interface Field {
  readonly description: string
  readonly pattern: string
  /** The accepted values, for messages. */
  readonly expected: string
}

const fields: { readonly [field in Exclude<keyof SourceSetting, 'isPublic'>]: Field } = {
  repository: {
    description: 'The repository of the document, as `owner/name`.',
    pattern: repositoryPattern,
    expected: 'a repository such as `acme/api`',
  },
  kind: {
    description: 'What is copied: a `document`, or the file of a recorded client with `clients`. Default: a document.',
    pattern: '^(?:document|clients)$',
    expected: '`document` or `clients`',
  },
  ref: {
    description: 'The branch, tag or commit to read. Default: the default branch.',
    pattern: refPattern,
    expected: 'the name of a branch or tag, or a commit',
  },
  path: {
    description: 'The document or clients file, relative to its repository.',
    pattern: pathPattern,
    expected: 'a path relative to its repository',
  },
  to: {
    description:
      'The file to store it in, relative to the docs directory; for a client, to the folder of clients files. Default: its name.',
    pattern: storedPathPattern,
    expected: expectedStoredPath,
  },
}

const storedName = { pattern: storedPathPattern.replace('^', '(?:^|/)(?=[^/]+$)') }

const keys = [...Object.keys(fields), 'public']

const publicName =
  'Whether the copy keeps the name of the client. Default: the client has the name of the file `to`, because everyone who reads this repository sees it.'

/** `sources`: documents and clients files of other repositories. */
export const sources: Setting<readonly SourceSetting[]> = {
  description: 'Documents and clients files of other repositories that `update --sources` and the Action copy',
  see: 'Documents of other repositories',
  example: '- repository: acme/api\n  ref: main\n  path: openapi.yaml\n  to: openapi/pets.yaml',
  schema: {
    type: 'array',
    items: {
      type: 'object',
      required: ['repository', 'path'],
      additionalProperties: false,
      properties: {
        ...Object.fromEntries(
          Object.entries(fields).map(([name, { description, pattern }]) => [name, { description, type: 'string', pattern }]),
        ),
        public: { description: publicName, type: 'boolean' },
      },
      // Without `to`, the name of the document or public client is the path.
      anyOf: [
        { required: ['to'] },
        { properties: { path: storedName, kind: { const: 'document' } } },
        { required: ['public'], properties: { path: storedName, public: { const: true } } },
      ],
    },
  },
  byDefault: [],
  read: (written, place) => {
    if (!Array.isArray(written)) {
      const hint = 'Use a list, for example `- { repository: acme/api, path: openapi.yaml }`'
      const message = 'Unexpected value for `sources`, expected a list'
      place.report({ code: 'wrong-type', message, pointer: place.pointer, hint })
      return undefined
    }
    const read: SourceSetting[] = []
    for (const [index, entry] of written.entries()) {
      const at = { ...place, pointer: pointerChild(place.pointer, `${index}`) }
      const source = readSource(entry, at)
      if (!source) continue
      if (!read.some(({ to, kind }) => to === source.to && kind === source.kind)) read.push(source)
      else {
        const message = `Unexpected second document for \`${source.to}\` in \`sources\``
        place.report({ code: 'wrong-value', message, pointer: at.pointer, hint: 'Set `to` to another file' })
      }
    }
    return read
  },
}

function readSource(entry: unknown, { file, pointer, report }: Place): SourceSetting | undefined {
  if (!isObject(entry)) {
    report({
      code: 'wrong-type',
      message: 'Unexpected value in `sources`, expected a mapping with `repository` and `path`',
      pointer,
    })
    return undefined
  }
  let isFaulty = false
  const fault = (finding: Parameters<Place['report']>[0]) => {
    report(finding)
    isFaulty = true
  }
  const values = new Map<string, string>()
  for (const [key, value] of Object.entries(entry)) {
    const at = pointerChild(pointer, key)
    const field = Object.hasOwn(fields, key) ? fields[key as keyof typeof fields] : undefined
    if (!field && key !== 'public') {
      const message = `Unexpected \`${key}\` in \`sources\`, expected ${listChoices(keys)}`
      fault(unknownKey(message, key, at, keys))
    } else if (typeof value !== (field ? 'string' : 'boolean')) {
      const expected = field ? 'a string' : '`true` or `false`'
      fault({ code: 'wrong-type', message: `Unexpected value for \`${key}\`, expected ${expected}`, pointer: at })
    } else if (field && !new RegExp(field.pattern).test(String(value))) {
      fault({ code: 'wrong-value', message: `Unexpected value for \`${key}\`, expected ${field.expected}`, pointer: at })
    } else values.set(key, String(value))
  }
  const missing = ['repository', 'path'].filter((key) => readOwn(entry, key) === undefined)
  for (const key of missing)
    fault({ code: 'missing-field', message: `Missing \`${key}\` in \`sources\``, pointer, hint: `Add \`${key}\`` })
  const [repository, path] = [values.get('repository'), values.get('path')]
  if (isFaulty || repository === undefined || path === undefined) return undefined
  const kind = values.get('kind') === 'clients' ? 'clients' : 'document'
  const isPublic = values.get('public') === 'true'
  if (kind === 'clients' && !isPublic && !values.has('to')) {
    const hint = 'Add `to`, which names the client in this repository, or `public: true` to keep its name'
    report({ code: 'missing-field', message: `Missing \`to\` for \`${path}\``, pointer, hint })
    return undefined
  }
  const to = values.get('to') ?? baseName(path)
  if (!isStoredPath(to)) {
    report({ code: 'wrong-value', message: `Missing \`to\` for \`${path}\`, expected ${expectedStoredPath}`, pointer })
    return undefined
  }
  return { kind, isPublic, repository, ref: values.get('ref'), path: normalizePath(path), to: joinPath(parentPath(file), to) }
}
