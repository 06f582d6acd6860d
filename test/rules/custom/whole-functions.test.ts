import { expect, test } from 'vitest'
import type { RuleContext } from '../../../src/rules/ruleset.ts'
import { callFunction } from './call-function.ts'

const schema = {
  type: 'object',
  required: ['id', 'gone'],
  properties: {
    id: { type: 'string' },
    is_new: { type: 'boolean' },
    items: { type: 'array', items: { properties: { is_old: { type: 'boolean' } } } },
  },
}
const document = {
  openapi: '3.1.0',
  paths: {
    '/pets/{petId}': {
      get: { operationId: 'Pets_Get', parameters: [{ name: 'petId', in: 'path' }], responses: { 200: { description: 'OK' } } },
      put: { operationId: 'Pets_Get', security: [{}], responses: { 204: { description: 'OK' }, 200: { description: 'OK' } } },
    },
    '/pets/{id}/toys': { get: { operationId: 'toys' } },
  },
  components: { schemas: { Pet: schema } },
}

/** Functions of the kinds that public rulesets have, each on one value of the document. */
const functions: readonly {
  readonly name: string
  readonly code: string
  readonly value: unknown
  readonly path: RuleContext['path']
  readonly options?: unknown
  readonly problems: unknown
}[] = [
  {
    name: 'compares the names of parameters in paths',
    code: `
      module.exports = (paths) => {
        if (paths === null || typeof paths !== 'object') return [];
        const errors = [];
        const names = {};
        for (const path of Object.keys(paths)) {
          const parts = path.split('/').slice(1);
          parts.slice(1).forEach((part, i) => {
            if (!part.includes('}')) return;
            const name = part.match(/[^{}]+(?=})/)[0];
            const before = parts[i];
            if (names[before] && names[before] !== name) {
              errors.push({ message: \`"\${names[before]}" and "\${name}" after "\${before}"\`, path: ['paths', path] });
            }
            names[before] = names[before] || name;
          });
        }
        return errors;
      };`,
    value: document.paths,
    path: ['paths'],
    problems: [{ message: '"petId" and "id" after "pets"', path: ['paths', '/pets/{id}/toys'] }],
  },
  {
    name: 'visits the properties of a schema',
    code: `
      const { pattern } = require('@stoplight/spectral-functions');
      module.exports = function visit(schema, options, { path }) {
        const errors = [];
        for (const [name, property] of Object.entries(schema.properties ?? {})) {
          if (property.type === options.type && pattern(name, { match: options.match })) {
            errors.push({ message: \`Property "\${name}"\`, path: [...path, 'properties', name] });
          }
          errors.push(...visit(property, options, { path: [...path, 'properties', name] }));
        }
        if (schema.items) errors.push(...visit(schema.items, options, { path: [...path, 'items'] }));
        return errors;
      };`,
    value: schema,
    path: ['components', 'schemas', 'Pet'],
    options: { type: 'boolean', match: 'new' },
    problems: [
      {
        message: 'Property "is_old"',
        path: ['components', 'schemas', 'Pet', 'properties', 'items', 'items', 'properties', 'is_old'],
      },
    ],
  },
  {
    name: 'finds repeated values with a generator',
    code: `
      const verbs = ['get', 'put', 'post'];
      function* operations(paths) {
        for (const [path, item] of Object.entries(paths)) {
          for (const verb of verbs) if (item?.[verb]) yield { path, verb, operation: item[verb] };
        }
      }
      export default (paths, _options, context) => {
        const seen = new Map();
        const results = [];
        for (const { path, verb, operation } of operations(paths)) {
          const { operationId: id } = operation;
          if (seen.has(id)) results.push({ message: \`\${id} is used by \${seen.get(id)}\`, path: [...context.path, path, verb] });
          else seen.set(id, \`\${verb.toUpperCase()} \${path}\`);
        }
        return results;
      };`,
    value: document.paths,
    path: ['paths'],
    problems: [{ message: 'Pets_Get is used by GET /pets/{petId}', path: ['paths', '/pets/{petId}', 'put'] }],
  },
  {
    name: 'returns early, and checks words of a name',
    code: `
      const words = { get: ['get', 'list'], put: ['update', 'replace'] };
      export default (operation, _, context) => {
        if (context.path[0] == 'paths') {
          var verb = context.path[2];
          var last = operation.operationId.split('_')[1];
          switch (verb) {
            case 'put':
              if (!words[verb].includes(last?.toLowerCase())) return [{ message: \`Starts with \${words[verb].join(' or ')}\` }];
              break;
            default:
              break;
          }
          for (let i in words) if (i === verb && /^\\d/.test(last)) return [{ message: 'digit' }];
        }
      };`,
    value: document.paths['/pets/{petId}'].put,
    path: ['paths', '/pets/{petId}', 'put'],
    problems: [{ message: 'Starts with update or replace' }],
  },
  {
    name: 'collects errors that it throws',
    code: `
      'use strict';
      const check = (schema, names) => {
        const missing = names.filter((name) => !Object.prototype.hasOwnProperty.call(schema.properties || {}, name));
        if (missing.length > 0) throw \`No property \${missing.join(', ')}\`;
      };
      export default (schema, { extra = [] } = {}) => {
        try {
          check(schema, [...schema.required, ...extra]);
        } catch (ex) {
          return [{ message: ex }];
        }
      };`,
    value: schema,
    path: ['components', 'schemas', 'Pet'],
    options: { extra: ['other'] },
    problems: [{ message: 'No property gone, other' }],
  },
]

test.each(functions)('$name', ({ code, value, path, options, problems }) => {
  const context: RuleContext = { path, document, unresolved: document, rule: { name: 'my-rule' }, spend: () => {} }
  expect(callFunction(code, { value, options, context })).toEqual(problems)
})
