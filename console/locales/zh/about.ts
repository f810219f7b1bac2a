export const about = {
  title: '关于',
  empty: '管理员还没有填写关于内容',
  'empty-hint': '可在“设置 / 其他设置”中填写，支持 HTML 与 Markdown。',
};
