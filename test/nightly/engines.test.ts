import { expect, test } from 'vitest'
import { serveViews } from '../support/engine-views.ts'
import { compareEngines } from '../support/page-look.ts'

test('readers see the same in Chromium, Firefox and WebKit at each width in both themes', async () => {
  expect(await compareEngines(await serveViews(), [1440, 800, 390], ['light', 'dark'])).toBe('')
})
