import type { Messages } from './english.ts'

export const portuguese: Messages = {
  language: 'pt-BR',
  client: {
    page: {
      copied: 'Copiado',
      copyFailed: 'Não foi possível copiar',
      collapseAll: 'Recolher tudo',
      expandAll: 'Expandir tudo',
      playgroundFailed: 'Não foi possível carregar o playground. Verifique sua conexão e tente novamente.',
    },
  },
  playground: {
    title: 'Playground',
  },
}
