import type { Messages } from './english.ts'

export const german: Messages = {
  language: 'de',
  client: {
    page: {
      copied: 'Kopiert',
      copyFailed: 'Kopieren nicht möglich',
      collapseAll: 'Alle einklappen',
      expandAll: 'Alle ausklappen',
      playgroundFailed: 'Der Playground konnte nicht geladen werden. Prüfe die Verbindung und versuche es erneut.',
    },
  },
  playground: {
    title: 'Playground',
  },
}
