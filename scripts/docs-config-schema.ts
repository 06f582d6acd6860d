import { childKeys, divisionKeys, docsConfigKeys } from '../src/docs-config/docs-config-keys.ts'
import { divisionLists } from '../src/docs-config/read-divisions.ts'
import type { DivisionKind } from '../src/docs-config/types.ts'

const kinds: readonly DivisionKind[] = ['navigation', ...new Set(Object.values(divisionLists))]

const listKeys = [...Object.keys(divisionLists), 'pages']

/**
 * Writes the JSON Schema of what is read of a `docs.json`, by the tables that it is read with. What the schema refuses is an error of a check.
 * Unknown keys are allowed: they are kept, and told as information.
 */
export function renderDocsConfigSchema(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://github.com/openapi-pages/openapi-pages/blob/main/docs/schemas/docs.schema.json',
    title: 'docs.json as openapi-pages reads it',
    description:
      'Pages and navigation by OpenAPI documents. Keys that say nothing of these are listed without a shape; the host has its own schema for them. Written by `npm run docs`.',
    type: 'object',
    anyOf: [{ required: ['navigation'] }, { required: ['$ref'] }],
    properties: {
      ...Object.fromEntries(docsConfigKeys.map((key) => [key, true])),
      $ref: { $ref: '#/$defs/reference/properties/$ref' },
      navigation: orReference('navigation'),
      api: { anyOf: [{ $ref: '#/$defs/reference' }, { type: 'object', properties: { openapi: { $ref: '#/$defs/openapi' } } }] },
    },
    $defs: {
      reference: {
        description: 'A part of the configuration in a file of its own. The path counts from the file that has it.',
        type: 'object',
        required: ['$ref'],
        properties: { $ref: { type: 'string' } },
      },
      openapi: {
        description: 'OpenAPI documents, of which every one counts.',
        anyOf: [{ $ref: '#/$defs/document' }, { type: 'array', items: { $ref: '#/$defs/document' } }],
      },
      document: {
        anyOf: [
          { $ref: '#/$defs/location' },
          {
            type: 'object',
            required: ['source'],
            properties: {
              source: { $ref: '#/$defs/location' },
              directory: {
                description: 'Folder of the pages, below that of `docs.json`; `api-reference` where it is absent.',
                type: 'string',
                not: { pattern: '^(\\.?/)*\\.\\.(/|$)' },
              },
              overlays: true,
            },
          },
          { $ref: '#/$defs/reference' },
        ],
      },
      location: {
        description: 'A path from the docs root, with or without leading `/`, or a URL.',
        type: 'string',
        pattern: '[^\\s./]',
        not: { pattern: '^\\s*(?!https?:)[A-Za-z][A-Za-z0-9+.-]*://' },
      },
      ...Object.fromEntries(kinds.map((kind) => [kind, toDivision(kind)])),
      ...Object.fromEntries(listKeys.map((key) => [key, toList(key)])),
    },
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

function orReference(kind: DivisionKind): object {
  return { anyOf: [{ $ref: '#/$defs/reference' }, { $ref: `#/$defs/${kind}` }] }
}

/** The list of a key, named so among the definitions. */
function toList(key: string): object {
  const lists: { readonly [key: string]: DivisionKind } = divisionLists
  const of = lists[key]
  const items = of === undefined ? { anyOf: [{ type: 'string' }, orReference('group')] } : orReference(of)
  return { anyOf: [{ $ref: '#/$defs/reference' }, { type: 'array', items }] }
}

/** Every list is read in every division; those that a host shows there come first. */
function toDivision(kind: DivisionKind): object {
  const label = kind === 'navigation' ? {} : { [kind]: { type: 'string' } }
  const lists = [...new Set([...childKeys[kind], ...listKeys])]
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(divisionKeys(kind).map((key) => [key, true])),
      ...label,
      openapi: { $ref: '#/$defs/openapi' },
      ...Object.fromEntries(lists.map((key) => [key, { $ref: `#/$defs/${key}` }])),
    },
  }
}
