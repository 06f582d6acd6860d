import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createProgress } from '../../../src/cli/print/terminal.ts'

function output(isTerminal: boolean) {
  const written: string[] = []
  return { written, write: (text: string) => void written.push(text), isTerminal, columns: 30 }
}

describe('createProgress', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('shows a line after a second and clears it', () => {
    const terminal = output(true)
    const progress = createProgress(terminal, false)
    progress.step('reading a.yaml')
    vi.advanceTimersByTime(999)
    progress.step('checking a.yaml')
    expect(terminal.written).toEqual([])
    vi.advanceTimersByTime(1)
    progress.step('planning pages \x1b of everything there is')
    progress.step('not so soon')
    progress.clear()
    progress.clear()
    expect(terminal.written).toEqual(['\r\x1b[Kplanning pages \\u001b of ever', '\r\x1b[K'])
  })

  test.each([
    ['not a terminal', false, false],
    ['a terminal that is to be quiet', true, true],
  ])('shows nothing on %s', (_, isTerminal, quiet) => {
    const stream = output(isTerminal)
    const progress = createProgress(stream, quiet)
    vi.advanceTimersByTime(5_000)
    progress.step('reading a.yaml')
    progress.clear()
    expect(stream.written).toEqual([])
  })
})
