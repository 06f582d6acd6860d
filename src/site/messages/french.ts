import type { Messages } from './english.ts'

export const french: Messages = {
  language: 'fr',
  client: {
    page: {
      copied: 'Copié',
      copyFailed: 'Copie impossible',
      collapseAll: 'Tout réduire',
      expandAll: 'Tout développer',
      playgroundFailed: 'Impossible de charger le bac à sable. Vérifiez votre connexion et réessayez.',
    },
  },
  playground: {
    title: 'Bac à sable',
  },
}
