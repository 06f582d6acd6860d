import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OutputBundle, OutputChunk, Plugin } from 'rolldown'

// Splits the scripts of a site into files. Plain code splitting creates a file for every combination of scripts that share a
// module, and the playground form would then take many small requests.

/** Scripts that are only loaded after another one, by that one. */
const laterScripts: Readonly<Record<string, readonly string[]>> = {
  'src/playground/open-playground.tsx': [
    'src/playground/authentication/authentication.tsx',
    'src/playground/form/check-value.ts',
    'src/playground/form/extra-fields.tsx',
    'src/playground/form/more-fields.tsx',
    'src/playground/form/raw-body.tsx',
    'src/playground/answer/output.tsx',
    'src/playground/form/server-fields.tsx',
    'src/playground/samples/other-samples.ts',
    'src/playground/send/response-content.ts',
  ],
  'src/playground/authentication/authentication.tsx': [
    'src/playground/authentication/oauth-fields.tsx',
    'src/playground/authentication/scheme-notes.ts',
  ],
  'src/playground/answer/output.tsx': [
    'src/playground/answer/failure-view.tsx',
    'src/playground/answer/long-text-view.tsx',
    'src/playground/answer/other-responses.tsx',
    'src/playground/authentication/oauth-fields.tsx',
    'src/playground/request/request-body.ts',
  ],
}

/**
 * Keeps the modules that a script shares with later scripts in the file of the first one. Each later script imports all of it.
 */
export function shareWithLater(root: string): Plugin {
  const firstByLater = new Map<string, string[]>()
  for (const [first, others] of Object.entries(laterScripts)) {
    for (const other of others)
      firstByLater.set(join(root, other), [...(firstByLater.get(join(root, other)) ?? []), join(root, first)])
  }
  return {
    name: 'share-with-later',
    load: {
      filter: { id: /\.tsx?$/ },
      handler: (path) => {
        const needed = firstByLater.get(path)
        if (!needed) return undefined
        const imports = needed.map((first) => `import ${JSON.stringify(first)}\n`)
        return readFileSync(path, 'utf8') + imports.join('')
      },
    },
  }
}

/**
 * Rewrites the dynamic imports of bundled scripts in two ways:
 *
 * - The files that the imported script needs are requested at the same time. Otherwise a browser would find them in the first
 * response, one round trip later.
 * - After a failure, the next attempt uses another URL. Browsers released before the summer of 2026 never request a module again
 *   after it failed to load, so “Try again” would not work (https://github.com/whatwg/html/pull/10327). Remove this when the build
 *   supports none of them.
 */
export const loadTogether: Plugin = {
  name: 'load-together',
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = rewriteImports(file, bundle)
  },
}

function rewriteImports(chunk: OutputChunk, bundle: OutputBundle): string {
  const own = listImported(chunk.fileName, bundle)
  let text = chunk.code
  for (const path of chunk.dynamicImports) {
    const others = [...listImported(path, bundle)].filter((other) => other !== path && !own.has(other))
    // Absolute, because the scripts of diagrams are in another folder and may replace the loader by their own.
    const load = [`import.meta.resolve("./${path}")`, ...others.map((other) => `import("./${other}")`)]
    text = text.replaceAll(`import(\`./${path}\`)`, `$l(${load.join()})`)
  }
  // Later scripts use the loader of the entry point that was loaded first.
  return chunk.isEntry && text !== chunk.code ? loader + text : text
}

/** Imports a script, under another URL after each failure, and waits for the others. Short, because every page contains it. */
const loader =
  'self.$l=(u,...o)=>Promise.all([import(u+($l[u]||"")).catch(e=>{throw $l[u]=($l[u]||"")+"?",e}),...o]).then(a=>a[0]);'

/** A script and everything that it imports statically, directly or not. */
function listImported(name: string, bundle: OutputBundle, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const chunk = bundle[name]
  if (chunk?.type === 'chunk') for (const path of chunk.imports) listImported(path, bundle, found)
  return found
}

/** Gives each script a copy of the English texts of scripts, of which only its own remain. Otherwise, all scripts would load those of all. */
export function onlyOwnTexts(root: string): Plugin {
  const copy = '\0texts of '
  return {
    name: 'only-own-texts',
    resolveId(source, importer) {
      return source.endsWith('/messages/script-messages.ts') ? copy + importer : undefined
    },
    load(id) {
      if (!id.startsWith(copy)) return undefined
      const { client } = JSON.parse(readFileSync(join(root, 'locales/en.json'), 'utf8')) as {
        client: Readonly<Record<string, object>>
      }
      const constants = Object.entries(client).map(
        ([name, texts]) => `export const ${name === 'page' ? 'pageScript' : name} = ${JSON.stringify(texts)}`,
      )
      return { code: constants.join('\n'), moduleType: 'js' }
    },
  }
}
