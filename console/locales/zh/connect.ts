export const connect = {
  title: '如何接入',
  lead: '选择你正在使用的客户端，把地址和令牌换成这里的即可。',
  key: '令牌',
  copy: '复制',
  copied: '示例已复制',
  'first-steps': '开始使用',
  'step-done': '已完成',
  'step.channel': '添加渠道',
  'step.channel-hint': '填写上游服务商的地址、密钥和模型，请求由它来应答。',
  'step.stub':
    '手头没有服务商？在源码目录运行模拟上游，渠道地址填 http://127.0.0.1:4010，密钥任意：',
  'step.price': '确认价格',
  'step.price-hint': '未设置价格的模型会被拒绝调用，请在运营设置中补充模型价格。',
  'step.token': '创建令牌',
  'step.token-hint': '客户端用令牌调用，可限制额度、模型和有效期。',
  'step.call': '发起第一次调用',
  'step.call-hint': '在操练场对话，或在令牌页打开“如何接入”复制示例。',
};
