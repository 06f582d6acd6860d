import type { Messages } from './english.ts'

export const korean: Messages = {
  language: 'ko',
  client: {
    page: {
      copied: '복사됨',
      copyFailed: '복사할 수 없음',
      collapseAll: '모두 접기',
      expandAll: '모두 펼치기',
      playgroundFailed: '플레이그라운드를 불러올 수 없습니다. 연결을 확인한 후 다시 시도하세요.',
    },
  },
  playground: {
    title: '플레이그라운드',
  },
}
