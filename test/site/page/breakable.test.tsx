/** @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { toBreakable } from '../../../src/site/page/breakable.tsx'

test.each([
  ['/snapshots/{snapshotName}/files', '/snapshots|/{snapshot|Name}|/files'],
  ['PokemonDetail', 'PokemonDetail'],
  ['MessageReactionCountDetailsResponse', 'Message|Reaction|Count|Details|Response'],
  ['io.k8s.api.core.v1.PodSpec', 'io.|k8s.|api.|core.|v1.|Pod|Spec'],
  ['invoice_payment_method_options_card', 'invoice_|payment_|method_|options_|card'],
  ['Straßenverkehrsordnung', 'Straßenverkehrsordnung'],
])('breaks the title %s only between the words of long names', (title, expected) => {
  expect(renderToString(<p>{toBreakable(title)}</p>).replaceAll(/<wbr ?\/?>/g, '|')).toBe(`<p>${expected}</p>`)
})
