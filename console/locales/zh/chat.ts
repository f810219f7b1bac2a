export const chat = {
  opening: '正在跳转.......',
  redirecting: '正在加载，请稍候....',
  silent: '加载失败，请尝试手动跳转',
  jump: '在新标签页打开',
  program: '此链接由本机应用打开。',
  'bad-link': '聊天链接配置错误，请联系管理员',
  none: '还没有配置聊天',
  'none-hint': '请联系管理员配置聊天链接',
  'no-key': '当前没有可用的启用令牌，请确认是否有令牌处于启用状态！',
};
