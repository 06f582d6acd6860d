import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { toPolicy } from '../../../src/site/page/shell/render-document.tsx'
import { serve } from '../../support/serve.ts'

const root = join(import.meta.dirname, '../../..')

/**
 * Serves a page that renders components of the dialog, with the stylesheet and the Content Security Policy of a site. `script` is TypeScript with JSX.
 * Its imports start with `./src/`.
 */
export async function serveParts(script: string, connect: readonly string[]): Promise<string> {
  const { output } = await build({
    input: 'script.tsx',
    cwd: root,
    platform: 'browser',
    tsconfig: join(root, 'tsconfig.browser.json'),
    plugins: [
      {
        name: 'script',
        resolveId: (name) => (name === 'script.tsx' ? join(root, name) : undefined),
        load: (path) => (path === join(root, 'script.tsx') ? script : undefined),
      },
    ],
    output: { codeSplitting: false },
    write: false,
  })
  const styles = ['build/site/site.css', 'src/site/page/theme/playground-response.css']
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const files: Readonly<Record<string, readonly [string, string]>> = {
    '/site.css': ['text/css', styles],
    '/theme.js': ['text/javascript', readFileSync(join(root, 'build/site/theme.js'), 'utf8')],
    '/parts.js': ['text/javascript', output[0].code],
  }
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Parts</title>
<meta http-equiv="Content-Security-Policy" content="${toPolicy(connect)}"><meta name="base" content="/"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/site.css"><script src="/theme.js"></script><script type="module" src="/parts.js"></script></head><body><main id="root"></main></body></html>`
  return serve((request, response) => {
    const [type, text] = files[new URL(request.url ?? '/', 'http://localhost').pathname] ?? ['text/html', page]
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text)
  })
}
