import type { Messages } from './english.ts'

export const spanish: Messages = {
  language: 'es',
  client: {
    page: {
      copied: 'Copiado',
      copyFailed: 'No se pudo copiar',
      collapseAll: 'Contraer todo',
      expandAll: 'Expandir todo',
      playgroundFailed: 'No se pudo cargar el área de pruebas. Comprueba la conexión e inténtalo de nuevo.',
    },
  },
  playground: {
    title: 'Área de pruebas',
  },
}
