import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'rolldown'

/** Shorter grammars stay in their module. */
const leastCharacters = 10_000

/**
 * Puts each large grammar of the syntax highlighter into a compressed file next to the program, which reads it when a page has code in that language. As
 * modules, they take a quarter of the package.
 */
export const packedGrammars: Plugin = {
  name: 'packed-grammars',
  load: {
    filter: { id: /[\\/]@shikijs[\\/]langs[\\/]dist[\\/][^\\/]+\.mjs$/ },
    handler(path) {
      const text = readFileSync(path, 'utf8')
      const [start, end] = [text.indexOf('JSON.parse("'), text.lastIndexOf('"))')]
      if (end - start < leastCharacters) return undefined
      const grammar: string = JSON.parse(text.slice(start + 'JSON.parse('.length, end + 1))
      const fileName = `grammar-${basename(path, '.mjs')}.json.br`
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
      this.emitFile({ type: 'asset', fileName, source: brotliCompressSync(grammar, { params }) })
      const read = `JSON.parse(brotliDecompressSync(readFileSync(import.meta.dirname + '/${fileName}')).toString())`
      const imports = "import { readFileSync } from 'node:fs'\nimport { brotliDecompressSync } from 'node:zlib'\n"
      return imports + text.slice(0, start) + read + text.slice(end + 2)
    },
  },
}
