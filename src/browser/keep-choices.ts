/** A choice made once (language of the samples, operating system) is made everywhere: groups with the same `data-sync` follow, on every page. */
export function keepChoices(): void {
  const choose = (sync: string, value: string) => {
    for (const group of document.querySelectorAll<HTMLElement>('[data-sync]')) {
      if (group.dataset['sync'] !== sync) continue
      for (const input of group.querySelectorAll<HTMLInputElement>('input[type=radio]'))
        if (input.value === value) input.checked = true
    }
  }
  const syncs = new Set([...document.querySelectorAll<HTMLElement>('[data-sync]')].map(({ dataset }) => dataset['sync'] ?? ''))
  for (const sync of syncs) {
    const kept = read(sync)
    if (kept !== null) choose(sync, kept)
  }
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return
    const sync = target.closest<HTMLElement>('[data-sync]')?.dataset['sync']
    if (sync === undefined) return
    choose(sync, target.value)
    try {
      localStorage.setItem(`choice:${sync}`, target.value)
    } catch {
      // Private mode: it lasts as long as the page.
    }
  })
}

function read(sync: string): string | null {
  try {
    return localStorage.getItem(`choice:${sync}`)
  } catch {
    return null
  }
}
