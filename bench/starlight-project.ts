import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installPackages } from '../scripts/package-cache.ts'
import type { Command } from './measure.ts'

/** Also generates a static page for each operation. */
const packages = { astro: '7.3.5', '@astrojs/starlight': '0.42.4', 'starlight-openapi': '0.26.1' }

export const starlightLabel = Object.entries(packages)
  .toReversed()
  .map(([name, version]) => `\`${name}\` ${version}`)
  .join(' + ')

/** A Starlight project for one description. */
export interface StarlightProject {
  /** Builds it as a whole process. */
  readonly command: Command
  /** Directory of the built site. */
  readonly output: string
  readonly remove: () => void
}

/**
 * Writes a project for one description, following the documentation of `starlight-openapi`. Astro finds the packages only if the project is
 * next to them in the cache, even with links.
 */
export function writeStarlightProject(document: string): StarlightProject {
  const modules = installPackages('bench-starlight', packages)
  const folder = mkdtempSync(join(dirname(modules), 'project-'))
  const files = {
    // Astro can run these packages only if it bundles them.
    'package.json': JSON.stringify({ private: true, type: 'module', dependencies: packages }),
    'astro.config.mjs': `import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'
import starlightOpenAPI, { openAPISidebarGroups } from 'starlight-openapi'

export default defineConfig({
  integrations: [
    starlight({ title: 'API', plugins: [starlightOpenAPI([{ base: 'api', schema: './openapi.json' }])], sidebar: openAPISidebarGroups }),
  ],
})
`,
    'src/content.config.ts': `import { docsLoader } from '@astrojs/starlight/loaders'
import { docsSchema } from '@astrojs/starlight/schema'
import { defineCollection } from 'astro:content'

export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }
`,
    'src/content/docs/index.md': '---\ntitle: API\n---\n\nWelcome.\n',
    'openapi.json': document,
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const output = join(folder, 'dist')
  return {
    command: {
      label: starlightLabel,
      folder,
      args: () => {
        rmSync(output, { recursive: true, force: true })
        return [join(modules, 'astro/bin/astro.mjs'), 'build']
      },
    },
    output,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
}
