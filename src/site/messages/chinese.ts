import type { Messages } from './english.ts'

export const chinese: Messages = {
  language: 'zh-Hans',
  client: {
    page: {
      copied: '已复制',
      copyFailed: '无法复制',
      collapseAll: '全部折叠',
      expandAll: '全部展开',
      playgroundFailed: '无法加载调试面板。请检查网络连接，然后重试。',
    },
  },
  playground: {
    title: '调试面板',
  },
}
